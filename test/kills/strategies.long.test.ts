import { describe, expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { callStore } from '../engine/call-store.ts'
import { until } from '../harness/until.ts'
import type { World } from '../harness/world.ts'
import { expectWhole } from './expect-whole.ts'
import { inAWorld } from './in-a-world.ts'
import { timeout } from './moments.ts'

const replace = { conflictStrategy: 'replace', pruneLimitPercent: 100, pruneLimitItems: 1000 }
/** Edits a merchant made at the destination, so that every kind of call of the run has something to correct. */
async function edit(world: World): Promise<void> {
  const { products = [], images = [], product_metafields: metafields = [] } = await world.state('destination')
  const theirs = (method: string, path: string, body: object) => callStore(world, 'destination', method, path, body)
  const product = products.find(({ name }) => name === 'Amber Linen Sneaker')?.id
  const image = images.find(({ product_id }) => product_id === product)?.id
  await theirs('PUT', `/v3/catalog/products/${product}`, { price: 1.25 })
  await theirs('PUT', `/v3/catalog/products/${product}/images/${image}`, { description: 'Edited' })
  await world.change('destination', {
    op: 'set',
    table: 'product_metafields',
    id: Number(metafields[0]?.id),
    fields: { value: 'Edited' },
  })
  await theirs('POST', `/v3/catalog/products/${product}/custom-fields`, { name: 'Only here', value: 'yes' })
  await theirs('POST', '/v3/catalog/brands', { name: 'Only There Goods' })
  await theirs('POST', '/v3/catalog/products', { name: 'Only There Lamp', type: 'physical', weight: 1, price: 1 })
}

/** Counts other than zero, by component. */
function counts({ phases }: MigrationDetail, field: 'success' | 'pruned'): Record<string, number> {
  const components = phases.flatMap((phase) => phase.components)
  return Object.fromEntries(components.flatMap((one) => (one[field] > 0 ? [[one.key, one[field]]] : [])))
}

const calls: [what: string, call: { method: string; path: string }][] = [
  ['a metafield', { method: 'PUT', path: '/products/metafields$' }],
  ['an item that only the destination has', { method: 'DELETE', path: '/catalog/(products|brands)/\\d+$' }],
  ['a product', { method: 'PUT', path: '/v3/catalog/products/\\d+$' }],
  ['a picture', { method: 'PUT', path: '/images/\\d+$' }],
  ['a child that only the destination has', { method: 'DELETE', path: '/custom-fields/\\d+$' }],
]

describe.concurrent('`replace`, whatever its process was about to do when it died', { timeout }, () => {
  test.each(
    calls,
  )('B2: a process that dies while it changes %s is taken over, and the destination matches the source without duplicates', (_what, call) =>
    inAWorld({ catalogueOnly: true }, async (world) => {
      await world.complete()
      await edit(world)
      await world.fault('destination', { kind: 'hold_after_applying', ...call })
      const run = await world.migrate(replace)
      await until('the call is held', async () => (await world.faults('destination')).some(({ hits }) => hits > 0))
      await world.killChild()
      await world.clearFaults('destination')
      await world.release('destination')
      const detail = await world.finished(run)
      expect(detail.status).toBe('completed')
      await expectWhole(world, run)
      expect(counts(detail, 'pruned')).toMatchObject({ 'product-custom-fields': 1, brands: 1, products: 1 })
    }))
})
