import { afterEach, expect, test } from 'vitest'
import { answer, type StoreServer, startStore } from '../../test/harness/store-server.ts'
import { probeScopes, readStoreInformation } from './store-information.ts'

let store: StoreServer

afterEach(() => store.stop())

test('the store information keeps unknown fields', async () => {
  const body = { id: 'abc123', name: 'Acme', domain: 'acme.example', default_channel_id: 1, favourite_colour: 'teal' }
  store = await startStore((_request, response) => answer(response, 200, body))
  expect(await readStoreInformation(store.client)).toEqual(body)
  expect(store.requests[0]?.url).toBe('/stores/abc123/v2/store')
})

test('an answer that describes no store is refused', async () => {
  store = await startStore((_request, response) => answer(response, 200, { hello: 'world' }))
  await expect(readStoreInformation(store.client)).rejects.toThrow()
})

test('missing scopes are listed, with one call per scope', async () => {
  store = await startStore((request, response) => {
    if (request.url?.includes('/v3/channels')) answer(response, 403, { title: 'You do not have the scope' })
    else answer(response, 200, { data: [] })
  })
  expect(await probeScopes(store.client)).toEqual([
    {
      scope: 'store_channel_settings_read_only',
      path: '/v3/channels',
      query: { limit: 1 },
      title: 'You do not have the scope',
    },
  ])
  expect(store.requests).toHaveLength(3)
})

test('an invalid token is not a missing scope', async () => {
  store = await startStore((_request, response) => void response.writeHead(401).end('Unauthorized'))
  await expect(probeScopes(store.client)).rejects.toMatchObject({ name: 'CredentialsError' })
})
