import { expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'
import { testEntityStory } from './entity-story.ts'

const locations = '/v3/inventory/locations'
const address = {
  address1: '9 Sample Street',
  city: 'Reno',
  state: 'Nevada',
  zip: '89501',
  email: 'reno@example.com',
  country_code: 'US',
  geo_coordinates: { latitude: 39.5, longitude: -119.8 },
}

testEntityStory({
  name: 'locations',
  phases: ['locations'],
  component: 'locations',
  judged: ['locations'],
  table: 'locations',
  edit: { label: 'Edited' },
  edited: ({ code }) => code === 'STORE-1',
  creation: { method: 'POST', path: `${locations}$` },
  onlyThere: (world) =>
    callStore(world, 'destination', 'POST', locations, [{ code: 'ONLY-THERE', label: 'Only there', address }]),
  // The default location is written like any other, and each store has its own address.
  arrange: async (world) => {
    const [own] = (await world.state('source')).locations ?? []
    await world.change('destination', { op: 'set', table: 'locations', id: 1, fields: { address: own?.address } })
  },
})

test('D1: the address of a location is kept while its label is corrected, unless the request says otherwise', async () => {
  const world = await aWorld()
  const firstLocation = async (side: Side) => (await world.state(side)).locations?.find(({ id }) => id === 1)
  const own = { ...address, city: 'Elsewhere' }
  await world.change('destination', {
    op: 'set',
    table: 'locations',
    id: 1,
    fields: { address: own, label: 'Edited' },
  })
  const settings = { entities: ['locations'], conflictStrategy: 'update' }
  await world.complete(settings)
  expect(await firstLocation('destination')).toMatchObject({
    address: own,
    label: (await firstLocation('source'))?.label,
  })
  await world.complete({ ...settings, overwriteLiving: ['locations'] })
  expect((await firstLocation('destination'))?.address).toEqual((await firstLocation('source'))?.address)
})

test('the default location is the copy of the default location, also while a store shows ids as texts', async () => {
  const world = await aWorld({ entities: ['locations'] })
  await world.change('source', { op: 'set', table: 'locations', id: 1, fields: { code: 'MAIN' } })
  for (const side of ['source', 'destination'] as const)
    await world.fault(side, { kind: 'ids_as_text', path: `${locations}$`, times: null })
  await world.complete({ conflictStrategy: 'replace', pruneLimitPercent: 100 })
  const codes = async (side: Side) => (await world.state(side)).locations?.map(({ id, code }) => (id === 1 ? 1 : code))
  expect(await codes('destination')).toEqual(await codes('source'))
})

/** A store's settings by group. */
async function answers(world: World, side: Side, channelId?: number): Promise<unknown[]> {
  const groups = ['catalog', 'inventory', 'email-statuses', 'storefront/seo', 'storefront/product', 'store/profile']
  const query = channelId === undefined ? '' : `?channel_id=${channelId}`
  return Promise.all(groups.map((group) => callStore(world, side, 'GET', `/v3/settings/${group}${query}`)))
}

/** A source with settings of its own, also for a channel, and a new destination. */
async function someSettings() {
  const world = await aWorld({ seeds: { source: 'awkward' } })
  await callStore(world, 'source', 'PUT', '/v3/settings/storefront/seo?channel_id=1', { page_title: 'Only here' })
  await callStore(world, 'source', 'PUT', '/v3/shipping/settings', {
    checkout: { out_of_delivery_zone_message: 'Not to you.' },
  })
  const writes = async () => (await world.requests('destination')).filter(({ method }) => method !== 'GET')
  return { world, writes }
}

const settings = { entities: ['store-settings'] }
const update = { ...settings, conflictStrategy: 'update', overwriteLiving: ['store-contacts'] }

longTest('skip leaves the settings of the whole store alone, and writes those of a channel', async () => {
  const { world } = await someSettings()
  const before = await answers(world, 'destination')
  const run = await world.complete(settings)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await answers(world, 'destination')).toEqual(before)
  const counts = await counted(world, run.requestId)
  expect(counts['store-settings']).toEqual({ discovered: 14, skipped: 14 })
  expect(counts['channel-settings']).toEqual({ discovered: 1, created: 1 })
  expect(await answers(world, 'destination', 1)).toEqual(await answers(world, 'source', 1))
})

longTest(
  'F2, C2: update writes only the groups of settings that differ, as a dry run foretells, and a second run writes nothing',
  async () => {
    const { world, writes } = await someSettings()
    const dry = await world.complete({ ...update, mode: 'dry-run' })
    expect(dry).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await writes()).toEqual([])
    const run = await world.complete(update)
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await counted(world, dry.requestId)).toEqual(await counted(world, run.requestId))
    expect((await counted(world, run.requestId))['store-settings']?.updated).toBeGreaterThan(0)
    expect(await answers(world, 'destination')).toEqual(await answers(world, 'source'))
    const paths = (await writes()).map(({ method, path }) => `${method} ${path}`)
    expect(paths).toContain('PUT /v3/shipping/settings')
    expect(paths).not.toContain('PUT /v3/settings/inventory')
    await world.resetRequests('destination')
    await world.complete(update)
    expect(await writes()).toEqual([])
  },
)

longTest('F1: verify reports which settings differ, but not the values of contact details', async () => {
  const { world } = await someSettings()
  const run = await world.complete(update)
  await callStore(world, 'destination', 'PUT', '/v3/settings/catalog', { enable_product_comparisons: true })
  await callStore(world, 'destination', 'PUT', '/v3/settings/store/profile', { store_phone: '555-0199' })
  const { differences } = await world.verify(run.requestId)
  expect(differences.map(({ component, fields }) => [component, fields])).toEqual([
    ['store-settings', [{ path: 'enable_product_comparisons', source: false, destination: true }]],
    ['store-contacts', [{ path: 'store_phone', source: null, destination: null }]],
  ])
  await world.complete(update)
  expect((await world.verify(run.requestId)).differences).toEqual([])
})

longTest(
  'D1: the store’s name and email address are kept while the rest of its profile is corrected, unless the request says otherwise',
  async () => {
    const { world } = await someSettings()
    const own = { store_name: 'Destination', store_email: 'office@destination.example' }
    await callStore(world, 'destination', 'PUT', '/v3/settings/store/profile', { ...own, store_phone: '555-0142' })
    await world.complete({ ...settings, conflictStrategy: 'update' })
    const profile = (side: Side) => callStore(world, side, 'GET', '/v3/settings/store/profile')
    expect(await profile('destination')).toEqual({ ...(await profile('source')), ...own })
    await world.complete(update)
    expect(await profile('destination')).toEqual(await profile('source'))
  },
)

longTest('B3: a lost answer to a write of settings neither fails the run nor leaves a difference', async () => {
  const { world } = await someSettings()
  await callStore(world, 'destination', 'PUT', '/v3/settings/catalog', { enable_product_comparisons: true })
  const lost = { kind: 'reset_after_applying', method: 'PUT', path: '/settings/catalog$', times: 1 } as const
  await world.fault('destination', lost)
  expect(await world.complete(update)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([1])
  expect(await answers(world, 'destination')).toEqual(await answers(world, 'source'))
})

/** Both stores have the storefront `Outlet`, with ids of their own. */
async function twoStorefronts() {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts', destination: 'tiny-two-storefronts' } })
  const outlet = async (side: Side) =>
    (await world.state(side)).channels?.find(({ name }) => name === 'Outlet')?.id ?? 0
  return { world, here: await outlet('source'), there: await outlet('destination') }
}

longTest('D3: a storefront run leaves the settings of the store and of other storefronts alone', async () => {
  const { world, here, there } = await twoStorefronts()
  await callStore(world, 'destination', 'PUT', '/v3/settings/catalog', { enable_product_comparisons: false })
  const category = '/v3/settings/storefront/category?channel_id='
  for (const id of [1, there])
    await callStore(world, 'destination', 'PUT', `${category}${id}`, { default_product_sort: 'alphadesc' })
  const pair = { sourceStorefront: String(here), destStorefront: String(there) }
  const run = await world.complete({ ...settings, conflictStrategy: 'update', ...pair })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await callStore(world, 'destination', 'GET', '/v3/settings/catalog')).toMatchObject({
    enable_product_comparisons: false,
  })
  expect(await answers(world, 'destination', there)).toEqual(await answers(world, 'source', here))
  expect(await callStore(world, 'destination', 'GET', `${category}1`)).toMatchObject({
    default_product_sort: 'alphadesc',
  })
})

longTest('skip leaves the currencies of channels alone, and update writes them', async () => {
  const { world, here, there } = await twoStorefronts()
  const currenciesThere = () => callStore(world, 'destination', 'GET', `/v3/channels/${there}/currency-assignments`)
  const scope = { entities: ['currencies', 'channel-currencies'] }
  const own = { enabled_currencies: ['USD', 'EUR'], default_currency: 'USD' }
  await callStore(world, 'source', 'PUT', `/v3/channels/${here}/currency-assignments`, own)
  await world.complete(scope)
  expect(await currenciesThere()).toMatchObject({ enabled_currencies: ['USD'] })
  await world.complete({ ...scope, conflictStrategy: 'update' })
  expect(await currenciesThere()).toMatchObject(own)
  await world.resetRequests('destination')
  await world.complete({ ...scope, conflictStrategy: 'update' })
  expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
})

longTest('settings and currencies of a channel without a counterpart are reported as not copied', async () => {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' } })
  const run = await world.complete({ entities: ['store-settings', 'channel-currencies'] })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const reported = (await world.findings(run.requestId)).filter(({ code }) => code === 'not_copied')
  expect(Object.fromEntries(Map.groupBy(reported, ({ component }) => component).entries())).toEqual({
    'channel-settings': expect.objectContaining({ length: 3 }),
    'channel-contacts': expect.objectContaining({ length: 1 }),
    'channel-currencies': expect.objectContaining({ length: 1 }),
  })
})

test('the password of a storefront before its launch stays at the destination, whatever else of its status is written', async () => {
  const world = await aWorld()
  const path = '/v3/settings/storefront/status?channel_id=1'
  const messages = async () => callStore(world, 'destination', 'GET', path)
  await callStore(world, 'source', 'PUT', path, { prelaunch_message: 'Soon', prelaunch_password: 'ours' })
  await callStore(world, 'destination', 'PUT', path, { prelaunch_password: 'theirs' })
  await world.complete(settings)
  expect(await messages()).toMatchObject({ prelaunch_message: 'Soon', prelaunch_password: 'theirs' })
  await callStore(world, 'source', 'PUT', path, { prelaunch_message: 'Very soon', prelaunch_password: 'ours' })
  await world.complete({ ...settings, conflictStrategy: 'update' })
  expect(await messages()).toMatchObject({ prelaunch_message: 'Very soon', prelaunch_password: 'theirs' })
})
