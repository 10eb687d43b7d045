import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'

const path = '/v3/customers/settings'
const entities = ['customer-settings']
const update = { entities, conflictStrategy: 'update' }

/** Two storefronts, of which the destination has the first; groups that have other ids there. */
let world: World
let outlet: number
beforeAll(async () => {
  world = await startWorld({ seeds: { source: 'tiny-two-storefronts' } })
  outlet = (await world.state('source')).channels?.find(({ name }) => name === 'Outlet')?.id ?? 0
  await callStore(world, 'source', 'PUT', path, {
    privacy_settings: { ask_shopper_for_tracking_consent: true, policy_url: '/privacy' },
    customer_group_settings: { guest_customer_group_id: await group('source', 0), default_customer_group_id: 0 },
  })
  await callStore(world, 'source', 'PUT', `${path}/channels/1`, {
    customer_group_settings: { default_customer_group_id: await group('source', 1) },
    allow_global_logins: false,
  })
})
afterAll(() => world?.stop())

const groups = async (side: Side) => (await world.state(side)).customer_groups ?? []
const group = async (side: Side, nth: number) => (await groups(side))[nth]?.id
const said = (side: Side, at = '') => callStore(world, side, 'GET', `${path}${at}`)
const writes = async () =>
  (await world.requests('destination'))
    .filter(({ method }) => method !== 'GET')
    .map((one) => `${one.method} ${one.path}`)
/** Of a group of the source, what it is called like at the destination. */
const twin = async (nth: number) => {
  const name = (await groups('source'))[nth]?.name
  return (await groups('destination')).find((one) => one.name === name)?.id ?? -1
}

test('skip leaves alone what every store has; what a channel that is missing says is told', async () => {
  const before = await said('destination')
  const run = await world.complete({ entities })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await said('destination')).toEqual(before)
  const told = (await world.findings(run.requestId)).filter(
    ({ component }) => component === 'channel-customer-settings',
  )
  expect(told.map(({ code, item }) => `${code} ${item.sourceId}`)).toEqual([`not_copied ${outlet}/customers`])
})

test('C4: groups that were not copied are left out with a warning, and nothing else', async () => {
  const run = await world.complete(update)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const told = (await world.issues(run.requestId)).map(({ code, component }) => `${code} ${component}`).sort()
  expect(told).toEqual(['reference_left_out channel-customer-settings', 'reference_left_out customer-settings'])
  expect(await said('destination')).toMatchObject({
    privacy_settings: { ask_shopper_for_tracking_consent: true, policy_url: '/privacy' },
    customer_group_settings: { guest_customer_group_id: 0 },
  })
})

test('F2: a dry run foretells the corrections and writes nothing', async () => {
  await world.complete({ entities: ['price-lists', 'customer-groups'] })
  await world.resetRequests('destination')
  const run = await world.complete({ ...update, mode: 'dry-run' })
  expect(await writes()).toEqual([])
  expect(await counted(world, run.requestId)).toMatchObject({
    'customer-settings': { updated: 1 },
    'channel-customer-settings': { updated: 1, skipped: 1 },
  })
})

test('update names the same groups under the ids they have there; a second one writes nothing', async () => {
  await world.resetRequests('destination')
  expect(await world.complete(update)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await writes()).sort()).toEqual([`PUT ${path}`, `PUT ${path}/channels/1`])
  const groupOf = { guest_customer_group_id: await twin(0), default_customer_group_id: 0 }
  expect(await said('destination')).toMatchObject({ customer_group_settings: groupOf })
  expect(await said('destination', '/channels/1')).toMatchObject({
    privacy_settings: { policy_url: null },
    customer_group_settings: { guest_customer_group_id: null, default_customer_group_id: await twin(1) },
    allow_global_logins: false,
  })
  await world.resetRequests('destination')
  await world.complete(update)
  expect(await writes()).toEqual([])
})

test('F1: verify tells which of them differ', async () => {
  const run = await world.complete(update)
  await callStore(world, 'destination', 'PUT', path, { privacy_settings: { policy_url: '/other' } })
  await callStore(world, 'destination', 'PUT', `${path}/channels/1`, { allow_global_logins: true })
  const { differences } = await world.verify(run.requestId)
  const fields = differences.map((one) => `${one.component} ${one.fields.map((field) => field.path)}`).sort()
  expect(fields).toEqual([
    // That of the storefront which is missing.
    'channel-customer-settings ',
    'channel-customer-settings allow_global_logins',
    'customer-settings privacy_settings',
  ])
})

test('F6: where shoppers are asked for consent a copy of customers is told that their answers stay behind', async () => {
  const told = async (entities: string[], customerConsent = false) => {
    const run = await world.complete({ entities, customerConsent, mode: 'dry-run' })
    return (await world.findings(run.requestId)).filter(({ item }) => item.sourceId === 'consents').length
  }
  expect(await told(['customers'])).toBe(1)
  expect(await told(['customers'], true)).toBe(0)
  expect(await told(['subscribers'])).toBe(0)
})

test('D3: a run over one storefront leaves the settings of the store alone', async () => {
  const pair = { sourceStorefront: String(outlet), destStorefront: '1' }
  await world.resetRequests('destination')
  expect(await world.complete({ ...update, ...pair })).toMatchObject({ status: 'completed' })
  expect(await writes()).toEqual([`PUT ${path}/channels/1`])
  expect(await said('destination', '/channels/1')).toEqual(await said('source', `/channels/${outlet}`))
})
