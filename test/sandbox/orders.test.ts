import { expect, test } from 'vitest'
import { aProductWorld } from './product-world.ts'

const ORDERS = '/v2/orders'
const billing_address = {
  first_name: 'Jo',
  last_name: 'Sample',
  zip: '78751',
  country: 'United States',
  email: 'jo@example.com',
}
const lamp = { name: 'Lamp', quantity: 2, price_ex_tax: 10, price_inc_tax: 11 }
const shipping_addresses = [{ ...billing_address, street_1: '1 Main Street', shipping_method: 'Flat rate' }]
const whole = 'include=consignments.line_items,fees&consignment_structure=object'

async function aShop() {
  const world = await aProductWorld()
  const order = async (more: object = {}) =>
    world.call('POST', `${ORDERS}?${whole}`, { billing_address, products: [lamp], shipping_addresses, ...more })
  const mails = () => world.store.table('outbox').find({})
  return { ...world, order, mails }
}

test('a new order has totals, is pending, and lists its products below their address', async () => {
  const { order } = await aShop()
  const { status, body } = await order()
  expect(status).toBe(200)
  expect(body).toMatchObject({
    status_id: 1,
    status: 'Pending',
    total_ex_tax: '20.0000',
    total_inc_tax: '22.0000',
    items_total: 2,
  })
  expect(body.consignments.shipping[0]).toMatchObject({
    street_1: '1 Main Street',
    line_items: [{ name: 'Lamp', quantity: 2 }],
  })
})

test('amounts are overridden in pairs, and an order date has the format of mail headers', async () => {
  const { order } = await aShop()
  const date_created = 'Tue, 05 Mar 2019 21:40:11 +0000'
  const { body } = await order({ total_ex_tax: '15.5', total_inc_tax: 17, date_created, status_id: 10 })
  expect(body).toMatchObject({ total_ex_tax: '15.5000', total_inc_tax: '17.0000', date_created, status: 'Completed' })
  expect((await order({ total_ex_tax: 15 })).status).toBe(400)
})

test.each([
  ['no ZIP code', { billing_address: { ...billing_address, zip: '1' } }],
  ['no country of the billing address', { billing_address: { zip: '78751' } }],
  ['an empty country', { shipping_addresses: [{ ...billing_address, country: '' }] }],
  ['an empty code of a country', { billing_address: { ...billing_address, country_iso2: '' } }],
  ['an invalid email address', { billing_address: { ...billing_address, email: 'jo at example' } }],
  ['no products', { products: [] }],
  ['a channel that there is not', { channel_id: 999_999 }],
  ['a customer that there is not', { customer_id: 999_999 }],
  ['a currency that the store does not have', { default_currency_code: 'XTS' }],
  ['a product that there is not', { products: [{ product_id: 999_999, quantity: 1 }] }],
  ['goods without a price', { products: [{ name: 'Lamp', quantity: 1 }] }],
  ['goods and consignments', { consignments: { pickups: [] } }],
  ['a status beyond the last', { status_id: 15 }],
  ['an empty name of a line', { products: [{ ...lamp, name: '' }] }],
  ['an empty name of a line for the staff', { products: [{ ...lamp, name_merchant: '' }] }],
])('an order with %s is refused in the shape of v2', async (_, wrong) => {
  const { order } = await aShop()
  const { status, body } = await order(wrong)
  expect(status).toBe(400)
  expect(body).toEqual([{ status: 400, message: expect.any(String) }])
})

test('catalogue stock is reduced unless the switch says no', async () => {
  const { order, create, get, store } = await aShop()
  const mug = await create({ name: 'Mug', sku: 'MUG', inventory_tracking: 'product', inventory_level: 5 })
  const level = async () => (await get(`/v3/catalog/products/${mug.id}`)).body.data.inventory_level
  const products = [{ product_id: mug.id, quantity: 2 }]
  await order({ products })
  expect(await level()).toBe(3)
  store.switches.orders_move_stock = false
  await order({ products })
  expect(await level()).toBe(3)
})

test('an order is refused for stock, minimum, maximum and required options, and a refused one takes stock only with the switch', async () => {
  const { order, create, get, call, store } = await aShop()
  const tracked = { inventory_tracking: 'product', inventory_level: 5 }
  const mug = await create({ name: 'Mug', sku: 'MUG', ...tracked })
  const dozen = await create({ name: 'Dozen', sku: 'DOZEN', order_quantity_minimum: 12, order_quantity_maximum: 24 })
  const level = async () => (await get(`/v3/catalog/products/${mug.id}`)).body.data.inventory_level
  const refused = async (...products: [number, number][]) => {
    const lines = products.map(([product_id, quantity]) => ({ product_id, quantity }))
    const { status, body } = await order({ products: lines })
    return [status, ...(body[0]?.details?.errors ?? []).map(({ type }: { type: string }) => type)]
  }
  expect(await refused([mug.id, 6])).toEqual([409, 'OutOfStock'])
  expect(await refused([dozen.id, 11])).toEqual([409, 'InsufficientQuantity'])
  expect(await refused([mug.id, 2], [dozen.id, 25])).toEqual([409, 'ExceedsMaxQuantity'])
  expect(await level()).toBe(5)
  store.switches.refused_orders_take_stock = true
  expect(await refused([mug.id, 2], [dozen.id, 25])).toEqual([409, 'ExceedsMaxQuantity'])
  expect(await level()).toBe(3)
  store.switches.order_stock = 'cut'
  expect(await refused([mug.id, 6], [dozen.id, 25])).toEqual([200])
  expect(await level()).toBe(0)
  const text = { type: 'text', required: true, display_name: 'Engraving' }
  await call('POST', `/v3/catalog/products/${dozen.id}/modifiers`, text)
  expect(await refused([dozen.id, 12])).toEqual([400, 'MandatoryProductOptions'])
})

test('an order of a channel that was disconnected or deleted is refused', async () => {
  const { order, call } = await aShop()
  const named = { name: 'Tills', type: 'pos', platform: 'custom' }
  const { id } = (await call('POST', '/v3/channels', named)).body.data
  const ordered = async (status: string) => {
    await call('PUT', `/v3/channels/${id}`, { status })
    return (await order({ channel_id: id })).status
  }
  expect([await ordered('connected'), await ordered('disconnected'), await ordered('deleted')]).toEqual([200, 400, 400])
})

test('a choice names an option of the product and one of its values, and has no empty name', async () => {
  const { order, create, call } = await aShop()
  const [mug, cup] = [await create({ name: 'Mug', sku: 'MUG' }), await create({ name: 'Cup', sku: 'CUP' })]
  const add = async (id: number, modifier: object) =>
    (await call('POST', `/v3/catalog/products/${id}/modifiers`, { required: false, ...modifier })).body.data
  const wrap = await add(mug.id, { type: 'dropdown', display_name: 'Wrap', option_values: [{ label: 'Paper' }] })
  const text = await add(mug.id, { type: 'text', display_name: 'Engraving' })
  const foreign = await add(cup.id, { type: 'text', display_name: 'Engraving' })
  const ordered = async (...product_options: object[]) => {
    const { status, body } = await order({ products: [{ product_id: mug.id, quantity: 1, product_options }] })
    return status === 200 ? status : [status, body[0].details?.errors[0].type]
  }
  const paper = { id: wrap.id, value: String(wrap.option_values[0].id) }
  expect(await ordered(paper, { id: text.id, value: 'For Ann' })).toBe(200)
  expect(await ordered({ ...paper, value: '987654321' })).toEqual([400, 'InvalidProductOptionValue'])
  expect(await ordered({ id: foreign.id, value: 'For Ann' })).toEqual([400, 'InvalidProductOptionValue'])
  expect(await ordered({ ...paper, display_value: '' })).toEqual([400, undefined])
})

test('orders are found by external id, status and number; archived ones are not listed', async () => {
  const { order, get, call } = await aShop()
  const first = (await order({ external_order_id: 'abc-1', external_source: 'M-MIG', status_id: 2 })).body
  const second = (await order()).body
  const ids = async (query: string) => {
    const { status, body } = await get(`${ORDERS}?${query}`)
    return status === 204 ? [] : body.map(({ id }: { id: number }) => id)
  }
  expect(await ids('external_order_id=abc-1')).toEqual([first.id])
  expect(await ids('status_id=2')).toEqual([first.id])
  expect(await ids(`min_id=${second.id}`)).toEqual([second.id])
  expect((await get(`${ORDERS}/count`)).body.count).toBe(2)
  expect((await call('DELETE', `${ORDERS}/${first.id}`)).status).toBe(204)
  expect(await ids('')).toEqual([second.id])
  expect((await get(`${ORDERS}/${first.id}`)).body.is_deleted).toBe(true)
})

test('a shipment has at most what was ordered, changes the status, and notifies the shopper', async () => {
  const { order, call, get, mails } = await aShop()
  const { id, consignments } = (await order()).body
  const [{ id: order_address_id, line_items }] = consignments.shipping
  const ship = (quantity: number) =>
    call('POST', `${ORDERS}/${id}/shipments`, {
      order_address_id,
      items: [{ order_product_id: line_items[0].id, quantity }],
    })
  expect((await ship(1)).status).toBe(201)
  expect((await get(`${ORDERS}/${id}`)).body).toMatchObject({ status: 'Partially Shipped', items_shipped: 1 })
  expect((await ship(2)).status).toBe(400)
  await ship(1)
  expect((await get(`${ORDERS}/${id}`)).body.status).toBe('Shipped')
  expect(mails()).toMatchObject([{ to: 'jo@example.com', for: 'shopper' }, { for: 'shopper' }])
})

test('email statuses mute mails to shoppers, and empty addresses those to staff', async () => {
  const { order, call, mails } = await aShop()
  const staff = (email_addresses: string[]) =>
    call('PUT', '/v3/orders/settings', { notifications: { order_placed: { email_addresses } } })
  await staff(['staff@example.com'])
  const { id } = (await order()).body
  expect(mails()).toMatchObject([{ to: 'staff@example.com', for: 'staff' }])
  await staff([])
  await order()
  await call('PUT', '/v3/settings/email-statuses', { invoice_email: false, combined_order_status_email: false })
  await call('PUT', `${ORDERS}/${id}`, { status_id: 10 })
  expect(mails()).toHaveLength(1)
  await call('PUT', '/v3/settings/email-statuses', { combined_order_status_email: true })
  await call('PUT', `${ORDERS}/${id}`, { status_id: 11 })
  expect(mails()).toHaveLength(2)
})

test('a list shows fifty lines of a consignment, and says that there are more', async () => {
  const { order, get } = await aShop()
  const { body } = await order({ products: Array.from({ length: 51 }, () => lamp) })
  expect(body.consignments.shipping[0].line_items).toHaveLength(50)
  expect(body.consignments.shipping[0].__warning__).toBeDefined()
  expect((await get(`${ORDERS}/${body.id}/products?limit=250`)).body).toHaveLength(51)
})

test('an order without shipments or other children answers 204', async () => {
  const { order, get } = await aShop()
  const { id } = (await order()).body
  for (const what of ['coupons', 'taxes', 'messages', 'fees', 'shipments'])
    expect((await get(`${ORDERS}/${id}/${what}`)).status).toBe(204)
})
