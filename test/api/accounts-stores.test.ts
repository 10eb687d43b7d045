import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/start.ts'
import { listAudit } from '../../src/db/accounts/audit.ts'
import { findStore } from '../../src/db/accounts/stores.ts'
import { perform } from '../../src/operations/shared/perform.ts'
import { connectStore } from '../../src/operations/stores/connect-store.ts'
import { aBrowser, anOrganisation, aService, type Organisation, type Service } from './a-service.ts'

let sandbox: Sandbox
let service: Service
let organisation: Organisation
beforeAll(async () => {
  sandbox = await startSandbox({
    stores: [
      { name: 'North', seed: 'empty' },
      { name: 'South', seed: 'empty' },
      { name: 'West', seed: 'empty' },
      { name: 'Narrow', seed: 'empty', scopes: ['store_v2_information', 'store_channel_settings'] },
    ],
    plan: 'unlimited',
  })
  service = await aService({ bigcommerceApiUrl: sandbox.url })
  organisation = await anOrganisation(service, { stores: [] })
  await connect('North')
  await connect('South')
})
afterAll(async () => {
  await service?.close()
  await sandbox?.close()
})

function addressOf(name: string) {
  return sandbox.stores[name]!
}

async function connect(name: string, changes: { token?: string; label?: string; organisation?: string } = {}) {
  const { hash, token } = addressOf(name)
  const input = { organisation: organisation.identity.organization_name, hash, token, ...changes }
  return (await perform(connectStore, input, { userId: null }, service.deps)).output
}

test('a connected store is labelled with its own name, and its missing scopes are listed', async () => {
  const other = await anOrganisation(service, { stores: [] })
  const connected = await connect('Narrow', { organisation: other.identity.organization_name })
  expect(connected).toEqual({
    hash: addressOf('Narrow').hash,
    label: expect.any(String),
    missingScopes: expect.arrayContaining(['store_v2_products_read_only', 'store_v2_marketing_read_only']),
    about: expect.objectContaining({ name: connected.label, domain: expect.any(String) }),
  })
  expect(connected.missingScopes).not.toContain('store_channel_settings_read_only')
  expect(connected.label).not.toBe('')
  const audit = await listAudit(service.deps.database, other.id)
  expect(audit.at(-1)).toMatchObject({
    action: 'store.connect',
    actor: 'command line',
    details: { hash: connected.hash },
  })
})

test('a wrong token or hash is a 422 that names the field, and nothing is connected', async () => {
  const other = await anOrganisation(service, { stores: [] })
  const owner = aBrowser(service, await other.cookie())
  const { hash, token } = addressOf('North')
  const wrongToken = await owner.send('POST', '/v2/stores', { hash, token: 'wrong' })
  expect([wrongToken.statusCode, wrongToken.json()]).toEqual([
    422,
    {
      error: 'validation_failed',
      message: expect.stringContaining(`Store ${hash} does not accept this API token.`),
      errors: { token: [wrongToken.json().message] },
    },
  ])
  const wrongHash = await owner.send('POST', '/v2/stores', { hash: 'nosuchstore', token })
  expect([wrongHash.statusCode, Object.keys(wrongHash.json().errors)]).toEqual([422, ['hash']])
  expect(await findStore(service.deps.database, other.id, hash)).toBeUndefined()
})

test('S2: a token that a store refuses takes nothing of the quota of its migrations', async () => {
  const { hash } = addressOf('West')
  const stranger = aBrowser(service, await (await anOrganisation(service, { stores: [] })).cookie())
  expect((await stranger.send('POST', '/v2/stores', { hash, token: 'wrong' })).statusCode).toBe(422)
  // A claim that is on its way arrives.
  await service.deps.leaveStores([hash])
  const claims = await sql`select from quota_shares where store_hash = ${hash}`.execute(service.deps.database)
  expect(claims.rows).toEqual([])
})

test('connecting a store again keeps its id and takes the new token and label', async () => {
  const other = await anOrganisation(service, { stores: [] })
  const { hash } = addressOf('North')
  await connect('North', { organisation: other.identity.organization_name })
  const before = await findStore(service.deps.database, other.id, hash)
  await connect('North', { organisation: other.identity.organization_name, label: 'Renamed' })
  const after = await findStore(service.deps.database, other.id, hash)
  expect(after).toMatchObject({ id: before!.id, label: 'Renamed' })
  expect(after!.tokenEncrypted.equals(before!.tokenEncrypted)).toBe(false)
})

test('a store that is connected again without a label keeps the one it has, also after it was disconnected', async () => {
  const other = await anOrganisation(service, { stores: [] })
  const owner = aBrowser(service, await other.cookie())
  const { hash, token } = addressOf('North')
  const add = async (label?: string) => (await owner.send('POST', '/v2/stores', { hash, token, label })).json().label
  const shopName = await add()
  expect(await add('The old shop')).toBe('The old shop')
  expect(await add()).toBe('The old shop')
  await owner.send('DELETE', `/v2/stores/${hash}`)
  expect(await add()).toBe('The old shop')
  expect((await connect('North', { organisation: other.identity.organization_name })).label).toBe('The old shop')
  expect(shopName).not.toBe('The old shop')
})

test('S8: the token of a store is in no column of its row', async () => {
  const row = await findStore(service.deps.database, organisation.id, addressOf('North').hash)
  expect(row!.tokenEncrypted.includes(addressOf('North').token)).toBe(false)
})

test('the list has the stores of the organisation and no secrets', async () => {
  const other = await anOrganisation(service, { stores: [] })
  for (const name of ['North', 'South']) await connect(name, { organisation: other.identity.organization_name })
  const response = await service.get('/v2/stores', await other.token())
  const stores = ['North', 'South'].map((name) => ({
    hash: addressOf(name).hash,
    label: expect.any(String),
    platform: 'BC',
    access: { state: 'works', checkedAt: expect.any(String), latencyMs: null },
  }))
  expect(response.json().items).toHaveLength(2)
  expect(response.json().items).toEqual(expect.arrayContaining(stores))
})

test('a store with a valid token is reported as reachable', async () => {
  const { hash } = addressOf('North')
  const response = await service.get(`/v2/stores/${hash}`, await organisation.token())
  expect(response.json()).toEqual({
    hash,
    label: expect.any(String),
    platform: 'BC',
    connectedAt: expect.any(String),
    access: {
      reachable: true,
      state: 'works',
      checkedAt: expect.any(String),
      latencyMs: expect.any(Number),
      message: null,
      missingScopes: [],
    },
    about: {
      name: expect.any(String),
      domain: expect.any(String),
      plan: expect.any(String),
      currency: 'USD',
      weightUnit: expect.any(String),
      lengthUnit: expect.any(String),
    },
  })
})

test('a revoked token is reported without an error', async () => {
  const other = await anOrganisation(service, { stores: [addressOf('North').hash], storeToken: 'revoked' })
  const response = await service.get(`/v2/stores/${addressOf('North').hash}`, await other.token())
  expect(response.statusCode).toBe(200)
  expect(response.json()).toMatchObject({
    access: {
      reachable: false,
      state: 'refused',
      latencyMs: null,
      message: expect.stringContaining('Connect the store again'),
      missingScopes: [],
    },
    about: null,
  })
  const [listed] = (await service.get('/v2/stores', await other.token())).json().items
  expect(listed.access).toEqual({ state: 'refused', checkedAt: response.json().access.checkedAt, latencyMs: null })
})

test('the storefronts of a store are its channels of that type', async () => {
  const response = await service.get(`/v2/stores/${addressOf('North').hash}/storefronts`, await organisation.token())
  expect(response.statusCode).toBe(200)
  expect(response.json().items).toContainEqual({ id: '1', name: expect.any(String) })
})

test('storefronts of a store that refuses are a 502 with the HTTP status of the platform', async () => {
  const other = await anOrganisation(service, { stores: [addressOf('North').hash], storeToken: 'revoked' })
  const response = await service.get(`/v2/stores/${addressOf('North').hash}/storefronts`, await other.token())
  expect(response.statusCode).toBe(502)
  expect(response.json()).toEqual({ error: 'platform_error', message: expect.any(String), status: 401 })
})

test('a login names the storefronts of each store', async () => {
  const { stores } = (await service.login(organisation.identity)).json()
  expect(stores).toHaveLength(2)
  for (const store of stores) expect(store.storefronts).toContainEqual({ id: '1', name: expect.any(String) })
})

test('a login does not wait for a store that refuses', async () => {
  const hashes = [addressOf('North').hash, addressOf('South').hash]
  const other = await anOrganisation(service, { stores: hashes, storeToken: 'revoked' })
  const { stores } = (await service.login(other.identity)).json()
  expect(stores.map((store: { storefronts: unknown[] }) => store.storefronts)).toEqual([[], []])
})

test.each(['NORTH', 'a'.repeat(21), 'a%2fb'])('an invalid hash (%s) is a 422', async (hash) => {
  const response = await service.get(`/v2/stores/${hash}`, await organisation.token())
  expect(response.statusCode).toBe(422)
  expect(response.json().errors).toEqual({
    hash: ['A store hash has 1 to 20 lower-case letters and digits: the part after /stores/ of the API path.'],
  })
})
