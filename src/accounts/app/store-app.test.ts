import { expect, test } from 'vitest'
import { FakeClock } from '../../../test/harness/fake-clock.ts'
import { type OutboundAnswer, OutboundRefused, type OutboundRequest } from '../../outbound.ts'
import { createStoreApp } from './store-app.ts'

const start = new Date('2027-03-01T10:00:00.500Z')
const granted = { access_token: 'planted-token', scope: 'store_v2_orders', context: 'stores/g5cd38' }
const grant = { code: 'planted-code', hash: 'g5cd38', scope: 'store_v2_orders' }

interface Answer {
  httpStatus?: number
  headers?: Record<string, string>
  body?: unknown
}

/** An app whose platform gives this answer. */
function anApp({ httpStatus = 200, headers = {}, body = granted }: Answer | undefined = {}, fails?: Error) {
  const asked: OutboundRequest[] = []
  const storeApp = createStoreApp({
    clientId: 'client1',
    clientSecret: 'planted-secret',
    loginUrl: 'https://login.example',
    siteUrl: 'https://ferry.example',
    clock: new FakeClock({ start }),
    outbound: async (request): Promise<OutboundAnswer> => {
      asked.push(request)
      if (fails) throw fails
      return { httpStatus, headers, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) }
    },
  })
  return { asked, exchange: () => storeApp.exchange(grant) }
}

test('S1: a code is exchanged as BigCommerce documents it, with our auth callback as the redirect', async () => {
  const { asked, exchange } = anApp()
  expect(await exchange()).toMatchObject({ token: 'planted-token' })
  expect(asked).toMatchObject([
    {
      url: 'https://login.example/oauth2/token',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    },
  ])
  expect(asked.map(({ body }) => JSON.parse(body ?? ''))).toEqual([
    {
      client_id: 'client1',
      client_secret: 'planted-secret',
      code: 'planted-code',
      context: 'stores/g5cd38',
      scope: 'store_v2_orders',
      grant_type: 'authorization_code',
      redirect_uri: 'https://ferry.example/auth',
    },
  ])
})

test('S1: an installation begins by the platform’s clock, and by ours if the answer has no time', async () => {
  const headers = { date: 'Mon, 01 Mar 2027 09:48:12 GMT' }
  expect((await anApp({ headers }).exchange()).grantedAt).toEqual(new Date('2027-03-01T09:48:12Z'))
  for (const none of [{}, { date: 'noon' }] as Record<string, string>[])
    expect((await anApp({ headers: none }).exchange()).grantedAt).toEqual(new Date('2027-03-01T10:00:00Z'))
})

test('S1: a token of another store is refused', async () => {
  const { exchange } = anApp({ body: { ...granted, context: 'stores/another' } })
  await expect(exchange()).rejects.toMatchObject({ code: 'validation_failed' })
})

test.each<[string, Answer, string, string]>([
  [
    'a refused code',
    { httpStatus: 400, body: { error: 'invalid_grant' } },
    'validation_failed',
    'Install the app again',
  ],
  ['a refused secret', { httpStatus: 401 }, 'platform_error', 'STOREFERRY_APP_CLIENT_SECRET'],
  ['a platform that is down', { httpStatus: 503, body: '<html>' }, 'platform_error', 'HTTP 503'],
  ['a redirect', { httpStatus: 302, headers: { location: '/' } }, 'platform_error', 'HTTP 302'],
  ['an answer that is no JSON', { body: '<html>' }, 'platform_error', 'HTTP 200'],
  ['an answer without a token', { body: { ...granted, access_token: '' } }, 'platform_error', 'HTTP 200'],
  ['an answer about no store', { body: { ...granted, context: 'stores/../x' } }, 'platform_error', 'HTTP 200'],
])('S1: %s has a message of its own, with what to do', async (_, answer, code, part) => {
  const error = await anApp(answer)
    .exchange()
    .catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code, message: expect.stringContaining(part) })
  expect(String(error)).not.toContain('planted')
})

test.each([
  [new OutboundRefused('login.example is not a public address.'), 'login.example is not a public address.'],
  [Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), 'BigCommerce does not answer.'],
])('S1: without an answer the installation can be repeated: %s', async (cause, part) => {
  await expect(anApp(undefined, cause).exchange()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(part),
  })
})
