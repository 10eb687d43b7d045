import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../src/api/routes.ts'
import { isOpenToBearerTokens, type OperationName } from '../../src/contract/accounts/permissions.ts'
import { aService, type Service, siteUrl } from './a-service.ts'

const committed = new URL('../../openapi.json', import.meta.url)
const { host } = new URL(siteUrl)

let service: Service
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())

test('openapi.json matches the routes and is served; UPDATE_OPENAPI=1 regenerates it, and a diff is a decision', async () => {
  await service.app.ready()
  const said = JSON.parse(JSON.stringify(service.app.swagger()))
  if (process.env.UPDATE_OPENAPI) await writeFile(committed, `${JSON.stringify(said, null, 2)}\n`)
  expect(JSON.parse(await readFile(committed, 'utf8'))).toEqual(said)
  const served = await service.get('/v2/openapi.json')
  expect(served.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(served.json()).toEqual(said)
})

test('the description is also a web page, which loads only our own files and sends no requests', async () => {
  const page = await service.app.inject({ url: '/v2/docs/', headers: { host } })
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.body).toContain('<title>Storeferry API v2</title>')
  expect(String(page.headers['content-security-policy'])).toContain("script-src 'self';")
  const ofPage = [...page.body.matchAll(/(?:src|href)="\.?([^"]+)"/g)].map(([, path]) => `/v2/docs${path}`)
  expect(ofPage.length).toBeGreaterThan(3)
  for (const url of ofPage) expect((await service.app.inject({ url, headers: { host } })).statusCode, url).toBe(200)
  const setting = await service.app.inject({ url: '/v2/docs/static/swagger-initializer.js', headers: { host } })
  expect(setting.body).toContain('"url":"/v2/openapi.json"')
  expect(setting.body).toContain('"supportedSubmitMethods":[]')
})

test('the description is OpenAPI 3.1 of interface version 2.0.0, with exactly our routes', async () => {
  const said = (await service.get('/v2/openapi.json')).json()
  expect(said.openapi).toMatch(/^3\.1\./)
  expect(said.info.version).toBe('2.0.0')
  const described = Object.entries<object>(said.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const served = routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
  expect(described.toSorted()).toEqual(served.toSorted())
})

test('every operation except login needs a bearer token or a session, or only a session if closed to bearer tokens', async () => {
  const said = (await service.get('/v2/openapi.json')).json()
  for (const methods of Object.values<Record<string, { operationId: string; security?: object[] }>>(said.paths)) {
    for (const { operationId, security } of Object.values(methods)) {
      const bearerToken = isOpenToBearerTokens(operationId as OperationName) ? [{ bearerToken: [] }] : []
      expect(security).toEqual(operationId === 'login' ? undefined : [...bearerToken, { session: [] }])
    }
  }
})
