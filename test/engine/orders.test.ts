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

test('B2: orders of every kind are copied with their dates, states, totals and shipments, and a lost answer makes none twice', async () => {
  const fault = await world.fault('destination', { kind: 'reset_after_applying', ...creating, times: 1 })
  const plan = await comparedWithItsPlan(world, { entities })
  expect(plan).toMatchObject({ onlyPlanned: [], onlyDone: [] })
  expect((await world.faults('destination')).find(({ id }) => id === fault)?.hits).toBe(1)
  await world.clearFaults('destination')
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
