import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueRemedies } from '../../src/contract/issue-codes.ts'
import { aService, type Service } from './a-service.ts'

let service: Service
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())

const open = (code: string) => service.inject({ method: 'GET', url: `/app/help/issues/${code}` })

test('every issue code has a page that explains it, readable without signing in', async () => {
  for (const code of Object.keys(issueRemedies)) {
    const { statusCode, headers, body } = await open(code)
    expect([code, statusCode, headers['content-type']]).toEqual([code, 200, 'text/html; charset=utf-8'])
    expect(body).toContain(`<h1>${code}</h1>`)
    expect(body, code).toMatch(/<p>\s*[\w<].{40}/s)
    // Its Markdown is marked up.
    expect(body, code).not.toMatch(/`|\]\(/)
  }
})

test('a page of another name does not exist', async () => {
  expect((await open('nothing')).statusCode).toBe(404)
})
