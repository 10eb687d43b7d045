import { expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { isLong, longTest } from '../harness/long-form.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World, type WorldOptions } from '../harness/world.ts'
import type { StoreName } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'
import { heal } from './healing-story.ts'
import { comparedWithItsPlan } from './planned.ts'

const needed = ['currencies', 'tax-classes', 'categories', 'brands', 'products', 'customer-groups', 'customers']
const creating = { method: 'POST', path: '^/v2/orders$' } as const

type Row = Record<string, unknown> & { id: number }

/** Orders of customers and guests in every status, copied without the items that they name. */
const aWorldWithOrders = (options: WorldOptions = {}) =>
  aWorld({ entities: ['currencies', 'orders'], requestTimeoutSeconds: 1, ...options })

const rows = async (world: World, side: StoreName, table: string) => ((await world.state(side))[table] ?? []) as Row[]

async function copied(world: World, settings: object = {}): Promise<MigrationDetail> {
  for (const side of ['source', 'destination']) await world.resetRequests(side)
  const run = await world.complete(settings)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  await expectCountersToEqualTheLedger(world, run.requestId)
  return run
}

const writes = async (world: World) => (await world.requests('destination')).filter(({ method }) => method !== 'GET')
const counts = async (world: World, { requestId }: MigrationDetail) => (await counted(world, requestId)).orders
const setOrder = (world: World, side: StoreName, order: Row | undefined, fields: Record<string, unknown>) =>
  world.change(side, { op: 'set', table: 'orders', id: order?.id ?? 0, fields })

/** Orders with all their parts, by names that both stores share. */
async function ordersInWords(world: World, side: StoreName): Promise<string[]> {
  const state = (await world.state(side)) as Record<string, Row[]>
  const customers = new Map(state.customers?.map(({ id, email }) => [id, email]))
  const of = (table: string, id: number, fields: string[]) =>
    (state[table] ?? [])
      .filter(({ order_id }) => order_id === id)
      .map((row) => Object.fromEntries(fields.map((field) => [field, row[field]])))
  const words = (order: Row) => ({
    status: order.status_id,
    date: order.date_created,
    customer: customers.get(Number(order.customer_id)) ?? 'guest',
    currency: order.default_currency_code,
    totals: [order.subtotal_ex_tax, order.subtotal_inc_tax, order.total_ex_tax, order.total_inc_tax].map(Number),
    costs: [order.shipping_cost_ex_tax, order.discount_amount].map(Number),
    billing: order.billing_address,
    message: order.customer_message,
    lines: of('order_products', order.id, ['name', 'quantity', 'quantity_shipped', 'price_ex_tax', 'price_inc_tax']),
    addresses: of('order_addresses', order.id, ['street_1', 'city', 'zip', 'email', 'shipping_method']),
    fees: of('order_fees', order.id, ['display_name_customer', 'display_name_merchant', 'cost_ex_tax', 'cost_inc_tax']),
    shipments: of('order_shipments', order.id, [
      'tracking_number',
      'shipping_method',
      'comments',
      'merchant_shipping_cost',
    ]),
  })
  return (state.orders ?? []).map((order) => JSON.stringify(words(order))).sort()
}

test('B2, B3: orders are copied with dates, statuses, totals and shipments, and a lost answer creates none of them twice', async () => {
  const world = await aWorld({ entities: [...needed, 'orders'], requestTimeoutSeconds: 1 })
  const shipping = '^/v2/orders/\\d+/shipments$'
  const lost = { kind: 'reset_after_applying', method: 'POST', times: 1 } as const
  for (const path of [creating.path, shipping]) await world.fault('destination', { ...lost, path })
  expect(await comparedWithItsPlan(world, {})).toMatchObject({ onlyPlanned: [], onlyDone: [] })
  expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([1, 1])
  // A new order's parts are looked for only after a lost answer, and at the end for one that was applied late (G10).
  const looks = (await world.requests('destination', 'GET')).filter(({ path }) => new RegExp(shipping).test(path))
  expect(looks).toHaveLength(2)
  expect(await ordersInWords(world, 'destination')).toEqual(await ordersInWords(world, 'source'))
})

test('B7: a copied order names its source, and copies are not looked up one by one', async () => {
  const world = await aWorldWithOrders()
  await copied(world)
  const [source, copies] = [await rows(world, 'source', 'orders'), await rows(world, 'destination', 'orders')]
  const copyOf = (order: Row | undefined) =>
    copies.find(({ external_order_id }) => external_order_id === `${world.address('source').hash}-${order?.id}`)
  const [order] = source
  expect(copyOf(order)).toMatchObject({ external_source: 'M-MIG' })
  expect(copyOf(order)?.staff_notes).toContain(`Order number: ${order?.id}`)
  const foreign = source.find(({ external_source }) => external_source === 'Amazon')
  expect(copyOf(foreign)?.staff_notes).toContain(`External order id: ${foreign?.external_order_id}`)
  await copied(world, { conflictStrategy: 'update' })
  const paths = (await world.requests('destination', 'GET')).map(({ path }) => path)
  const lists = paths.filter((path) => path === '/v2/orders')
  expect(lists.length).toBeGreaterThan(0)
  expect(lists.length).toBeLessThan(source.length)
  expect(paths.filter((path) => /^\/v2\/orders\/\d+$/.test(path))).toEqual([])
})

/** Messages of warnings about what orders were copied without. */
const leftOut = async (world: World, id: string) =>
  (await world.issues(id)).filter(({ code }) => code === 'reference_left_out').map(({ message }) => message)

test('an order that the store refuses is not said to have been copied without something', async () => {
  const world = await aWorldWithOrders()
  await world.fault('destination', { kind: 'error_before_applying', status: 400, ...creating, times: null })
  const { requestId, status } = await world.complete()
  expect(status).toBe('partial_completed')
  expect(await leftOut(world, requestId)).toEqual([])
  await world.clearFaults('destination')
  const healed = await heal(world, requestId)
  expect(healed).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await leftOut(world, requestId)).toContainEqual(expect.stringMatching(/was copied without customer \d+/))
  await expectCountersToEqualTheLedger(world, requestId)
})

test('F4: an order whose customer is copied later stays a guest’s, and healing does not say that it was completed', async () => {
  const world = await aWorld({ entities: ['currencies', 'customers', 'orders'] })
  const customers = { method: 'POST', path: '^/v3/customers$' }
  await world.fault('destination', { kind: 'error_before_applying', status: 403, ...customers, times: null })
  const { requestId } = await world.complete()
  await world.clearFaults('destination')
  await heal(world, requestId)
  expect(await rows(world, 'destination', 'customers')).not.toEqual([])
  const owners = (await rows(world, 'destination', 'orders')).map((order) => order.customer_id)
  expect(new Set(owners)).toEqual(new Set([0]))
  const about = (await world.issues(requestId)).filter(({ component }) => component === 'orders')
  expect(about.length).toBeGreaterThan(0)
  for (const { code, state, remedy } of about)
    expect([code, state, remedy]).toEqual(['reference_left_out', 'open', expect.stringContaining('written once')])
})

test('what an order lacks is also reported if its process died before it got the answer', async () => {
  const world = await aWorldWithOrders({ separateHost: true })
  const customers = new Set((await rows(world, 'source', 'orders')).filter((order) => Number(order.customer_id) > 0))
  await world.fault('destination', { kind: 'hold_after_applying', ...creating, times: null })
  const id = await world.migrate()
  await until('orders are held', async () => (await rows(world, 'destination', 'orders')).length > 0)
  await world.killChild()
  await world.clearFaults('destination')
  await world.release('destination')
  expect(await world.finished(id)).toMatchObject({ status: 'completed' })
  const said = await leftOut(world, id)
  expect(said.filter((message) => message.includes('without customer'))).toHaveLength(customers.size)
})

test.each(
  isLong ? ['skip', 'update', 'replace'] : ['update'],
)('C2, G13: a second run of orders under %s writes nothing, and says that it did not compare them', async (conflictStrategy) => {
  const world = await aWorldWithOrders()
  await copied(world, { entities: [...needed, 'orders'] })
  const run = await copied(world, { conflictStrategy })
  expect(await writes(world)).toEqual([])
  const { discovered, ...others } = (await counts(world, run)) ?? {}
  expect(others).toEqual({ skipped: discovered })
})

longTest(
  'F1: verify finds copied orders equal and reports an edit by its field, which neither update nor replace overwrites',
  async () => {
    const world = await aWorldWithOrders()
    const { requestId } = await copied(world)
    const found = async () =>
      (await world.verify(requestId)).differences.filter(({ component }) => component.startsWith('order'))
    expect(await found()).toEqual([])
    const [copy] = await rows(world, 'destination', 'orders')
    const fields = { customer_message: 'Changed by hand' }
    await setOrder(world, 'destination', copy, fields)
    expect(await found()).toMatchObject([{ kind: 'different', fields: [{ path: 'customer_message' }], living: false }])
    await setOrder(world, 'destination', copy, { status_id: 6 })
    for (const conflictStrategy of ['update', 'replace']) await copied(world, { conflictStrategy })
    expect((await rows(world, 'destination', 'orders'))[0]).toMatchObject({ ...fields, status_id: 6 })
  },
)

longTest('F4: a customer and a product that fail are healed before the orders that name them are written', async () => {
  const world = await aWorld({
    ...{ entities: [...needed, 'orders'], requestTimeoutSeconds: 1, settleSeconds: 0 },
    switches: { destination: { order_stock: 'cut' } },
  })
  const [line] = (await rows(world, 'source', 'order_products')).filter(({ product_id }) => Number(product_id) > 0)
  const product = (await rows(world, 'source', 'products')).find(({ id }) => id === line?.product_id)
  const named = `"name":"${String(product?.name).replace(/[^\\w ]/g, '.')}"`
  const buyers = new Set((await rows(world, 'source', 'orders')).map(({ customer_id }) => customer_id))
  const refused = { kind: 'error_before_applying', method: 'POST', times: 5 } as const
  await world.fault('destination', { ...refused, path: '^/v3/catalog/products$', body: named })
  const customer = (await rows(world, 'source', 'customers')).find(({ id }) => buyers.has(id))
  const who = { path: '^/v3/customers$', body: `"email":"${customer?.email}"` }
  // In a full call, in the same without answers to form fields, in smaller and smaller ones, and alone.
  await world.fault('destination', { ...refused, ...who, status: 422 })
  const run = await copied(world)
  expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([5, 5])
  const healed = (await world.issues(run.requestId)).filter(({ state }) => state === 'healed')
  expect(new Set(healed.map(({ component }) => component))).toContain('customers')
  expect(new Set(healed.map(({ component }) => component))).toContain('products')
  expect(await ordersInWords(world, 'destination')).toEqual(await ordersInWords(world, 'source'))
  const byName = new Map((await rows(world, 'destination', 'products')).map(({ id, name }) => [name, id]))
  const lines = (await rows(world, 'destination', 'order_products')).filter(({ name }) => name === line?.name)
  expect(lines.map(({ product_id }) => product_id)).toEqual(lines.map(() => byName.get(product?.name)))
})

test('B7: an order archived at the destination is reported and never created again', async () => {
  const world = await aWorldWithOrders()
  await copied(world)
  const copies = await rows(world, 'destination', 'orders')
  const [copy] = copies
  await setOrder(world, 'destination', copy, { is_deleted: true })
  for (const conflictStrategy of ['skip', 'update']) {
    const run = await copied(world, { conflictStrategy })
    expect(await writes(world)).toEqual([])
    const issues = (await world.issues(run.requestId)).filter(({ code }) => code === 'destination_archived')
    expect(issues).toMatchObject([{ component: 'orders', severity: 'warning', destinationId: String(copy?.id) }])
  }
  expect(await rows(world, 'destination', 'orders')).toHaveLength(copies.length)
})

test('only orders in the requested statuses are copied', async () => {
  const world = await aWorldWithOrders()
  const statuses = async (side: StoreName) => (await rows(world, side, 'orders')).map(({ status_id }) => status_id)
  const expected = (await statuses('source')).filter((status) => status === 10 || status === 2)
  expect(expected.length).toBeGreaterThan(0)
  await world.complete({ orderStatuses: ['10', '2'] })
  expect((await statuses('destination')).sort()).toEqual(expected.sort())
})

longTest(
  'B7: orders of two stores, each copied twice into one destination, are created once each, under the number in their own store',
  async () => {
    const world = await aWorldWithOrders({ moreStores: ['second'] })
    await callStore(world, 'second', 'POST', '/v2/orders', {
      billing_address: {
        first_name: 'Second',
        last_name: 'Shopper',
        zip: '78751',
        country: 'Canada',
        email: 'someone@example.com',
      },
      products: [{ name: 'Lamp', quantity: 1, price_ex_tax: 10, price_inc_tax: 11 }],
    })
    for (const source of ['source', 'second', 'source', 'second']) await world.complete({ source })
    const numbers = (await rows(world, 'destination', 'orders')).map(({ external_order_id }) => external_order_id)
    const expected = await Promise.all(
      ['source', 'second'].map(async (source) =>
        (await rows(world, source, 'orders')).map(({ id }) => `${world.address(source).hash}-${id}`),
      ),
    )
    expect(numbers.sort()).toEqual(expected.flat().sort())
  },
)

longTest(
  'orders without items, without a country, and with an invalid email address are copied with a warning each, and verify finds them equal',
  async () => {
    const world = await aWorldWithOrders()
    const shipped = new Set((await rows(world, 'source', 'order_shipments')).map(({ order_id }) => order_id))
    const unshipped = (await rows(world, 'source', 'orders')).filter(({ id }) => !shipped.has(id))
    const [empty, counter, guest, abroad] = unshipped
    for (const line of await rows(world, 'source', 'order_products'))
      if (line.order_id === empty?.id)
        await world.change('source', { op: 'remove', table: 'order_products', id: line.id })
    const billing = (order: Row | undefined, fields: object) => ({
      billing_address: { ...(order?.billing_address as object), ...fields },
    })
    const nowhere = { country: '', country_iso2: '' }
    const nobodyKnows = { geoip_country: '', geoip_country_iso2: '' }
    for (const address of await rows(world, 'source', 'order_addresses'))
      if (address.order_id === counter?.id)
        await world.change('source', { op: 'set', table: 'order_addresses', id: address.id, fields: nowhere })
    await setOrder(world, 'source', counter, { ...billing(counter, nowhere), ...nobodyKnows })
    await setOrder(world, 'source', guest, billing(guest, { email: 'someone at home', company: '' }))
    await setOrder(world, 'source', abroad, { ...billing(abroad, nowhere), geoip_country: 'Norway' })
    const { requestId } = await copied(world)
    const warnings = (await world.findings(requestId)).filter(({ message }) => message.includes('refuses it otherwise'))
    expect(warnings.map(({ item }) => Number(item.sourceId)).sort()).toEqual(
      [empty, counter, guest, abroad].map((order) => order?.id).sort(),
    )
    const copies = await rows(world, 'destination', 'orders')
    expect(copies).toHaveLength((await rows(world, 'source', 'orders')).length)
    const copyOf = (order: Row | undefined) =>
      copies.find(({ external_order_id }) => String(external_order_id).endsWith(`-${order?.id}`))
    expect(copyOf(guest)?.billing_address).toMatchObject({ email: '' })
    const { country } = await callStore(world, 'source', 'GET', '/v2/store')
    expect(copyOf(counter)?.billing_address).toMatchObject({ country })
    expect((await world.verify(requestId)).differences).toEqual([])
    await copied(world)
    expect(await writes(world)).toEqual([])
  },
)

test('what a shopper chose or entered for a product is copied with its line, and a number that was entered is not taken for an id', async () => {
  const entities = ['tax-classes', 'categories', 'brands', 'products', 'currencies', 'orders']
  const world = await aWorld({ entities, switches: { destination: { order_stock: 'cut' } } })
  const demanding = new Set((await rows(world, 'source', 'modifiers')).map(({ product_id }) => product_id))
  const line = (await rows(world, 'source', 'order_products')).find(
    ({ product_id, variant_id }) => Number(variant_id) > 0 && !demanding.has(product_id),
  )
  const modifiers = `/v3/catalog/products/${line?.product_id}/modifiers`
  const add = (body: object) =>
    callStore<Row & { option_values: Row[] }>(world, 'source', 'POST', modifiers, { required: false, ...body })
  const sleeves = await add({
    type: 'dropdown',
    display_name: 'Sleeves',
    option_values: ['Long', 'Short'].map((label, sort_order) => ({ label, sort_order })),
  })
  const text = await add({ type: 'text', display_name: 'Number on the back' })
  const day = await add({ type: 'date', display_name: 'Needed by' })
  const value = String(sleeves.option_values[0]?.id)
  const chosen = { product_option_id: sleeves.id, value, display_name: 'Sleeves', display_value: 'Long' }
  const entered = { product_option_id: text.id, value, display_name: 'Number on the back', display_value: value }
  const dated = { product_option_id: day.id, value: '1640995200', display_name: 'Needed by', display_value: '1/1/22' }
  const product_options = [
    { ...chosen, type: 'Multiple choice' },
    { ...entered, type: 'Text field' },
    { ...dated, type: 'Date field' },
  ]
  await world.change('source', { op: 'set', table: 'order_products', id: line?.id ?? 0, fields: { product_options } })
  const { requestId } = await copied(world)
  const copies = await rows(world, 'destination', 'order_products')
  const copy = copies.find((one) => (one.product_options as Row[]).length > 0)
  const [long] = (await rows(world, 'destination', 'modifier_values')).filter(({ label }) => label === 'Long')
  expect(String(long?.id)).not.toBe(value)
  expect(copy?.product_options).toMatchObject([
    { value: String(long?.id) },
    { value },
    { value: '2022-01-01T00:00:00+00:00' },
  ])
  expect((await world.verify(requestId)).differences).toEqual([])
})

test('an order keeps its other lines linked if the destination lacks what a shopper chose for one, and copies nothing that was left empty', async () => {
  const entities = ['tax-classes', 'categories', 'brands', 'products', 'currencies', 'orders']
  const world = await aWorld({ entities, switches: { destination: { order_stock: 'cut' } } })
  const demanding = new Set((await rows(world, 'source', 'modifiers')).map(({ product_id }) => product_id))
  const [line, ...more] = (await rows(world, 'source', 'order_products')).filter(
    ({ product_id, variant_id }) => [0, 99999999].every((id) => id !== variant_id) && !demanding.has(product_id),
  )
  const bought = more.find(({ product_id }) => product_id !== line?.product_id)
  const double = await world.change('source', { op: 'double', table: 'order_products', id: bought?.id ?? 0 })
  const other = { ...bought, id: Number(double.id) }
  const fields = { order_id: line?.order_id, order_address_id: line?.order_address_id }
  await world.change('source', { op: 'set', table: 'order_products', id: other.id, fields })
  const modifiersOf = (of: Row | undefined) => `/v3/catalog/products/${of?.product_id}/modifiers`
  const add = (of: Row | undefined, body: object) =>
    callStore<Row & { option_values: Row[] }>(world, 'source', 'POST', modifiersOf(of), { required: false, ...body })
  const wrap = { type: 'dropdown', display_name: 'Wrap', option_values: [{ label: 'Paper' }, { label: 'Cloth' }] }
  const made = await add(line, wrap)
  const note = await add(other, { type: 'text', display_name: 'Note' })
  const [paper] = made.option_values
  const chosen = { product_option_id: made.id, display_name: 'Wrap', display_value: 'Paper', type: 'Multiple choice' }
  const empty = { product_option_id: note.id, display_name: 'Note', display_value: '', value: '', type: 'Text field' }
  const set = (row: Row | undefined, product_options: object[]) =>
    world.change('source', { op: 'set', table: 'order_products', id: row?.id ?? 0, fields: { product_options } })
  await set(line, [{ ...chosen, value: String(paper?.id) }])
  await set(other, [empty])
  // The shop has taken the choice off its product since.
  await callStore(world, 'source', 'DELETE', `${modifiersOf(line)}/${made.id}/values/${paper?.id}`)
  const { requestId } = await copied(world)
  const notes = `Order number: ${line?.order_id}\n`
  const copy = (await rows(world, 'destination', 'orders')).find(({ staff_notes }) =>
    String(staff_notes).includes(notes),
  )
  const copies = (await rows(world, 'destination', 'order_products')).filter((one) => one.order_id === copy?.id)
  const linesOf = (row: Row | undefined) => copies.filter(({ name }) => name === row?.name)
  expect(linesOf(line)).toMatchObject([{ product_id: 0, name_merchant: expect.stringContaining('(Wrap: Paper)') }])
  expect(linesOf(other)).toMatchObject([{ product_id: expect.any(Number), product_options: [] }])
  expect(Number(linesOf(other)[0]?.product_id)).toBeGreaterThan(0)
  expect((await world.verify(requestId)).differences).toEqual([])
})

test('orders of a channel that is disconnected at the destination are copied without it, and those of others with theirs', async () => {
  const world = await aWorldWithOrders()
  const [first, second] = await rows(world, 'source', 'orders')
  const add = (side: 'source' | 'destination', name: string) =>
    callStore<Row>(world, side, 'POST', '/v3/channels', { name, type: 'pos', platform: 'custom' })
  for (const [order, name] of [
    [first, 'Tills'],
    [second, 'Kiosk'],
  ] as const) {
    const fields = { channel_id: (await add('source', name)).id }
    await world.change('source', { op: 'set', table: 'orders', id: order?.id ?? 0, fields })
  }
  const [tills, kiosk] = [await add('destination', 'Tills'), await add('destination', 'Kiosk')]
  await callStore(world, 'destination', 'PUT', `/v3/channels/${tills.id}`, { status: 'disconnected' })
  const { requestId } = await copied(world)
  const channelOf = async (order: Row | undefined) =>
    (await rows(world, 'destination', 'orders')).find(({ external_order_id }) =>
      String(external_order_id).endsWith(`-${order?.id}`),
    )?.channel_id
  expect([await channelOf(first), await channelOf(second)]).toEqual([1, kiosk.id])
  expect((await world.verify(requestId)).differences).toEqual([])
})

test('an order is no different for a channel that was disconnected at the destination before or after its copy, in a comparison of all and of itself', async () => {
  const world = await aWorldWithOrders()
  const [before, after] = await rows(world, 'source', 'orders')
  const add = (side: 'source' | 'destination', name: string) =>
    callStore<Row>(world, side, 'POST', '/v3/channels', { name, type: 'pos', platform: 'custom' })
  const disconnect = ({ id }: Row) =>
    callStore(world, 'destination', 'PUT', `/v3/channels/${id}`, { status: 'disconnected' })
  for (const [order, name] of [
    [before, 'Tills'],
    [after, 'Kiosk'],
  ] as const)
    await setOrder(world, 'source', order, { channel_id: (await add('source', name)).id })
  const [tills, kiosk] = [await add('destination', 'Tills'), await add('destination', 'Kiosk')]
  await disconnect(tills)
  const { requestId } = await copied(world)
  await disconnect(kiosk)
  expect((await world.verify(requestId)).differences).toEqual([])
  const [source, destination] = [world.address('source').hash, world.address('destination').hash]
  for (const order of [before, after]) {
    const asked = { source, destination, entity: 'orders', sourceItemId: String(order?.id) }
    expect((await world.api('POST', '/v2/compare', asked)).body).toMatchObject({ state: 'equal', differences: [] })
  }
})

test('verify reports neither orders of the shop of the destination nor what apps noted with them', async () => {
  const world = await aWorld({ seeds: { destination: 'tiny' }, entities: ['currencies', 'orders'] })
  const run = await copied(world)
  const own = (await rows(world, 'destination', 'orders')).filter((order) => order.external_source !== 'M-MIG')
  const noted = (await rows(world, 'destination', 'order_metafields')).map((row) => row.resource_id)
  expect(own.some(({ id }) => noted.includes(id))).toBe(true)
  expect((await world.verify(run.requestId)).differences).toEqual([])
})

test('an order whose billing address has no postal code is copied with a warning, and verify finds it equal', async () => {
  const world = await aWorldWithOrders()
  const [abroad, cut] = await rows(world, 'source', 'orders')
  for (const [order, zip] of [
    [abroad, ''],
    [cut, '7'],
  ] as const)
    await setOrder(world, 'source', order, { billing_address: { ...(order?.billing_address as object), zip } })
  const { requestId } = await copied(world)
  const warnings = (await world.findings(requestId)).filter(({ message }) => message.includes('no postal code'))
  expect(warnings.map(({ item }) => Number(item.sourceId)).sort()).toEqual([abroad?.id, cut?.id].sort())
  const zips = (await rows(world, 'destination', 'orders')).map(({ billing_address }) => (billing_address as Row).zip)
  expect(zips.filter((zip) => zip === 'none')).toHaveLength(2)
  expect((await world.verify(requestId)).differences).toEqual([])
})

test('an order that is picked up says in the staff notes of its copy where', async () => {
  const world = await aWorldWithOrders({ seeds: { source: 'empty' } })
  const location = { name: 'Harbour shop', code: 'HARBOUR', address_line_1: '1 Quay', city: 'Austin' }
  const pickup = { pickup_method_display_name: 'Pick up', collection_instructions: 'Bring\nyour ID', location }
  const line_items = [{ name: 'Rope', quantity: 2, price_ex_tax: 4, price_inc_tax: 5 }]
  const billing_address = { first_name: 'Ada', street_1: '1 Main Street', zip: '78701', country_iso2: 'US' }
  const consignments = { pickups: [{ ...pickup, pickup_method_id: 1, line_items }] }
  await callStore(world, 'source', 'POST', '/v2/orders', { billing_address, consignments })
  const run = await copied(world)
  const [copy] = await rows(world, 'destination', 'orders')
  expect(copy?.staff_notes).toContain('\nPickup: Pick up, Bring your ID, Harbour shop, HARBOUR, 1 Quay, Austin')
  expect(await rows(world, 'destination', 'order_products')).toMatchObject([{ name: 'Rope', quantity: 2 }])
  expect((await world.verify(run.requestId)).differences).toEqual([])
})

test('a date that a shopper chose for a product is in the staff notes of the copy', async () => {
  const world = await aWorldWithOrders()
  const [line] = await rows(world, 'source', 'order_products')
  const fields = { event_name: 'Delivery Date', event_date: 'Wed, 14 Feb 2024' }
  await world.change('source', { op: 'set', table: 'order_products', id: line?.id ?? 0, fields })
  await copied(world)
  const notes = (await rows(world, 'destination', 'orders')).map((copy) => String(copy.staff_notes))
  expect(notes.filter((one) => one.includes('\nDates: '))).toEqual([
    expect.stringContaining(`\nDates: ${line?.name} (Delivery Date: Wed, 14 Feb 2024)`),
  ])
})

test('the staff notes of an order that is itself a copy are copied whole', async () => {
  const world = await aWorldWithOrders()
  const [order] = await rows(world, 'source', 'orders')
  const staff_notes =
    'Fragile\n\n--- Copied from another store ---\nOrder number: 7\nRefunded: 5\nItems: none\n\nCalled on Monday'
  await setOrder(world, 'source', order, { staff_notes })
  const { requestId } = await copied(world)
  const notes = (await rows(world, 'destination', 'orders')).map((copy) => String(copy.staff_notes))
  expect(notes.filter((one) => one.startsWith(`${staff_notes}\n\n`) && one.includes(`: ${order?.id}`))).toHaveLength(1)
  expect((await world.verify(requestId)).differences).toEqual([])
})

test('shipments of the last of more lines than the answer to a new order shows are copied, and its lines are read once', async () => {
  const world = await aWorldWithOrders()
  const lines = await rows(world, 'source', 'order_products')
  const shipped = new Set((await rows(world, 'source', 'order_shipments')).map(({ order_id }) => order_id))
  const line = lines.find(({ order_id, type }) => !shipped.has(order_id) && type === 'physical')
  let last = 0
  for (let n = 0; n < 51; n++) {
    const { id } = await world.change('source', { op: 'double', table: 'order_products', id: line?.id ?? 0 })
    last = Number(id)
  }
  await world.change('source', { op: 'set', table: 'order_products', id: last, fields: { name: 'The last line' } })
  for (const order_product_id of [last, last - 1])
    await callStore(world, 'source', 'POST', `/v2/orders/${line?.order_id}/shipments`, {
      order_address_id: line?.order_address_id,
      items: [{ order_product_id, quantity: 1 }],
    })
  const { requestId } = await copied(world)
  const readings = (await world.requests('destination', 'GET')).filter(({ path }) =>
    /orders\/\d+\/products$/.test(path),
  )
  const pages = readings.map(({ query }) => new URLSearchParams(query).get('page'))
  expect(pages[0]).toBe('1')
  expect(pages.length).toBe(new Set(pages).size)
  const named = (await rows(world, 'destination', 'order_products')).find(({ name }) => name === 'The last line')
  const items = (await rows(world, 'destination', 'order_shipments')).flatMap((one) => one.items as Row[])
  expect(items.filter(({ order_product_id }) => order_product_id === named?.id)).toHaveLength(1)
  expect((await world.verify(requestId)).differences).toEqual([])
})

test('an order with an IPv6 address in the field for the other kind is copied, and verify finds it equal', async () => {
  const world = await aWorldWithOrders()
  const [order] = await rows(world, 'source', 'orders')
  const address = '2001:db8:3333:4444:5555:6666:7777:8888'
  await setOrder(world, 'source', order, { ip_address: address, ip_address_v6: '' })
  const { requestId } = await copied(world)
  const copies = await rows(world, 'destination', 'orders')
  expect(copies.filter(({ ip_address_v6 }) => ip_address_v6 === address)).toHaveLength(1)
  expect((await world.verify(requestId)).differences).toEqual([])
})

test('F1: orders with a product that the source has deleted, and `replace` at the destination, are no different', async () => {
  const entities = [...needed, 'orders']
  const world = await aWorld({ entities })
  await world.complete()
  const products = await rows(world, 'source', 'products')
  const shipped = new Set((await rows(world, 'source', 'order_shipments')).map(({ order_id }) => order_id))
  const lines = (await rows(world, 'source', 'order_products')).filter(({ order_id }) => shipped.has(order_id))
  const ordered = products.find(({ id }) => lines.some(({ product_id }) => product_id === id))
  await callStore(world, 'source', 'DELETE', `/v3/catalog/products/${ordered?.id}`)
  const { requestId } = await world.complete({ conflictStrategy: 'replace', pruneLimitPercent: 100 })
  expect(await rows(world, 'destination', 'products')).toHaveLength(products.length - 1)
  const { differences } = await world.verify(requestId)
  expect(differences.filter(({ component }) => component.startsWith('order'))).toEqual([])
})

test('F1: orders with a product that was deleted at the destination and copied again still name the first copy, and are no different', async () => {
  const world = await aWorld({ entities: [...needed, 'orders'] })
  await world.complete()
  const lines = await rows(world, 'destination', 'order_products')
  const products = await rows(world, 'destination', 'products')
  const ordered = products.find(({ id }) => lines.some(({ product_id }) => product_id === id))
  await callStore(world, 'destination', 'DELETE', `/v3/catalog/products/${ordered?.id}`)
  const { requestId } = await world.complete()
  expect(await rows(world, 'destination', 'products')).toHaveLength(products.length)
  const { differences } = await world.verify(requestId)
  expect(differences.filter(({ component }) => component.startsWith('order'))).toEqual([])
})

test('S9: of an order in a currency that the source has deleted since, the issue says that the destination lacks its currency, and what can be done', async () => {
  const world = await aWorldWithOrders()
  const [order] = (await rows(world, 'source', 'orders')).filter((row) => row.default_currency_code !== 'USD')
  const currencies = await rows(world, 'source', 'currencies')
  const euro = currencies.find(({ currency_code }) => currency_code === order?.default_currency_code)
  await callStore(world, 'source', 'DELETE', `/v2/currencies/${euro?.id}`)
  const { requestId } = await world.complete()
  const failures = (await world.issues(requestId)).filter(({ severity }) => severity === 'failure')
  const issue = failures.find(({ item }) => item.sourceId === String(order?.id))
  expect(issue?.message).toContain('the store does not have its currency')
  expect(issue?.remedy).toContain('Add the currency to the destination')
})
