import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorHelpPath, errorStatuses } from '../../src/contract/service-error.ts'
import { anOrganisation, aService, type Service, siteUrl } from './a-service.ts'

let service: Service
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())

test('every error code has a page with its status and remedy, readable without signing in', async () => {
  for (const [code, httpStatus] of Object.entries(errorStatuses)) {
    const { statusCode, headers, body } = await service.inject({ url: `${errorHelpPath}/${code}` })
    expect([code, statusCode, headers['content-type']]).toEqual([code, 200, 'text/html; charset=utf-8'])
    expect(body).toContain(`<h1>${code}</h1>`)
    expect(body).toContain(`<em>HTTP ${httpStatus}.</em>`)
    expect(body, code).not.toMatch(/`|\]\(/)
  }
  expect((await service.inject({ url: `${errorHelpPath}/nothing` })).statusCode).toBe(404)
})

test('a refusal names the absolute address of the page that explains its code', async () => {
  const one = await anOrganisation(service, { stores: ['only1'] })
  const refused = await service.login(one.identity)
  expect([refused.statusCode, refused.json().error]).toEqual([403, 'insufficient_stores'])
  expect(refused.headers.link).toBe(`<${siteUrl}${errorHelpPath}/insufficient_stores>; rel="help"`)
  expect(refused.json().message).toContain(`${siteUrl}/app/stores/connect?org=${one.id}`)
})
