import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/start.ts'
import { issueRemedies } from '../../src/contract/issue-codes.ts'
import { anOrganisation, aService, type Organisation, type Service } from './a-service.ts'

const storeToken = 'sandbox-token'
let sandbox: Sandbox
let service: Service
let organisation: Organisation
let token: string
beforeAll(async () => {
  const narrow = ['store_v2_information', 'store_v2_products', 'store_channel_settings']
  sandbox = await startSandbox({
    plan: 'unlimited',
    stores: [
      { name: 'Source', hash: 'source1', seed: 'tiny', token: storeToken },
      { name: 'Destination', hash: 'dest1', seed: 'empty', token: storeToken },
      { name: 'Untouched', hash: 'dest2', seed: 'empty', token: storeToken },
      { name: 'Narrow', hash: 'narrow1', seed: 'empty', token: storeToken, scopes: narrow },
      {
        name: 'Closed',
        hash: 'closed1',
        seed: 'empty',
        token: storeToken,
        scopes: ['store_v2_information', 'store_v2_products'],
      },
      { name: 'Busy', hash: 'busy1', seed: 'empty', token: storeToken },
      { name: 'Locked', hash: 'locked1', seed: 'empty', token: 'another token' },
    ],
  })
  service = await aService({ bigcommerceApiUrl: sandbox.url })
  const stores = ['source1', 'dest1', 'dest2', 'narrow1', 'closed1', 'busy1', 'locked1']
  organisation = await anOrganisation(service, { stores, storeToken })
  token = await organisation.token()
})
afterAll(async () => {
  await service?.close()
  await sandbox?.close()
})

const pair = { source: 'source1', destination: 'dest1' }

async function ask(path: string, body: object) {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await service.inject({ method: 'POST', url: path, payload: body, headers })
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json()
}

const preflight = (body: object) => ask('/v2/preflight', body)

test('a preflight says what stays behind and where the stores differ, and creates no migration', async () => {
  const migrations = async () => (await service.get('/v2/migrations', token)).json().items
  const before = await migrations()
  const found = await preflight({ source: 'source1', destination: 'dest2' })
  expect(found.stops).toEqual([])
  expect(found.access).toEqual({
    source: { state: 'works', missingScopes: [] },
    destination: { state: 'works', missingScopes: [] },
  })
  expect(found).toMatchObject({ destinationBusy: null, destinationLive: null })
  expect(found.notCopied.map(({ code }: { code: string }) => code)).toContain('not_copied')
  for (const one of [...found.notCopied, ...found.goodToKnow])
    expect(one).toMatchObject({ label: expect.any(String), remedy: expect.stringMatching(/\.$/) })
  const remedies = found.notCopied.map(({ remedy }: { remedy: string }) => remedy)
  expect(new Set(remedies).size).toBe(found.notCopied.length)
  expect(remedies).not.toContain(issueRemedies.not_copied)
  expect(await migrations()).toEqual(before)
})

test('a preflight of one entity is about that one only', async () => {
  const found = await preflight({ ...pair, entities: ['brands'] })
  expect([...found.notCopied, ...found.goodToKnow].filter(({ phase }) => phase !== 'brands')).toEqual([])
})

test('a refused token and a missing scope stop a migration before it begins, and name what to do', async () => {
  const locked = await preflight({ source: 'locked1', destination: 'dest1' })
  expect(locked.stops).toEqual([
    {
      code: 'store_refused',
      side: 'source',
      message: 'Shop locked1 does not accept its API token.',
      remedy: expect.stringContaining('new token'),
    },
  ])
  expect(locked).toMatchObject({ notCopied: [], goodToKnow: [], access: { source: { state: 'refused' } } })
  const narrow = await preflight({ source: 'source1', destination: 'narrow1' })
  expect(narrow.stops).toHaveLength(1)
  expect(narrow.stops[0]).toMatchObject({ code: 'missing_scope', side: 'destination' })
  expect(narrow.stops[0].message).toContain('Orders')
  // What is not copied needs no scope.
  expect((await preflight({ source: 'source1', destination: 'narrow1', entities: ['brands'] })).stops).toEqual([])
})

test('a scope without which nothing can be read about a store is named, also by what reads it', async () => {
  const closed = await preflight({ source: 'source1', destination: 'closed1', entities: ['brands'] })
  expect(closed.stops).toHaveLength(1)
  expect(closed.stops[0].message).toBe('The API token of Shop closed1 lacks the scope Channel settings.')
  expect(closed).toMatchObject({ notCopied: [], goodToKnow: [], destinationLive: null })
  const storefronts = await service.get('/v2/stores/closed1/storefronts', token)
  expect(storefronts.json()).toMatchObject({
    error: 'platform_error',
    message:
      'The API token of the store lacks the scope store_channel_settings_read_only. Give it to the API account, then try again.',
  })
})

test('a destination that took an order lately is a shop in use, and an order that we copied does not count', async () => {
  const brands = { ...pair, entities: ['brands'] }
  await placeOrder({ external_source: 'M-MIG', external_order_id: 'source1-1' })
  expect((await preflight(brands)).destinationLive).toBeNull()
  await placeOrder({})
  expect((await preflight(brands)).destinationLive).toEqual({ ordersIn30Days: 1, domain: expect.any(String) })
})

test('a destination in use is found among the many orders that an earlier migration copied there', async () => {
  const brands = { ...pair, destination: 'busy1', entities: ['brands'] }
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toUTCString()
  const copy = (at: number, hours: number) =>
    placeOrder({ external_source: 'M-MIG', external_order_id: `source1-${at}`, date_created: hoursAgo(hours) }, 'Busy')
  for (let at = 0; at < 50; at++) await copy(at, 3)
  expect((await preflight(brands)).destinationLive).toBeNull()
  await placeOrder({ date_created: hoursAgo(2) }, 'Busy')
  expect((await preflight(brands)).destinationLive).toMatchObject({ ordersIn30Days: 1 })
  // Newer than the shop's own.
  for (let at = 50; at < 100; at++) await copy(at, 1)
  expect((await preflight(brands)).destinationLive).toMatchObject({ ordersIn30Days: 1 })
})

test('a destination that another migration will write to is named, and one that a trial run only reads is not', async () => {
  await ask('/v2/migrations', { ...pair, label: 'Spring trial', entities: ['brands'], mode: 'dry-run' })
  expect((await preflight({ ...pair, entities: ['brands'] })).destinationBusy).toBeNull()
  const { requestId } = await ask('/v2/migrations', { ...pair, label: 'Spring copy', entities: ['brands'] })
  const { destinationBusy } = await preflight({ ...pair, entities: ['brands'] })
  expect(destinationBusy).toEqual({ requestId, label: 'Spring copy' })
  const other = await preflight({ source: 'dest1', destination: 'source1', entities: ['brands'] })
  expect(other.destinationBusy).toBeNull()
})

async function placeOrder(fields: object, store = 'Destination'): Promise<void> {
  const buyer = {
    first_name: 'Robin',
    last_name: 'Sample',
    zip: '78751',
    country: 'Canada',
    email: 'robin@example.com',
  }
  const lamp = { name: 'Lamp', quantity: 1, price_ex_tax: 10, price_inc_tax: 11 }
  const answer = await fetch(`${sandbox.stores[store]?.url}/v2/orders`, {
    method: 'POST',
    headers: { 'x-auth-token': storeToken, 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ billing_address: buyer, products: [lamp], ...fields }),
  })
  expect(answer.status).toBe(200)
}
