import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { startWorld, type World } from '../harness/world.ts'
import type { StoreName } from '../harness/world-sandbox.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'
import { comparedWithItsPlan } from './planned.ts'

const needed = ['currencies', 'tax-classes', 'categories', 'brands', 'products', 'customer-groups', 'customers']
const entities = [...needed, 'orders']
const creating = { method: 'POST', path: '^/v2/orders$' } as const

type Row = Record<string, unknown> & { id: number }

/** Orders of customers and guests, in every state; each test goes on where the one before it ended. */
let world: World
beforeAll(async () => {
  world = await startWorld({ requestTimeoutSeconds: 1 })
})
afterAll(() => world?.stop())

const rows = async (side: StoreName, table: string) => ((await world.state(side))[table] ?? []) as Row[]

async function copied(settings: object = {}): Promise<MigrationDetail> {
  for (const side of ['source', 'destination']) await world.resetRequests(side)
  const run = await world.complete({ entities, ...settings })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  await expectCountersToEqualTheLedger(world, run.requestId)
  return run
}

const writes = async () => (await world.requests('destination')).filter(({ method }) => method !== 'GET')
const counts = async ({ requestId }: MigrationDetail) => (await counted(world, requestId)).orders

/** Orders with what hangs on them, as both stores would tell it. */
async function told(side: StoreName): Promise<object[]> {
  const [orders, lines, addresses, fees, shipments] = await Promise.all(
    ['orders', 'order_products', 'order_addresses', 'order_fees', 'order_shipments'].map((table) => rows(side, table)),
  )
  const customers = new Map((await rows(side, 'customers')).map(({ id, email }) => [id, email]))
  const of = (table: Row[] | undefined, id: number, fields: string[]) =>
    (table ?? [])
      .filter(({ order_id }) => order_id === id)
      .map((row) => Object.fromEntries(fields.map((field) => [field, row[field]])))
  return (orders ?? []).map((order) => ({
    status: order.status_id,
    date: order.date_created,
    customer: customers.get(Number(order.customer_id)) ?? 'guest',
    currency: order.default_currency_code,
    totals: [order.subtotal_ex_tax, order.subtotal_inc_tax, order.total_ex_tax, order.total_inc_tax].map(Number),
    costs: [order.shipping_cost_ex_tax, order.discount_amount].map(Number),
    billing: order.billing_address,
    message: order.customer_message,
    lines: of(lines, order.id, ['name', 'quantity', 'quantity_shipped', 'price_ex_tax', 'price_inc_tax']),
    addresses: of(addresses, order.id, ['street_1', 'city', 'zip', 'email', 'shipping_method']),
    fees: of(fees, order.id, ['display_name_customer', 'display_name_merchant', 'cost_ex_tax', 'cost_inc_tax']),
    shipments: of(shipments, order.id, ['tracking_number', 'shipping_method', 'comments', 'merchant_shipping_cost']),
  }))
}

test('B2, B3: orders of every kind are copied with their dates, states, totals and shipments, and a lost answer makes none twice; shipments of a new order are looked for after a lost answer only', async () => {
  const shipping = '^/v2/orders/\\d+/shipments$'
  const lost = { kind: 'reset_after_applying', method: 'POST', times: 1 } as const
  for (const path of [creating.path, shipping]) await world.fault('destination', { ...lost, path })
  const plan = await comparedWithItsPlan(world, { entities })
  expect(plan).toMatchObject({ onlyPlanned: [], onlyDone: [] })
  expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([1, 1])
  await world.clearFaults('destination')
  const looks = (await world.requests('destination', 'GET')).filter(({ path }) => new RegExp(shipping).test(path))
  expect(looks).toHaveLength(1)
  const byDate = (orders: object[]) => [...orders].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  expect(byDate(await told('destination'))).toEqual(byDate(await told('source')))
})

test('B7: a copy says whose it is and what it was, and leads back by the list of mappings', async () => {
  const [order] = await rows('source', 'orders')
  const copy = (await rows('destination', 'orders')).find(({ external_order_id }) =>
    String(external_order_id).endsWith(`-${order?.id}`),
  )
  expect(copy).toMatchObject({ external_source: 'M-MIG' })
  expect(copy?.external_order_id).toBe(`${world.address('source').hash}-${order?.id}`)
  expect(copy?.staff_notes).toContain(`Order number: ${order?.id}`)
  const foreign = (await rows('source', 'orders')).find(({ external_source }) => external_source === 'Amazon')
  const itsCopy = (await rows('destination', 'orders')).find(({ external_order_id }) =>
    String(external_order_id).endsWith(`-${foreign?.id}`),
  )
  expect(itsCopy?.staff_notes).toContain(`External order id: ${foreign?.external_order_id}`)
})

test.each(['skip', 'update', 'replace'])('C2: a second run under %s writes nothing', async (conflictStrategy) => {
  const run = await copied({ conflictStrategy })
  expect(await writes()).toEqual([])
  const { matched, discovered } = (await counts(run)) ?? {}
  expect(matched).toBe(discovered)
})

test('F1: verify finds the copies equal, and an edit by its field; no strategy writes it over', async () => {
  const { requestId } = await copied()
  const ours = async () =>
    (await world.verify(requestId)).differences.filter(({ component }) => component.startsWith('order'))
  expect(await ours()).toEqual([])
  const [copy] = await rows('destination', 'orders')
  const fields = { customer_message: 'Changed by hand' }
  await world.change('destination', { op: 'set', table: 'orders', id: copy?.id ?? 0, fields })
  expect(await ours()).toMatchObject([{ kind: 'different', fields: [{ path: 'customer_message' }], living: false }])
  await world.change('destination', { op: 'set', table: 'orders', id: copy?.id ?? 0, fields: { status_id: 6 } })
  for (const conflictStrategy of ['update', 'replace']) await copied({ conflictStrategy })
  expect((await rows('destination', 'orders'))[0]).toMatchObject({ ...fields, status_id: 6 })
})

test('F4: a customer and a product that fail are healed before the orders that name them, which are written once', async () => {
  await world.stop()
  world = await startWorld({ requestTimeoutSeconds: 1, settleSeconds: 0 })
  const [line] = (await rows('source', 'order_products')).filter(({ product_id }) => Number(product_id) > 0)
  const product = (await rows('source', 'products')).find(({ id }) => id === line?.product_id)
  const named = `"name":"${String(product?.name).replace(/[^\\w ]/g, '.')}"`
  const buyers = new Set((await rows('source', 'orders')).map(({ customer_id }) => customer_id))
  const refused = { kind: 'error_before_applying', method: 'POST', times: 5 } as const
  await world.fault('destination', { ...refused, path: '^/v3/catalog/products$', body: named })
  const customer = (await rows('source', 'customers')).find(({ id }) => buyers.has(id))
  const who = { path: '^/v3/customers$', body: `"email":"${customer?.email}"` }
  // With others, with ever fewer of them, and by itself.
  await world.fault('destination', { ...refused, ...who, status: 422, times: 4 })
  const run = await copied()
  expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([5, 4])
  const healed = (await world.issues(run.requestId)).filter(({ state }) => state === 'healed')
  expect(new Set(healed.map(({ component }) => component))).toContain('customers')
  expect(new Set(healed.map(({ component }) => component))).toContain('products')
  const inWords = (orders: object[]) => orders.map((order) => JSON.stringify(order)).sort()
  expect(inWords(await told('destination'))).toEqual(inWords(await told('source')))
  const byName = new Map((await rows('destination', 'products')).map(({ id, name }) => [name, id]))
  const lines = (await rows('destination', 'order_products')).filter(({ name }) => name === line?.name)
  expect(lines.map(({ product_id }) => product_id)).toEqual(lines.map(() => byName.get(product?.name)))
})

test('B7: an order that was archived at the destination is told and never created again', async () => {
  const before = (await rows('destination', 'orders')).length
  const [copy] = await rows('destination', 'orders')
  await world.change('destination', { op: 'set', table: 'orders', id: copy?.id ?? 0, fields: { is_deleted: true } })
  for (const conflictStrategy of ['skip', 'update']) {
    const run = await copied({ conflictStrategy })
    expect(await writes()).toEqual([])
    const issues = (await world.issues(run.requestId)).filter(({ code }) => code === 'destination_archived')
    expect(issues).toMatchObject([{ component: 'orders', severity: 'warning', destinationId: String(copy?.id) }])
  }
  expect(await rows('destination', 'orders')).toHaveLength(before)
})

test('only orders in the statuses that the request names are copied', async () => {
  const shop = await anotherDestination(['few'])
  const all = await rows('source', 'orders')
  const wanted = all.filter(({ status_id }) => ['10', '2'].includes(String(status_id)))
  expect(wanted.length).toBeGreaterThan(0)
  await shop.complete({ destination: 'few', entities, orderStatuses: ['10', '2'] })
  expect((await rows('few', 'orders')).map(({ status_id }) => status_id).sort()).toEqual(
    wanted.map(({ status_id }) => status_id).sort(),
  )
})

test('B7: two stores copied into one destination take no order of each other, whatever their numbers', async () => {
  const shop = await anotherDestination(['second', 'both'])
  const [first] = await rows('source', 'orders')
  // An order of another shop with the same number as one of the source.
  await addOrder('second', 'second shopper')
  const [own] = await rows('second', 'orders')
  await world.change('source', {
    op: 'set',
    table: 'orders',
    id: first?.id ?? 0,
    fields: { customer_message: 'first' },
  })
  for (const source of ['source', 'second', 'source', 'second'])
    await shop.complete({ source, destination: 'both', entities: ['currencies', 'orders'] })
  const numbers = (await rows('both', 'orders')).map(({ external_order_id }) => String(external_order_id)).sort()
  const wanted = [
    ...(await rows('source', 'orders')).map(({ id }) => `${world.address('source').hash}-${id}`),
    `${world.address('second').hash}-${own?.id}`,
  ]
  expect(numbers).toEqual(wanted.sort())
})

async function anotherDestination(moreStores: string[]): Promise<World> {
  await world.stop()
  world = await startWorld({ requestTimeoutSeconds: 1, moreStores })
  return world
}

async function addOrder(side: StoreName, first_name: string): Promise<void> {
  const { url, token } = world.address(side)
  const body = {
    billing_address: { first_name, last_name: 'Sample', zip: '78751', email: 'someone@example.com' },
    products: [{ name: 'Lamp', quantity: 1, price_ex_tax: 10, price_inc_tax: 11 }],
  }
  const answer = await fetch(`${url}/v2/orders`, {
    method: 'POST',
    headers: { 'x-auth-token': token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(200)
}
