import { expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import type { World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { expectCountersToEqualTheLedger } from './counted.ts'
import {
  aCopiedCatalogue,
  bestsellers,
  levelsOf,
  openWatches,
  ordersOf,
  setStock,
  stockIssues,
  stockOf,
} from './stock-story.ts'

/** The destination refuses orders of what it does not sell, as real ones do. */
const aSellingCatalogue = (switches: object = {}) =>
  aCopiedCatalogue({
    switches: { source: { order_stock: 'cut' }, destination: { order_stock: 'refuse', ...switches } },
  })

const rows = async (world: World, side: 'source' | 'destination', table: string) =>
  (await world.state(side))[table] ?? []

const linesInWords = async (world: World, side: 'source' | 'destination') =>
  (await rows(world, side, 'order_products'))
    .map(({ name, sku, quantity, price_ex_tax, price_inc_tax }) =>
      JSON.stringify([name, sku, quantity, Number(price_ex_tax), Number(price_inc_tax)]),
    )
    .sort()

/** Lines at the destination that are linked to a product, and those that are not. */
async function linked(world: World) {
  const lines = await rows(world, 'destination', 'order_products')
  const custom = lines.filter(({ product_id }) => Number(product_id) === 0)
  return { linked: lines.length - custom.length, custom }
}

async function setAllStock(world: World, quantity: number): Promise<void> {
  for (const key of Object.keys(await stockOf(world))) await setStock(world, key, quantity)
}

const unlinkedIssues = async (world: World, id: string) =>
  (await world.issues(id)).filter(({ code }) => code === 'lines_not_linked')

const attempts = async (world: World) =>
  (await world.requests('destination', 'POST')).filter(({ path }) => path === '/v2/orders').length

/** A new order of the source, of what these items of the destination are the copies of. */
async function orderOf(world: World, keys: string[]): Promise<void> {
  const levels = await levelsOf(world)
  const skus = keys.map(
    (key) =>
      levels.find(({ identity }) => key.startsWith(`${identity.product_id}/${identity.variant_id}/`))?.identity.sku,
  )
  const sold = await rows(world, 'source', 'order_products')
  const lines = skus.map((sku) => sold.find((line) => line.sku === sku))
  await callStore(world, 'source', 'POST', '/v2/orders', {
    billing_address: { first_name: 'Ann', zip: '78751', country: 'United States', email: 'ann@example.com' },
    products: lines.map((line) => ({
      product_id: line?.product_id,
      variant_id: line?.variant_id,
      quantity: 2,
      price_ex_tax: 5,
      price_inc_tax: 6,
    })),
  })
}

async function expectSameOrders(world: World, id: string): Promise<void> {
  const { orders: sourceOrders = [] } = await world.state('source')
  expect(await ordersOf(world)).toHaveLength(sourceOrders.length)
  expect(await linesInWords(world, 'destination')).toEqual(await linesInWords(world, 'source'))
  expect((await world.verify(id)).differences).toEqual([])
}

longTest(
  'G15: orders of goods that are sold out are copied with lines of their own, verify finds them equal, and a second run writes nothing',
  async () => {
    const world = await aSellingCatalogue()
    await setAllStock(world, 0)
    const before = await stockOf(world)
    await world.resetRequests('destination')
    const run = await world.complete()
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    await expectCountersToEqualTheLedger(world, run.requestId)
    const { linked: untracked, custom } = await linked(world)
    // Goods that are not counted are sold as ever.
    expect(untracked).toBeGreaterThan(0)
    expect(custom.length).toBeGreaterThan(0)
    const orders = await ordersOf(world)
    const counted = new Set((await levelsOf(world)).map(({ identity }) => identity.sku))
    const concerned = new Set(custom.filter(({ sku }) => counted.has(String(sku))).map(({ order_id }) => order_id))
    const issues = await unlinkedIssues(world, run.requestId)
    expect(issues).toHaveLength(concerned.size)
    expect(issues).toMatchObject(issues.map(() => ({ severity: 'warning', component: 'orders' })))
    expect(await stockOf(world)).toEqual(before)
    expect(await openWatches(world)).toBe(0)
    await expectSameOrders(world, run.requestId)
    await world.resetRequests('destination')
    await world.complete()
    expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
    expect(await ordersOf(world)).toHaveLength(orders.length)
  },
)

longTest('G15: what was refused once is not tried again with each order', async () => {
  const world = await aSellingCatalogue()
  const [{ key }] = await bestsellers(world)
  const added = 150
  for (let n = 0; n < added; n++) await orderOf(world, [key])
  await setAllStock(world, 1000)
  await setStock(world, key, 0)
  await world.resetRequests('destination')
  const run = await world.complete()
  const orders = (await ordersOf(world)).length
  expect((await unlinkedIssues(world, run.requestId)).length).toBeGreaterThan(added)
  // Only those that are under way before the first refusal are sent twice.
  expect((await attempts(world)) - orders).toBeLessThan(added / 2)
  await expectSameOrders(world, run.requestId)
})

longTest(
  'G15: quantities below a minimum and missing options of today do not keep an order from being copied',
  async () => {
    const world = await aSellingCatalogue()
    await setAllStock(world, 1000)
    const bought = new Set((await rows(world, 'source', 'order_products')).map(({ sku }) => sku))
    const [few, many, options] = (await levelsOf(world))
      .map(({ identity }) => identity)
      .filter(({ sku }) => bought.has(sku))
    const change = (id: number | undefined, fields: object) =>
      callStore(world, 'destination', 'PUT', `/v3/catalog/products/${id}`, fields)
    await change(few?.product_id, { order_quantity_minimum: 500 })
    await change(many?.product_id, { order_quantity_maximum: 1 })
    const text = { type: 'text', required: true, display_name: 'Engraving' }
    await callStore(world, 'destination', 'POST', `/v3/catalog/products/${options?.product_id}/modifiers`, text)
    const before = await stockOf(world)
    const run = await world.complete()
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    const { custom, linked: others } = await linked(world)
    const skus = new Set(custom.map(({ sku }) => sku))
    expect(skus).toContain(few?.sku)
    expect(skus).toContain(options?.sku)
    expect(others).toBeGreaterThan(0)
    expect(await stockOf(world)).toEqual(before)
    await expectSameOrders(world, run.requestId)
  },
)

test('G15: what a refused order took from the stock is given back', async () => {
  const world = await aSellingCatalogue({ refused_orders_take_stock: true })
  const [{ key }, other] = await bestsellers(world)
  await setAllStock(world, 100)
  await setStock(world, key, 0)
  await orderOf(world, [other.key, key])
  const before = await stockOf(world)
  const run = await world.complete()
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await stockOf(world)).toEqual(before)
  expect(await stockIssues(world, run.requestId)).toEqual([])
  expect(await openWatches(world)).toBe(0)
  await expectSameOrders(world, run.requestId)
})

test('G15: an order of what was deleted at the destination since it was copied is not lost', async () => {
  const world = await aSellingCatalogue()
  await setAllStock(world, 1000)
  const [{ key }, other] = await bestsellers(world)
  const [productId, variantId] = key.split('/')
  await callStore(world, 'destination', 'DELETE', `/v3/catalog/products/${productId}/variants/${variantId}`)
  await callStore(world, 'destination', 'DELETE', `/v3/catalog/products/${other.key.split('/')[0]}`)
  const run = await world.complete()
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const { custom, linked: others } = await linked(world)
  expect(custom.length).toBeGreaterThan(0)
  expect(others).toBeGreaterThan(0)
  expect((await unlinkedIssues(world, run.requestId)).length).toBeGreaterThan(0)
  expect(await ordersOf(world)).toHaveLength((await rows(world, 'source', 'orders')).length)
  expect(await linesInWords(world, 'destination')).toEqual(await linesInWords(world, 'source'))
})
