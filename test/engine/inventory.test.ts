import { expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { isLong, longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { StoreName } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'
import { comparedWithItsPlan } from './planned.ts'

const catalogue = ['tax-classes', 'locations', 'categories', 'brands', 'products']
const adjusting = { method: 'PUT', path: '/v3/inventory/adjustments/absolute' } as const

interface Item {
  identity: { sku: string; variant_id: number | null; product_id: number }
  locations: { location_id: number; location_code: string; total_inventory_onhand: number }[]
}

/** A source with stock of some items at two locations. */
async function aWorldWithStock(): Promise<World> {
  const entities = [...catalogue, 'inventory']
  const world = await aWorld({ entities, requestTimeoutSeconds: 1 })
  const [, other] = (await world.state('source')).locations ?? []
  for (const [at, item] of (await stocked(world, 'source')).slice(0, 4).entries())
    await adjust(world, 'source', item, other?.id, 7 + at)
  return world
}

function stocked(world: World, side: StoreName): Promise<Item[]> {
  return callStore<Item[]>(world, side, 'GET', '/v3/inventory/items?limit=1000')
}

/** Names the item by its variant, or by its product where that is refused. */
async function adjust(
  world: World,
  side: StoreName,
  item: Item | undefined,
  location_id: unknown,
  quantity: number,
): Promise<void> {
  const { method, path } = adjusting
  const send = (named: object) => callStore(world, side, method, path, { items: [{ location_id, ...named, quantity }] })
  const { variant_id, product_id } = item?.identity ?? {}
  await send({ variant_id }).catch(() => send({ product_id }))
}

/** Stock by product, options and location, in names that both stores share. */
async function levels(world: World, side: StoreName): Promise<string[]> {
  const { products = [], option_values = [], variants = [] } = await world.state(side)
  const names = new Map(products.map(({ id, name }) => [id, name]))
  const options = new Map(option_values.map(({ id, label }) => [id, label]))
  const valuesOf = new Map(variants.map((row) => [row.id, row.option_values]))
  const chosen = (id: number | null) =>
    ((valuesOf.get(id ?? 0) ?? []) as { id: number }[]).map((value) => options.get(value.id)).join('/')
  return (await stocked(world, side))
    .flatMap(({ identity, locations }) =>
      locations.map(({ location_id, location_code, total_inventory_onhand }) =>
        [
          names.get(identity.product_id),
          chosen(identity.variant_id),
          // Every store has its own name for its location.
          location_id === 1 ? 'here' : location_code,
          total_inventory_onhand,
        ].join(' | '),
      ),
    )
    .sort()
}

async function copied(world: World, settings: object = {}): Promise<MigrationDetail> {
  await world.resetRequests('destination')
  const run = await world.complete(settings)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  await expectCountersToEqualTheLedger(world, run.requestId)
  return run
}

const writes = async (world: World) => (await world.requests('destination')).filter(({ method }) => method !== 'GET')
const counts = async (world: World, { requestId }: MigrationDetail) => (await counted(world, requestId)).inventory

longTest(
  'B2, C2: stock of all locations is copied in one call and one more for a lost answer, and a second run writes nothing',
  async () => {
    const world = await aWorldWithStock()
    const fault = await world.fault('destination', { kind: 'reset_after_applying', ...adjusting, times: 1 })
    expect(await comparedWithItsPlan(world, {})).toMatchObject({ onlyPlanned: [], onlyDone: [] })
    expect((await world.faults('destination')).find(({ id }) => id === fault)?.hits).toBe(1)
    const calls = (await world.requests('destination', 'PUT')).filter(({ path }) => path === adjusting.path)
    // Levels are absolute, so the call whose answer was lost is sent again.
    expect((await world.state('source')).locations?.length).toBeGreaterThan(1)
    expect(calls).toHaveLength(2)
    expect((await levels(world, 'source')).some((line) => / [7-9]$| 10$/.test(line))).toBe(true)
    expect(await levels(world, 'destination')).toEqual(await levels(world, 'source'))
    for (const conflictStrategy of isLong ? ['skip', 'update', 'replace'] : ['update']) {
      const run = await copied(world, { conflictStrategy })
      expect(await writes(world)).toEqual([])
      const { matched, discovered } = (await counts(world, run)) ?? {}
      expect(matched).toBe(discovered)
    }
  },
)

longTest('D1: stock sold at the destination stays sold, unless `overwriteLiving` names the component', async () => {
  const world = await aWorldWithStock()
  await world.complete()
  const [sold] = await stocked(world, 'destination')
  const [, elsewhere] = sold?.locations ?? []
  await adjust(world, 'destination', sold, elsewhere?.location_id, 99)
  const before = await levels(world, 'destination')
  expect(before).not.toEqual(await levels(world, 'source'))
  for (const conflictStrategy of isLong ? ['skip', 'replace', 'update'] : ['replace', 'update']) {
    await copied(world, { conflictStrategy })
    expect(await levels(world, 'destination')).toEqual(before)
  }
  const { requestId } = await copied(world, { conflictStrategy: 'update', entities: ['inventory'] })
  const { differences } = await world.verify(requestId)
  expect(differences.filter(({ component }) => component === 'inventory')).toMatchObject([
    { kind: 'different', living: true, fields: [{ path: 'quantity', destination: 99 }] },
  ])
  const run = await copied(world, { conflictStrategy: 'update', overwriteLiving: ['inventory'] })
  expect(await counts(world, run)).toMatchObject({ updated: 1 })
  expect(await levels(world, 'destination')).toEqual(await levels(world, 'source'))
})

longTest('D1: products created by a run without stock keep their levels in a later run with stock', async () => {
  const world = await aWorldWithStock()
  await copied(world, { entities: catalogue })
  const [item] = await stocked(world, 'destination')
  await adjust(world, 'destination', item, 1, 55)
  const before = await levels(world, 'destination')
  const run = await copied(world, { conflictStrategy: 'update' })
  expect(await levels(world, 'destination')).toEqual(before)
  expect((await counts(world, run))?.created ?? 0).toBe(0)
})

longTest(
  'D1: products created by a run with stock get it from the next run if the platform refused it at first',
  async () => {
    const world = await aWorldWithStock()
    await world.fault('destination', { kind: 'error_before_applying', ...adjusting, status: 422, times: null })
    const refused = await world.complete({ autoHeal: false })
    expect(refused.failuresOpen).toBeGreaterThan(0)
    expect(await levels(world, 'destination')).not.toEqual(await levels(world, 'source'))
    await world.clearFaults('destination')
    await copied(world)
    expect(await levels(world, 'destination')).toEqual(await levels(world, 'source'))
  },
)

test('F1: what the source has sold more of than it had is copied with a level of 0, verify finds it equal, and a second run writes nothing', async () => {
  const world = await aWorld({ entities: [...catalogue, 'inventory'] })
  const { products = [], variants = [] } = await world.state('source')
  const oversell = async (tracking: string) => {
    const product = products.find(({ inventory_tracking }) => inventory_tracking === tracking)
    const own = variants.filter(({ product_id }) => product_id === product?.id)
    const change = (table: string, id: unknown) =>
      world.change('source', { op: 'set', table, id: Number(id), fields: { inventory_level: -3 } })
    if (tracking === 'product') await change('products', product?.id)
    for (const { id } of own.slice(0, 2)) await change('variants', id)
  }
  await oversell('product')
  await oversell('variant')
  expect((await levels(world, 'source')).filter((line) => line.endsWith('| -3'))).toHaveLength(3)
  const run = await copied(world)
  expect(await levels(world, 'destination')).toEqual(
    (await levels(world, 'source')).map((line) => line.replace('| -3', '| 0')).sort(),
  )
  expect((await world.verify(run.requestId)).differences).toEqual([])
  await copied(world, { conflictStrategy: 'update', overwriteLiving: ['inventory', 'products', 'product-variants'] })
  expect(await writes(world)).toEqual([])
})

test('D1: stock that is no longer counted at the destination, or that belonged to a deleted variant, is left alone', async () => {
  const world = await aWorldWithStock()
  await world.complete()
  const items = await stocked(world, 'destination')
  const products = Map.groupBy(items, ({ identity }) => identity.product_id)
  const [several, other] = [...products].filter(([, rows]) => rows.length > 1)
  const [uncounted, [deleted]] = [several?.[0], other?.[1] ?? []]
  const path = '/v3/catalog/products'
  await callStore(world, 'destination', 'PUT', `${path}/${uncounted}`, { inventory_tracking: 'none' })
  const { product_id, variant_id } = deleted?.identity ?? {}
  await callStore(world, 'destination', 'DELETE', `${path}/${product_id}/variants/${variant_id}`)
  const before = await levels(world, 'destination')
  const run = await copied(world)
  expect(await levels(world, 'destination')).toEqual(before)
  expect(await world.issues(run.requestId)).toEqual([])
  const { locations = [] } = await world.state('source')
  expect((await counts(world, run))?.skipped).toBe(((several?.[1].length ?? 0) + 1) * locations.length)
  // What was deleted comes back with all of its stock.
  await copied(world, { conflictStrategy: 'update' })
  expect(await levels(world, 'destination')).toEqual(await levels(world, 'source'))
})

test('D1: stock of products that existed at the destination before is left alone and counted as skipped', async () => {
  const world = await aWorldWithStock()
  const { products = [], locations = [] } = await world.state('source')
  const product = products.find((one) => one.inventory_tracking === 'product')
  await callStore(world, 'destination', 'POST', '/v3/catalog/products', {
    name: product?.name,
    type: 'physical',
    weight: 1,
    price: 1,
    sku: product?.sku,
    inventory_tracking: 'product',
    inventory_level: 4321,
  })
  const run = await copied(world)
  expect((await levels(world, 'destination')).filter((line) => line.endsWith('| 4321'))).toHaveLength(1)
  const { skipped = 0, created = 0, discovered = 0 } = (await counts(world, run)) ?? {}
  expect(skipped).toBe(locations.length)
  expect(created + skipped).toBe(discovered)
})

test('D1, F2: stock of products that a run without stock has copied is left alone at a location that is copied later, as the dry run said', async () => {
  const world = await aWorldWithStock()
  await copied(world, { entities: ['categories', 'brands', 'products'] })
  const dry = await copied(world, { mode: 'dry-run' })
  const run = await copied(world)
  expect((await counts(world, run))?.skipped).toBeGreaterThan(0)
  expect(await counts(world, dry)).toEqual(await counts(world, run))
})

test('D1, F2: `skip` sets the stock of products that it has copied at a location that the source has opened since, as its dry run said', async () => {
  const world = await aWorldWithStock()
  await copied(world)
  const { id: _id, ...other } = (await world.state('source')).locations?.at(-1) ?? {}
  const opened = { ...other, code: 'OPENED', label: 'Opened since' }
  await callStore(world, 'source', 'POST', '/v3/inventory/locations', [opened])
  const location = (await world.state('source')).locations?.find(({ code }) => code === 'OPENED')
  for (const item of (await stocked(world, 'source')).slice(0, 3)) await adjust(world, 'source', item, location?.id, 5)
  const { onlyPlanned, onlyDone } = await comparedWithItsPlan(world, {})
  expect({ onlyPlanned, onlyDone }).toEqual({ onlyPlanned: [], onlyDone: [] })
  expect(await levels(world, 'destination')).toEqual(await levels(world, 'source'))
})

test('D1: stock that both shops began to count after the product was copied is left as the destination has it', async () => {
  const world = await aWorldWithStock()
  const untracked = (await world.state('source')).products?.filter((one) => one.inventory_tracking === 'none') ?? []
  const [own, none] = untracked.map(({ name }) => String(name))
  await copied(world)
  const count = async (side: StoreName, name: string | undefined, inventory_level: number) => {
    const product = (await world.state(side)).products?.find((one) => one.name === name)
    const counted = { inventory_tracking: 'product', inventory_level }
    await callStore(world, side, 'PUT', `/v3/catalog/products/${product?.id}`, counted)
  }
  for (const name of [own, none]) await count('source', name, 7)
  await count('destination', own, 50)
  await count('destination', none, 0)
  const here = async (name: string | undefined) =>
    (await levels(world, 'destination')).filter((line) => line.startsWith(`${name} |`) && line.includes('| here |'))
  for (const conflictStrategy of isLong ? ['skip', 'update', 'replace'] : ['skip', 'update']) {
    const run = await copied(world, { conflictStrategy })
    expect(await world.issues(run.requestId)).toEqual([])
    expect(await here(own)).toEqual([expect.stringMatching(/ 50$/)])
    // Where the destination has none, nothing of its own is overwritten.
    expect(await here(none)).toEqual([expect.stringMatching(/ 7$/)])
  }
})

test.each([
  'created',
  'found there',
])('D1: stock of a product that the migration has %s and only the source counts by now is left out by `skip`, and set by `update`', async (what) => {
  const world = await aWorldWithStock()
  const product = (await world.state('source')).products?.find((one) => one.inventory_tracking === 'none')
  const { name, sku } = product as unknown as { name: string; sku: string }
  const body = { name, sku, type: 'physical', weight: 1, price: 1 }
  if (what === 'found there') await callStore(world, 'destination', 'POST', '/v3/catalog/products', body)
  await copied(world)
  const counting = { inventory_tracking: 'product', inventory_level: 7 }
  await callStore(world, 'source', 'PUT', `/v3/catalog/products/${product?.id}`, counting)
  const there = async () =>
    (await levels(world, 'destination')).filter((line) => line.startsWith(`${name} |`) && line.includes('| here |'))
  const skipped = await copied(world)
  expect(await world.issues(skipped.requestId)).toEqual([])
  expect(await there()).toEqual([])
  await copied(world, { conflictStrategy: 'update' })
  expect(await there()).toEqual([expect.stringMatching(/ 7$/)])
})

test('D1: stock of a variant that a copied product has gained in the source waits for the variant, which `skip` does not copy', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products', 'inventory'] })
  const call = <Data = { id: number }>(method: string, path: string, body?: object) =>
    callStore<Data>(world, 'source', method, path, body)
  const shirt = { name: 'Shirt', type: 'physical', weight: 1, price: 1, inventory_tracking: 'variant' }
  const red = { sku: 'RED', inventory_level: 4, option_values: [{ option_display_name: 'Colour', label: 'Red' }] }
  const { id } = await call('POST', '/v3/catalog/products', { ...shirt, variants: [red] })
  await copied(world)
  const [option] = await call<{ id: number }[]>('GET', `/v3/catalog/products/${id}/options`)
  const value = await call('POST', `/v3/catalog/products/${id}/options/${option?.id}/values`, { label: 'Blue' })
  const blue = { sku: 'BLUE', inventory_level: 7, option_values: [{ option_id: option?.id, id: value.id }] }
  await call('POST', `/v3/catalog/products/${id}/variants`, blue)
  const run = await copied(world)
  expect(await counts(world, run)).toEqual({ discovered: 2, matched: 1, skipped: 1 })
  await copied(world, { conflictStrategy: 'update' })
  expect(await levels(world, 'destination')).toEqual(await levels(world, 'source'))
})

interface Variant {
  id: number
  option_values: { id: number; option_id: number }[]
}

/** A copied shirt in two colours, of which the destination has sold one red piece since. */
async function aShirtOnSale(settings: object = {}) {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products', 'inventory'] })
  const call = <Data = { id: number }>(method: string, path: string, body?: object) =>
    callStore<Data>(world, 'source', method, `/v3/catalog/products${path}`, body)
  const variants = ['Red', 'Blue'].map((label, at) => ({
    sku: label.toUpperCase(),
    inventory_level: 4 + at,
    option_values: [{ option_display_name: 'Colour', label }],
  }))
  const shirt = { name: 'Shirt', type: 'physical', weight: 1, price: 1, inventory_tracking: 'variant', variants }
  const { id } = await call('POST', '', shirt)
  await copied(world, settings)
  const [red, blue] = (await call<Variant[]>('GET', `/${id}/variants`)) as [Variant, Variant]
  const there = (await stocked(world, 'destination')).find(({ identity }) => identity.sku === 'RED')
  await adjust(world, 'destination', there, 1, 3)
  await call('DELETE', `/${id}/variants/${red.id}`)
  const rename = ({ option_values: [of] }: Variant, label: string) =>
    call('PUT', `/${id}/options/${of?.option_id}/values/${of?.id}`, { label })
  const copyOfRed = async () => (await levels(world, 'destination')).find((line) => line.includes('| Red | here |'))
  return { world, call, path: `/${id}/variants`, red, blue, rename, copyOfRed }
}

test('B6, D1: a variant that takes over the copy of one that the source has deleted leaves its stock as the shop has it', async () => {
  const { world, red, blue, rename, copyOfRed } = await aShirtOnSale()
  await rename(blue, 'Neither')
  await rename(red, 'Blue')
  await rename(blue, 'Red')
  for (const _twice of [1, 2]) {
    await copied(world, { conflictStrategy: 'replace', pruneLimitPercent: 100 })
    expect(await copyOfRed()).toMatch(/ 3$/)
  }
  expect(await writes(world)).toEqual([])
})

test.each([
  ['update', {}],
  ['replace', {}],
  ['update', { entities: ['products'] }],
])('B6, D1: under `%s`, so does a variant that the source has deleted and made again (first copied with %o)', async (conflictStrategy, settings) => {
  const { world, call, path, red, copyOfRed } = await aShirtOnSale(settings)
  const [value] = red.option_values
  const again = {
    sku: 'RED AGAIN',
    inventory_level: 9,
    option_values: [{ option_id: value?.option_id, id: value?.id }],
  }
  await call('POST', path, again)
  for (const _twice of [1, 2]) {
    await copied(world, { conflictStrategy, pruneLimitPercent: 100 })
    expect(await copyOfRed()).toMatch(/ 3$/)
  }
  expect(await writes(world)).toEqual([])
  await copied(world, { conflictStrategy, overwriteLiving: ['inventory'] })
  expect(await levels(world, 'destination')).toEqual(await levels(world, 'source'))
})
