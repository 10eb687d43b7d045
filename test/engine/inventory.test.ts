import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { startWorld, type World } from '../harness/world.ts'
import type { StoreName } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'
import { comparedWithItsPlan } from './planned.ts'

const catalogue = ['tax-classes', 'locations', 'categories', 'brands', 'products']
const entities = [...catalogue, 'inventory']
const adjusting = { method: 'PUT', path: '/v3/inventory/adjustments/absolute' } as const

/** Stock at two places; each test goes on where the one before it ended. */
let world: World
beforeAll(async () => {
  world = await startWorld({ requestTimeoutSeconds: 1, moreStores: ['second', 'third', 'fourth'] })
  const [, other] = (await world.state('source')).locations ?? []
  for (const [at, item] of (await stocked('source')).slice(0, 4).entries())
    await adjust('source', item, other?.id, 7 + at)
})
afterAll(() => world?.stop())

interface Item {
  identity: { sku: string; variant_id: number | null; product_id: number }
  locations: { location_id: number; location_code: string; total_inventory_onhand: number }[]
}

function stocked(side: StoreName): Promise<Item[]> {
  return callStore<Item[]>(world, side, 'GET', '/v3/inventory/items?limit=1000')
}

/** Names the item by its variant, and where that is refused by its product. */
async function adjust(side: StoreName, item: Item | undefined, location_id: unknown, quantity: number): Promise<void> {
  const { method, path } = adjusting
  const send = (named: object) => callStore(world, side, method, path, { items: [{ location_id, ...named, quantity }] })
  const { variant_id, product_id } = item?.identity ?? {}
  await send({ variant_id }).catch(() => send({ product_id }))
}

/** Stock as both stores would tell it: by SKU or name, and place. */
async function levels(side: StoreName): Promise<string[]> {
  const names = new Map((await world.state(side)).products?.map(({ id, name }) => [id, name]))
  const options = new Map((await world.state(side)).option_values?.map(({ id, label }) => [id, label]))
  const variants = new Map((await world.state(side)).variants?.map((row) => [row.id, row.option_values]))
  const chosen = (id: number | null) =>
    ((variants.get(id ?? 0) ?? []) as { id: number }[]).map((value) => options.get(value.id)).join('/')
  return (await stocked(side))
    .flatMap(({ identity, locations }) =>
      locations.map(({ location_id, location_code, total_inventory_onhand }) =>
        [
          names.get(identity.product_id),
          chosen(identity.variant_id),
          // Every store calls its own place as it likes.
          location_id === 1 ? 'here' : location_code,
          total_inventory_onhand,
        ].join(' | '),
      ),
    )
    .sort()
}

async function copied(settings: object = {}): Promise<MigrationDetail> {
  await world.resetRequests('destination')
  const run = await world.complete({ entities, ...settings })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  await expectCountersToEqualTheLedger(world, run.requestId)
  return run
}

const writes = async () => (await world.requests('destination')).filter(({ method }) => method !== 'GET')
const counts = async ({ requestId }: MigrationDetail) => (await counted(world, requestId)).inventory

test('B2: stock of every place is copied in as few calls as there are places, and a lost answer changes nothing', async () => {
  const fault = await world.fault('destination', { kind: 'reset_after_applying', ...adjusting, times: 1 })
  const told = await comparedWithItsPlan(world, { entities })
  expect(told).toMatchObject({ onlyPlanned: [], onlyDone: [] })
  expect((await world.faults('destination')).find(({ id }) => id === fault)?.hits).toBe(1)
  await world.clearFaults('destination')
  expect((await levels('source')).some((line) => / [7-9]$| 10$/.test(line))).toBe(true)
  expect(await levels('destination')).toEqual(await levels('source'))
})

test.each(['skip', 'update', 'replace'])('C2: a second run under %s writes nothing', async (conflictStrategy) => {
  const run = await copied({ conflictStrategy })
  expect(await writes()).toEqual([])
  const { matched, discovered } = (await counts(run)) ?? {}
  expect(matched).toBe(discovered)
})

test('D1: what was sold at the destination stays sold, unless `overwriteLiving` names the stock', async () => {
  const [sold] = await stocked('destination')
  const [, elsewhere] = sold?.locations ?? []
  await adjust('destination', sold, elsewhere?.location_id, 99)
  const before = await levels('destination')
  expect(before).not.toEqual(await levels('source'))
  for (const conflictStrategy of ['skip', 'update', 'replace']) {
    await copied({ conflictStrategy })
    expect(await levels('destination')).toEqual(before)
  }
  const { requestId } = await copied({ conflictStrategy: 'update' })
  const { differences } = await world.verify(requestId)
  expect(differences.filter(({ component }) => component === 'inventory')).toMatchObject([
    { kind: 'different', living: true, fields: [{ path: 'quantity', destination: 99 }] },
  ])
  const run = await copied({ conflictStrategy: 'update', overwriteLiving: ['inventory'] })
  expect(await counts(run)).toMatchObject({ updated: 1 })
  expect(await levels('destination')).toEqual(await levels('source'))
})

test('D1: products that a run without stock made keep what they have; those of a run with it get theirs, whoever ends it', async () => {
  await copied({ destination: 'second', entities: catalogue })
  const [item] = await stocked('second')
  await adjust('second', item, 1, 55)
  const before = await levels('second')
  const run = await copied({ destination: 'second', conflictStrategy: 'update' })
  expect(await levels('second')).toEqual(before)
  expect((await counts(run))?.created ?? 0).toBe(0)

  await world.fault('third', { kind: 'error_before_applying', ...adjusting, status: 422, times: null })
  const broken = await world.complete({ destination: 'third', entities, autoHeal: false })
  expect(broken.failuresOpen).toBeGreaterThan(0)
  await world.clearFaults('third')
  await copied({ destination: 'third' })
  expect(await levels('third')).toEqual(await levels('source'))
})

test('C4: stock of products that were there already is left alone, and told as skipped', async () => {
  const [product] = (await world.state('source')).products?.filter((one) => one.inventory_tracking === 'product') ?? []
  await callStore(world, 'fourth', 'POST', '/v3/catalog/products', {
    name: product?.name,
    type: 'physical',
    weight: 1,
    price: 1,
    sku: product?.sku,
    inventory_tracking: 'product',
    inventory_level: 4321,
  })
  const run = await copied({ destination: 'fourth' })
  expect((await levels('fourth')).filter((line) => line.endsWith('| 4321'))).toHaveLength(1)
  const { skipped = 0, created = 0, discovered = 0 } = (await counts(run)) ?? {}
  expect(skipped).toBe((await world.state('source')).locations?.length)
  expect(created + skipped).toBe(discovered)
})
