import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entities } from '../../src/entities/registry.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { until } from '../harness/until.ts'
import { startWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'

/**
 * Both stores have the same things under other ids, as if somebody had copied them by hand. Orders are left out: one that no copy
 * made is nobody's counterpart (B7; orders.test.ts).
 */
let world: World
beforeAll(async () => {
  world = await startWorld({
    seeds: { source: 'tiny', destination: 'tiny' },
    entities: entities.map(({ key }) => key).filter((key) => key !== 'orders'),
  })
})
afterAll(() => world?.stop())

const aProduct = (name: string, sku: string) => ({ name, sku, type: 'physical', weight: 1, price: 10 })

async function plant(side: 'source' | 'destination', name: string, sku: string): Promise<string> {
  const { id } = await callStore<{ id: number }>(world, side, 'POST', '/v3/catalog/products', aProduct(name, sku))
  return String(id)
}

async function writesSeen(): Promise<string[]> {
  const requests = await world.requests('destination')
  return requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)
}

test('B6: a destination that has everything is adopted one to one, counts skipped and is not written to', async () => {
  await world.resetRequests('destination')
  const run = await world.complete()
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await writesSeen()).toEqual([])
  for (const [component, { discovered, ...counts }] of Object.entries(await counted(world, run.requestId)))
    expect(counts, component).toEqual({ skipped: discovered })
  await expectCountersToEqualTheLedger(world, run.requestId)
  const { rows } = await sql<{ component: string; items: number; counterparts: number }>`
    select component, count(*)::integer as items, count(distinct destination_id)::integer as counterparts from mappings
    where origin = 'adopted' and component in ('brands', 'categories', 'products') group by 1 order by 1`.execute(
    world.database,
  )
  expect(rows).toEqual([
    { component: 'brands', items: 4, counterparts: 4 },
    { component: 'categories', items: 6, counterparts: 6 },
    { component: 'products', items: 12, counterparts: 12 },
  ])
})

test('B6: the same name with another SKU is a conflict, never the same product', async () => {
  const id = await plant('source', 'Field Lamp', 'LAMP-1')
  const other = await plant('destination', 'Field Lamp', 'LAMP-2')
  await world.resetRequests('destination')
  const run = await world.complete()
  expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
  expect(await world.issues(run.requestId)).toMatchObject([
    { code: 'natural_key_conflict', severity: 'failure', item: { sourceId: id, sku: 'LAMP-1' }, destinationId: other },
  ])
  expect(await writesSeen()).toEqual([])
  await expectCountersToEqualTheLedger(world, run.requestId)
  await callStore(world, 'source', 'DELETE', `/v3/catalog/products/${id}`)
})

test('B6: of two source items that would be the same destination item the second is a collision naming both', async () => {
  const first = await plant('source', 'Canvas Bag', 'BAG-1')
  const second = await plant('source', 'Leather Bag', '')
  const standing = await plant('destination', 'Leather Bag', 'BAG-1')
  const run = await world.complete()
  expect(run.status).toBe('partial_completed')
  const [issue, ...others] = await world.issues(run.requestId)
  expect(others).toEqual([])
  expect(issue).toMatchObject({ code: 'natural_key_collision', item: { sourceId: second }, destinationId: standing })
  expect(issue?.message).toContain(first)
  await expectCountersToEqualTheLedger(world, run.requestId)
  await callStore(world, 'source', 'DELETE', `/v3/catalog/products/${second}`)
})

test('B6: an item that comes to be while the run is under way is adopted after the 409 and counts skipped', async () => {
  const id = await plant('source', 'Oak Stool', 'STOOL-1')
  const late = await plant('source', 'Pine Stool', 'STOOL-2')
  const creation = { method: 'POST', path: '/v3/catalog/products$' }
  await world.fault('destination', { kind: 'slow', ...creation, body: '"STOOL-2"', seconds: 1 })
  await world.resetRequests('destination')
  const started = await world.migrate()
  // Both are on their way; before the second is applied, somebody else makes the same.
  await until(
    'both were sent',
    async () => (await writesSeen()).filter((call) => /POST .*products$/.test(call)).length === 2,
  )
  const standing = await plant('destination', 'Pine Stool', 'STOOL-2')
  const run = await world.finished(started)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await counted(world, run.requestId)).toMatchObject({ products: { created: 1, skipped: 14 } })
  const { rows } =
    await sql`select source_id, destination_id, origin from mappings where component = 'products' and source_id = any(${[id, late]}) order by source_id`.execute(
      world.database,
    )
  expect(rows).toMatchObject([
    { source_id: id, origin: 'created' },
    { source_id: late, destination_id: standing, origin: 'adopted' },
  ])
  await expectCountersToEqualTheLedger(world, run.requestId)
})

test('D2: under skip nothing is added to a product that was adopted, metafields neither', async () => {
  const id = await plant('source', 'Wool Rug', 'RUG-1')
  await callStore(world, 'source', 'POST', `/v3/catalog/products/${id}/metafields`, {
    namespace: 'specs',
    key: 'pile',
    value: '9 mm',
    permission_set: 'write',
  })
  const standing = await plant('destination', 'Wool Rug', 'RUG-1')
  const run = await world.complete()
  expect(run.status).toBe('completed')
  expect(
    (await world.state('destination')).product_metafields?.filter(
      ({ resource_id }) => String(resource_id) === standing,
    ),
  ).toEqual([])
})

test('B6: a new promotion finds the variants of products that were there before, and is switched on', async () => {
  const like = (await world.state('source')).promotions?.find(({ rules }) => JSON.stringify(rules).includes('variants'))
  const { id } = await world.change('source', { op: 'double', table: 'promotions', id: Number(like?.id) })
  const fields = { name: 'Names a variant', status: 'ENABLED' }
  await world.change('source', { op: 'set', table: 'promotions', id: Number(id), fields })
  const run = await world.complete({ entities: ['promotions'] })
  expect(await world.issues(run.requestId)).toEqual([])
  const copy = (await world.state('destination')).promotions?.find(({ name }) => name === fields.name)
  expect(copy).toMatchObject({ status: 'ENABLED' })
  expect(
    compareStores(await world.state('source'), await world.state('destination')).filter(
      ({ entity }) => entity === 'promotions',
    ),
  ).toEqual([])
})
