import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildServer } from '../../src/api/server.ts'
import { createLog } from '../../src/log.ts'
import { anOrganisation, aService, type Service } from '../api/a-service.ts'

let service: Service
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())

test('S22: lines about requests carry the route, the status and our ids, and nothing that was sent', async () => {
  const lines: string[] = []
  const destination = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const { identity, id, token } = await anOrganisation(service, { storeToken: 'planted-store-token' })
  const bearerToken = await token()
  const app = await buildServer({ ...service.deps, httpLog: createLog({ level: 'trace', destination }) })
  const headers = { host: 'localhost:4000', authorization: `Bearer ${bearerToken}`, cookie: 'planted-cookie' }
  await app.inject({ method: 'POST', url: '/v2/login', headers, payload: identity })
  await app.inject({
    method: 'POST',
    url: '/v2/login',
    headers,
    payload: { ...identity, client_secret: 'planted-wrong' },
  })
  await app.inject({ url: '/v2/stores/store1?planted-query=1', headers })
  await app.inject({ url: '/planted-address', headers })
  await app.inject({ method: 'POST', url: '/v2/login', headers, payload: '{"planted-json' })
  await app.close()
  const log = lines.join('')
  expect(log).toContain('"route":"/v2/login"')
  expect(log).toContain('"httpStatus":401')
  expect(log).toContain(`"organisationId":"${id}"`)
  const planted = [
    identity.client_secret,
    identity.email,
    identity.client_id,
    bearerToken,
    bearerToken.split('.')[2]!,
    'planted',
  ]
  for (const secret of planted) expect(log).not.toContain(secret)
})
