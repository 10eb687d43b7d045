import { email, mark, type ProbeCall, ref, type Step } from '../call.ts'
import { accepted, last, status, titled } from '../verdict.ts'
import { products } from './catalog.ts'

const orders = '/v2/orders'

const addressFields = {
  first_name: mark('buyer'),
  last_name: 'Sample',
  company: 'Company',
  street_1: '1 Sample Street',
  street_2: 'Second floor',
  city: 'Austin',
  state: 'Texas',
  zip: '78751',
  country: 'United States',
  country_iso2: 'US',
  phone: '555-0100',
  email: email('buyer'),
}

const line = { name: 'Lamp', quantity: 1, price_ex_tax: 10, price_inc_tax: 11 }

/** Every order has the prefix in its staff notes, whatever is tried with the rest. */
const order = (name: string, changed: Record<string, unknown> = {}) => ({
  customer_id: 0,
  status_id: 11,
  date_created: 'Tue, 01 Feb 2022 10:00:00 +0000',
  billing_address: addressFields,
  shipping_addresses: [addressFields],
  products: [line],
  external_source: 'M-MIG',
  external_order_id: mark(name),
  staff_notes: mark(name),
  ...changed,
})

const post = (name: string, changed?: Record<string, unknown>, finds?: Record<string, string>): ProbeCall => ({
  method: 'POST',
  path: orders,
  body: order(name, changed),
  ...(finds && { finds }),
})

const refusal = last(status(400))
const outOfStock = last(status(409), titled(/stock|quantity/i))

/** Products that the platform may refuse to order, each created for its question. */
const sold: readonly [key: string, question: string, fields: Record<string, unknown>, quantity: number][] = [
  ['stock 0', 'a product without stock', { inventory_tracking: 'product', inventory_level: 0 }, 1],
  ['more than in stock', 'more than there is in stock', { inventory_tracking: 'product', inventory_level: 1 }, 3],
  ['below the minimum', 'less than the minimum of a product', { order_quantity_minimum: 5 }, 1],
  ['above the maximum', 'more than the maximum of a product', { order_quantity_maximum: 2 }, 3],
  ['disabled product', 'a product that cannot be purchased', { availability: 'disabled' }, 1],
]

function soldSteps([key, what, fields, quantity]: (typeof sold)[number]): Step {
  const name = `sold-${key.replaceAll(' ', '-')}`
  const product = `product of ${key}`
  const body = { type: 'physical', weight: 1, price: 10, is_visible: false, name: mark(name), ...fields }
  return {
    key: `order: ${key}`,
    question: `Is an order of ${what} accepted?`,
    calls: [
      { method: 'POST', path: products, body, finds: { [product]: 'id' } },
      post(name, { products: [{ product_id: ref(product), quantity, price_ex_tax: 10, price_inc_tax: 11 }] }),
    ],
    documented: last(accepted),
    seen: key === 'disabled product' ? last(status(400, 409)) : outOfStock,
    quick: true,
  }
}

/** What was in stock before and after a refused order. */
const stockAfterRefusal: Step = {
  key: 'order: stock after a refusal',
  question: 'Does an order that is refused for stock take some of it all the same?',
  calls: [
    { method: 'GET', path: `${products}/{product of more than in stock}` },
    post('refused', {
      products: [
        { product_id: ref('product of more than in stock'), quantity: 1, price_ex_tax: 10, price_inc_tax: 11 },
        { product_id: ref('product of stock 0'), quantity: 1, price_ex_tax: 10, price_inc_tax: 11 },
      ],
    }),
    { method: 'GET', path: `${products}/{product of more than in stock}` },
  ],
  documented: (answers) => levelOf(answers[0]?.body) === levelOf(answers[2]?.body),
  seen: (answers) => levelOf(answers[0]?.body) !== levelOf(answers[2]?.body),
  quick: true,
}

function levelOf(body: unknown): unknown {
  return (body as { data?: { inventory_level?: unknown } } | undefined)?.data?.inventory_level
}

const stockAfterOrder: Step = {
  key: 'order: stock after an order',
  question: 'Does an order that is accepted take its goods from stock?',
  calls: [
    { method: 'GET', path: `${products}/{product}` },
    post('taken', { products: [{ product_id: ref('product'), quantity: 1, price_ex_tax: 10, price_inc_tax: 11 }] }),
    { method: 'GET', path: `${products}/{product}` },
  ],
  documented: (answers) => Number(levelOf(answers[0]?.body)) - 1 === Number(levelOf(answers[2]?.body)),
  seen: (answers) => levelOf(answers[0]?.body) === levelOf(answers[2]?.body),
  quick: true,
}

const requiredModifier: Step = {
  key: 'order: required modifier missing',
  question: 'Is an order without the choice of a required modifier accepted?',
  calls: [
    {
      method: 'POST',
      path: products,
      body: { type: 'physical', weight: 1, price: 10, is_visible: false, name: mark('choosy') },
      finds: { choosy: 'id' },
    },
    {
      method: 'POST',
      path: `${products}/{choosy}/modifiers`,
      body: { display_name: mark('choice'), type: 'text', required: true },
    },
    post('choosy', { products: [{ product_id: ref('choosy'), quantity: 1, price_ex_tax: 10, price_inc_tax: 11 }] }),
  ],
  documented: last(accepted),
  seen: last(status(400)),
  quick: true,
}

/** Leaves one field of both addresses empty. */
function emptyField(field: string): Step {
  const given = { ...addressFields, [field]: '' }
  return {
    key: `order: empty ${field}`,
    question: `Is an order accepted whose addresses have an empty ${field}?`,
    calls: [post(`empty-${field.replaceAll('_', '-')}`, { billing_address: given, shipping_addresses: [given] })],
    documented: last(accepted),
    seen: refusal,
    quick: field === 'country' || field === 'country_iso2' || field === 'email',
  }
}

const without = (...fields: string[]) =>
  Object.fromEntries(Object.entries(addressFields).filter(([field]) => !fields.includes(field)))

const alternatives: readonly [key: string, question: string, changed: Record<string, unknown>, quick: boolean][] = [
  ['no country', 'an address without a country', { billing_address: without('country', 'country_iso2') }, true],
  [
    'country by name',
    'an address with the name of its country only',
    { billing_address: without('country_iso2') },
    false,
  ],
  ['invalid e-mail', 'an invalid e-mail address', { billing_address: { ...addressFields, email: 'robin' } }, true],
  ['no lines', 'no products', { products: [] }, true],
  ['no mark', 'no mark of a migration', { external_source: '' }, false],
  ['one price', 'a line with one of its two prices', { products: [{ ...line, price_inc_tax: undefined }] }, false],
  ['amount 0', 'an amount of 0', { products: [{ ...line, price_ex_tax: 0, price_inc_tax: 0 }] }, false],
  ['negative amount', 'a negative amount', { products: [{ ...line, price_ex_tax: -1, price_inc_tax: -1 }] }, false],
  ['date in another form', 'a date that is not of RFC 2822', { date_created: '2022-02-01 10:00' }, false],
  ['unknown field', 'a field that it does not have', { sfprobe_field: 'x' }, true],
]

function alternative([key, what, changed, quick]: (typeof alternatives)[number]): Step {
  return {
    key: `order: ${key}`,
    question: `Is an order with ${what} accepted?`,
    calls: [post(`with-${key.replaceAll(/[^a-z0-9]/g, '-')}`, changed)],
    documented: last(accepted),
    seen: refusal,
    quick,
  }
}

function withStatus(id: number): Step {
  return {
    key: `order: status ${id}`,
    question: `Is a new order of status ${id} accepted?`,
    calls: [post(`status-${id}`, { status_id: id })],
    documented: last(accepted),
    seen: refusal,
    quick: false,
  }
}

const shipment: Step[] = [
  {
    key: 'order: lines',
    question: 'What do the lines of an order show?',
    calls: [{ method: 'GET', path: `${orders}/{order}/products`, finds: { 'order line': '0.id' } }],
    documented: last(status(200)),
    quick: true,
  },
  {
    key: 'order: addresses',
    question: 'What do the shipping addresses of an order show?',
    calls: [{ method: 'GET', path: `${orders}/{order}/shipping_addresses`, finds: { 'order address': '0.id' } }],
    documented: last(status(200)),
    quick: true,
  },
  {
    key: 'shipment: create',
    question: 'What does a shipment answer?',
    calls: [shipmentOf(1)],
    documented: last(accepted),
    quick: true,
  },
  {
    key: 'shipment: more than is open',
    question: 'What does a shipment of more than is open answer?',
    calls: [shipmentOf(5)],
    documented: last(status(400)),
    quick: true,
  },
  {
    key: 'order metafield: create',
    question: 'What does a metafield of an order answer?',
    calls: [
      {
        method: 'POST',
        path: '/v3/orders/{order}/metafields',
        body: { namespace: mark('space'), key: mark('key'), value: 'Value', permission_set: 'app_only' },
      },
    ],
    documented: last(accepted),
    quick: true,
  },
]

function shipmentOf(quantity: number): ProbeCall {
  return {
    method: 'POST',
    path: `${orders}/{order}/shipments`,
    body: {
      order_address_id: ref('order address'),
      tracking_number: 'T-1',
      items: [{ order_product_id: ref('order line'), quantity }],
    },
  }
}

export const orderSteps: Step[] = [
  {
    key: 'order: create',
    question: 'What does a good order answer?',
    calls: [post('order', { customer_id: ref('customer') }, { order: 'id' })],
    documented: last(status(200)),
    seen: last(status(201)),
    quick: true,
  },
  {
    key: 'order: read',
    question: 'What does an order show?',
    calls: [{ method: 'GET', path: `${orders}/{order}` }],
    documented: last(status(200)),
    quick: true,
  },
  {
    key: 'order: change',
    question: 'What does a change of an order answer?',
    calls: [{ method: 'PUT', path: `${orders}/{order}`, body: { staff_notes: mark('changed') } }],
    documented: last(status(200)),
    quick: true,
  },
  {
    key: 'order: external id again',
    needs: ['order'],
    question: 'May two orders have the same external id?',
    calls: [post('order')],
    documented: last(accepted),
    seen: last(status(400, 409)),
    quick: true,
  },
  ...shipment,
  stockAfterOrder,
  ...sold.map(soldSteps),
  stockAfterRefusal,
  requiredModifier,
  ...alternatives.map(alternative),
  ...Object.keys(addressFields)
    .filter((field) => field !== 'first_name')
    .map(emptyField),
  ...Array.from({ length: 15 }, (_none, id) => withStatus(id)),
]
