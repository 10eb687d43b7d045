import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { aWorld } from '../harness/world.ts'
import type { Mutation } from './mutations.ts'
import { aCopiedStore } from './planting.ts'

/** All that fit into this many rounds, which is most; the long form tests each one alone. */
const atOnce = { fieldsAtOnce: Number.POSITIVE_INFINITY, rounds: 2 }

const tablesOf = (mutations: Mutation[]) =>
  new Set(mutations.flatMap(({ changes }) => changes.map(({ table }) => table)))

longTest(
  'a copy equals its store; exactly the planted changes of each table, the duplicated and the removed rows are found',
  async () => {
    const store = await aCopiedStore()
    expect(await store.judged()).toEqual({ findings: [], differences: [] })
    const ofFields = store.mutations.ofFields()
    const planted = await store.expectEachToBeFound(ofFields, atOnce)
    expect(tablesOf(planted)).toEqual(tablesOf(ofFields))
    const titles = planted.map(({ title }) => title)
    expect(titles).toContainEqual(expect.stringContaining('set product_categories.sort_order'))
    await store.expectEachToBeFound(store.mutations.ofDoubles())
    await store.expectRemovalsToBeFound()
  },
)

test('D1: verify marks changed stock as destination-owned, but not a changed field of a brand', async () => {
  const world = await aWorld({ entities: ['locations', 'categories', 'brands', 'products', 'inventory'] })
  const { requestId } = await world.complete()
  const { products = [], variants = [], brands = [] } = await world.state('destination')
  const set = (table: string, id = 0, fields: Record<string, unknown>) =>
    world.change('destination', { op: 'set', table, id, fields })
  await set('products', products.find((row) => row.inventory_tracking === 'product')?.id, { inventory_level: 71 })
  await set('variants', variants[0]?.id, { inventory_level: 72 })
  await set('brands', brands[0]?.id, { page_title: 'Other' })
  const { detail } = await world.verify(requestId)
  const { rows } = await sql<{ component: string; living: boolean }>`
    select distinct component, living from differences where run_id = ${detail.requestId} and component <> 'locations'
    order by component`.execute(world.database)
  expect(rows).toEqual([
    { component: 'brands', living: false },
    // Stock at the default location is the stock of the catalogue.
    { component: 'inventory', living: true },
    { component: 'product-variants', living: true },
    { component: 'products', living: true },
  ])
  expect(detail.counters).toMatchObject({ failed: 0, skipped: 1 })
})
