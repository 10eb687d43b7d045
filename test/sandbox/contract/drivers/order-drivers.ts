import { type Found, NO_SUCH_ID, type Shop } from './contract-shop.ts'
import { at, type Driver, drive } from './driver.ts'

const ORDERS = '/v2/orders'
const ORDER = `${ORDERS}/:orderId`
const SHIPMENTS = `${ORDER}/shipments`
const SETTINGS = '/v3/orders/settings'

const ADDRESS = {
  first_name: 'Robin',
  last_name: 'Sample',
  company: '',
  street_1: '1 Sample Street',
  street_2: '',
  city: 'Austin',
  state: 'Texas',
  zip: '78751',
  country: 'United States',
  country_iso2: 'US',
  phone: '',
  email: 'robin@example.com',
}

const NEW_ORDER = {
  customer_id: 0,
  status_id: 10,
  date_created: 'Tue, 01 Feb 2022 10:00:00 +0000',
  billing_address: ADDRESS,
  shipping_addresses: [{ ...ADDRESS, shipping_method: 'By bicycle' }],
  products: [{ name: 'Lamp', quantity: 2, price_ex_tax: 10, price_inc_tax: 11 }],
  external_source: 'M-MIG',
  external_order_id: 'abc123-41',
  staff_notes: 'Copied',
  subtotal_ex_tax: '20',
  subtotal_inc_tax: '22',
  total_ex_tax: '20',
  total_inc_tax: '22',
}

/** v2 answers without an envelope. */
async function rowsOf({ call }: Shop, path: string): Promise<Found[]> {
  const answer = await call({ method: 'GET', path })
  return (answer.body ?? []) as Found[]
}

async function newOrder({ call }: Shop): Promise<number> {
  const answer = await call({ method: 'POST', path: ORDERS, body: NEW_ORDER })
  return (answer.body as Found).id
}

/** What a new shipment of a new order says. */
async function shipping(shop: Shop) {
  const id = await newOrder(shop)
  const [line] = await rowsOf(shop, `${ORDERS}/${id}/products`)
  const [address] = await rowsOf(shop, `${ORDERS}/${id}/shipping_addresses`)
  const items = [{ order_product_id: line?.id, quantity: 1 }]
  return { id, body: { order_address_id: address?.id, tracking_number: 'T-1', comments: 'By hand', items } }
}

async function sent(shop: Shop): Promise<[order: number, shipment: number]> {
  const { id, body } = await shipping(shop)
  const answer = await shop.call({ method: 'POST', path: `${ORDERS}/${id}/shipments`, body })
  return [id, (answer.body as Found).id]
}

/** An order of the seed that has some of these, and the first of them. */
async function withSome(shop: Shop, what: string): Promise<[order: number, part: number]> {
  for (const { id } of await rowsOf(shop, `${ORDERS}?limit=50`)) {
    const [part] = await rowsOf(shop, `${ORDERS}/${id}/${what}`)
    if (part) return [id, part.id]
  }
  throw new Error(`No order has ${what}`)
}

function below(what: string): Driver {
  return drive(`GET ${ORDER}/${what}`, async (shop) => ({ ids: [(await withSome(shop, what))[0]] }), {
    ids: [NO_SUCH_ID],
  })
}

function oneBelow(what: string, parameter: string): Driver {
  return drive(`GET ${ORDER}/${what}/:${parameter}`, async (shop) => ({ ids: await withSome(shop, what) }), {
    ids: [1, NO_SUCH_ID],
  })
}

const notifications = (order_placed: unknown, forward_invoice: unknown) => ({
  notifications: {
    order_placed: { email_addresses: order_placed },
    forward_invoice: { email_addresses: forward_invoice },
  },
})

const settingDrivers: Driver[] = [
  drive(`GET ${SETTINGS}`),
  drive(`PUT ${SETTINGS}`, { body: notifications(['staff@example.com'], []) }, { body: notifications('staff', []) }),
  drive(`GET ${SETTINGS}/channels/:channelId`, { ids: [1] }),
  drive(
    `PUT ${SETTINGS}/channels/:channelId`,
    { ids: [1], body: notifications(['staff@example.com'], []) },
    { ids: [1], body: notifications(['staff@example.com'], null) },
  ),
]

const shipmentDrivers: Driver[] = [
  drive(`GET ${SHIPMENTS}`, async (shop) => ({ ids: [(await sent(shop))[0]] })),
  drive(
    `POST ${SHIPMENTS}`,
    async (shop) => {
      const { id, body } = await shipping(shop)
      return { ids: [id], body }
    },
    async (shop) => {
      const { id, body } = await shipping(shop)
      return { ids: [id], body: { ...body, items: [] } }
    },
  ),
  drive(`DELETE ${SHIPMENTS}`, async (shop) => ({ ids: [(await sent(shop))[0]] })),
  drive(`GET ${SHIPMENTS}/count`, async (shop) => ({ ids: [(await sent(shop))[0]] })),
  drive(`GET ${SHIPMENTS}/:shipmentId`, at(sent), { ids: [1, NO_SUCH_ID] }),
  drive(
    `PUT ${SHIPMENTS}/:shipmentId`,
    at(sent, { body: { tracking_number: 'T-2' } }),
    at(sent, { body: { tracking_number: 'x'.repeat(51) } }),
  ),
  drive(`DELETE ${SHIPMENTS}/:shipmentId`, at(sent), { ids: [1, NO_SUCH_ID] }),
]

export const orderDrivers: Driver[] = [
  drive(
    `GET ${ORDERS}`,
    [{}, { query: 'include=consignments.line_items,fees&consignment_structure=object&min_id=1&limit=3' }],
    [{ query: 'min_id=many' }, { query: 'min_date_created=never' }],
  ),
  drive(`POST ${ORDERS}`, { body: NEW_ORDER }, [
    { body: { ...NEW_ORDER, products: undefined } },
    { body: { ...NEW_ORDER, customer_id: NO_SUCH_ID } },
    { body: { ...NEW_ORDER, total_ex_tax: undefined } },
  ]),
  drive(`DELETE ${ORDERS}`),
  // Nothing but who asks can be wrong with these.
  drive(`GET ${ORDERS}/count`),
  drive('GET /v2/order_statuses'),
  drive('GET /v2/order_statuses/:statusId', { ids: [10] }, { ids: [99] }),
  drive(`GET ${ORDER}`, at(newOrder)),
  drive(
    `PUT ${ORDER}`,
    at(newOrder, { body: { status_id: 2, staff_notes: 'Sent' } }),
    at(newOrder, { body: { status_id: 99 } }),
  ),
  drive(`DELETE ${ORDER}`, at(newOrder)),
  ...['products', 'shipping_addresses', 'coupons', 'taxes', 'messages', 'fees'].map(below),
  drive(`GET ${ORDER}/consignments`, at(newOrder)),
  oneBelow('products', 'lineId'),
  oneBelow('shipping_addresses', 'addressId'),
  ...shipmentDrivers,
  ...settingDrivers,
]
