import { afterAll, beforeAll, expect, test } from 'vitest'
import { anOrganisation, aService, type Service } from '../api/a-service.ts'

let service: Service
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())

test('while the portal is built, its pages reload themselves and the other pages answer', async () => {
  const { cookie } = await anOrganisation(service)
  const headers = { cookie: await cookie(), accept: 'text/html' }
  Object.assign(service.deps, { portal: { state: () => 'building' } })
  const page = await service.inject({ url: '/app/migrations', headers })
  expect([page.statusCode, page.headers.refresh, page.headers['retry-after']]).toEqual([503, '2', '2'])
  expect(page.body).toContain('Building the portal')
  expect((await service.inject({ url: '/app/forgot', headers })).statusCode).toBe(200)
})

test('a browser without a session is sent to the sign-in and back, with what its address says of a list', async () => {
  const sent = await service.inject({ url: '/app/migrations?status=paused', headers: { accept: 'text/html' } })
  expect([sent.statusCode, sent.headers.location]).toEqual([
    303,
    '/app/sign-in?return_to=%2Fapp%2Fmigrations%3Fstatus%3Dpaused',
  ])
  const program = await service.inject({ url: '/app/migrations' })
  expect([program.statusCode, program.json().error]).toEqual([404, 'not_found'])
})

test('the look of the server’s pages does not need a build', async () => {
  expect((await service.inject({ url: '/app/tokens.css' })).headers['content-type']).toBe('text/css; charset=utf-8')
  expect((await service.inject({ url: '/favicon.svg' })).headers['content-type']).toBe('image/svg+xml')
})
