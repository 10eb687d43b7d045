import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { callStore } from '../engine/call-store.ts'
import { until } from '../harness/until.ts'
import { startWorld, type World } from '../harness/world.ts'
import { expectWhole } from './expect-whole.ts'
import { longForm, timeout } from './moments.ts'

/** Whatever `update` and `replace` were about to do when their process died is done once, and counted once. */
let world: World
beforeAll(async () => {
  world = await startWorld({ separateHost: true })
  await world.complete()
}, timeout)
afterAll(() => world?.stop())

const replace = { conflictStrategy: 'replace', pruneLimitPercent: 100, pruneLimitItems: 1000 }
const theirs = (method: string, path: string, body?: unknown) =>
  callStore<{ id: number }>(world, 'destination', method, path, body)
const rows = async (table: string) => (await world.state('destination'))[table] ?? []

interface Standing {
  product: { id: number }
  image: { id: number }
  metafield: { id: number }
}

/** What a merchant did at the destination, as each call of the run has something to do about it. */
async function edit({ product, image, metafield }: Standing): Promise<void> {
  await theirs('PUT', `/v3/catalog/products/${product.id}`, { price: 1.25 })
  await theirs('PUT', `/v3/catalog/products/${product.id}/images/${image.id}`, { description: 'Edited' })
  await world.change('destination', {
    op: 'set',
    table: 'product_metafields',
    id: metafield.id,
    fields: { value: 'Edited' },
  })
  await theirs('POST', `/v3/catalog/products/${product.id}/custom-fields`, { name: 'Only here', value: 'yes' })
  await theirs('POST', '/v3/catalog/brands', { name: 'Only There Goods' })
  await theirs('POST', '/v3/catalog/products', { name: 'Only There Lamp', type: 'physical', weight: 1, price: 1 })
}

let standing: Standing
beforeEach(async () => {
  const product = (await rows('products')).find((row) => row.name === 'Amber Linen Sneaker') as { id: number }
  const image = (await rows('images')).find((row) => row.product_id === product.id) as { id: number }
  const metafield = (await rows('product_metafields'))[0] as { id: number }
  standing = { product, image, metafield }
  await edit(standing)
})

/** Counts that are not zero, by component. */
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

test.each(longForm ? calls : calls.slice(0, 2))(
  'a process that dies while it changes %s is taken over, and all is as in the source once',
  { timeout },
  async (_what, call) => {
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
  },
)
