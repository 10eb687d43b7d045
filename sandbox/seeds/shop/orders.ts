import { mailDate } from '../../http/v2-body.ts'
import { currencyTable } from '../../resources/channels/currencies.ts'
import { addressFields, FRESH_ORDER } from '../../resources/orders/order-fields.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { customerTable } from '../../tables/customer-tables.ts'
import {
  orderAddressTable,
  orderCouponTable,
  orderFeeTable,
  orderMessageTable,
  orderMetafieldTable,
  orderProductTable,
  orderTable,
  orderTaxTable,
  shipmentTable,
} from '../../tables/order-tables.ts'
import { productTable, variantTable } from '../../tables/product-tables.ts'

type Body = Record<string, unknown>

const FIRST_DAY_MS = Date.UTC(2023, 0, 2, 8, 30)
const HOUR_MS = 3_600_000

/** Statuses of orders, the most frequent first. */
const STATUSES = [10, 2, 11, 10, 3, 5, 1, 10, 4, 7, 2, 9, 14, 0] as const
const SHIPPED = [2, 3, 10]
const PAYMENTS = ['Credit Card', 'Cash on Delivery', 'Bank Deposit', 'Test Payment Gateway'] as const
const TOWNS = [
  ['Austin', 'Texas', '78751'],
  ['Portland', 'Oregon', '97201'],
  ['Boston', 'Massachusetts', '02108'],
] as const

interface Shelf {
  products: Row[]
  variants: Row[]
  customers: Row[]
  currencies: string[]
}

/** Adds orders of customers and guests, in every status, with current and deleted products. */
export function seedOrders(store: SandboxStore, count: number): void {
  const first = (table: ReturnType<typeof productTable>, limit: number) => table.page({ offset: 0, limit }).rows
  const shelf: Shelf = {
    products: first(productTable(store), 200),
    variants: first(variantTable(store), 400),
    customers: first(customerTable(store), 500),
    currencies: first(currencyTable(store), 10).map(({ currency_code }) => String(currency_code)),
  }
  for (let n = 0; n < count; n++) plantOrder(store, shelf, n)
}

function plantOrder(store: SandboxStore, shelf: Shelf, n: number): void {
  const status_id = STATUSES[n % STATUSES.length] ?? 1
  const customer = n % 4 === 3 ? undefined : shelf.customers[n % shelf.customers.length]
  const lines = linesOf(shelf, n)
  const address = addressOf(n, customer)
  const isDigital = n % 9 === 8
  const order = orderTable(store).insert({
    ...orderRow(n, lines, address, { status_id, isDigital }),
    customer_id: customer?.id ?? 0,
    default_currency_code: shelf.currencies[n % 7 === 6 ? (shelf.currencies.length > 1 ? 1 : 0) : 0] ?? 'USD',
    payment_method: PAYMENTS[n % PAYMENTS.length],
    payment_status: status_id === 4 ? 'refunded' : n % 3 === 0 ? 'captured' : '',
    customer_message: n % 5 === 0 ? 'Please ring twice.' : '',
    staff_notes: n % 6 === 0 ? 'A regular.' : '',
    ip_address: `203.0.113.${n % 250}`,
    geoip_country: 'United States',
    geoip_country_iso2: 'US',
    order_source: 'www',
    ...(n % 13 === 4 && { external_source: 'Amazon', external_order_id: `A-${1000 + n}` }),
  })
  const sent = isDigital ? undefined : orderAddressTable(store).insert(sentTo(order, address))
  const made = lines.map((line) =>
    orderProductTable(store).insert({
      ...line,
      order_id: order.id,
      order_address_id: isSent(line) ? (sent?.id ?? 0) : 0,
    }),
  )
  plantAround(store, order, n, { made, sent })
}

/** A plain order from the shop's n-th hour of business. */
export function orderRow(
  n: number,
  lines: Body[],
  address: Body,
  { status_id = 1, isDigital = false }: { status_id?: number; isDigital?: boolean } = {},
): Body {
  return {
    ...FRESH_ORDER,
    ...totalsOf(lines, n, isDigital),
    status_id,
    default_currency_code: 'USD',
    billing_address: address,
    order_is_digital: isDigital,
    ...datesOf(n, status_id),
  }
}

/** Adds everything besides the products: fees, coupons, taxes, shipments, messages. */
function plantAround(
  store: SandboxStore,
  order: Row,
  n: number,
  { made, sent }: { made: Row[]; sent: Row | undefined },
) {
  const order_id = order.id
  if (n % 6 === 2) orderFeeTable(store).insert({ order_id, ...fee })
  if (n % 5 === 1)
    orderCouponTable(store).insert({ order_id, coupon_id: 0, code: 'WELCOME', amount: '5.0000', type: 2, discount: 5 })
  orderTaxTable(store).insert({
    order_id,
    ...tax,
    order_address_id: sent?.id ?? 0,
    line_amount: String(order.total_tax ?? 0),
  })
  if (n % 11 === 0) orderMessageTable(store).insert({ order_id, ...message, customer_id: order.customer_id })
  if (n % 4 === 0) orderMetafieldTable(store).insert({ ...metafield, resource_id: order_id, value: `route ${n}` })
  if (sent && SHIPPED.includes(Number(order.status_id))) plantShipment(store, order, n, { made, sent })
}

export const fee = {
  type: 'custom_fee',
  display_name_customer: 'Parcel insurance',
  display_name_merchant: 'Insurance',
  source: 'checkout',
  base_cost: 2,
  cost_ex_tax: 2,
  cost_inc_tax: 2.2,
  cost_tax: 0.2,
  tax_class_id: null,
}

export const tax = {
  name: 'State tax',
  class: 'Default Tax Class',
  rate: '10.0000',
  priority: 1,
  tax_class_id: 0,
  line_item_type: 'item',
}
export const message = {
  staff_id: 0,
  type: 'customer',
  subject: 'When?',
  message: 'When does it come?',
  status: 'read',
  is_flagged: false,
}
export const metafield = {
  namespace: 'warehouse',
  key: 'route',
  permission_set: 'write',
  description: '',
  resource_type: 'order',
  owner_client_id: 'seed',
  date_created: '2024-02-29T12:00:00+00:00',
  date_modified: '2024-02-29T12:00:00+00:00',
}

function plantShipment(store: SandboxStore, order: Row, n: number, { made, sent }: { made: Row[]; sent: Row }): void {
  // A partial shipment has only the first product, or one piece less if there is no other. A complete one would make
  // the order "shipped", and downloads do not count.
  const goods = made.filter(isSent)
  const going = order.status_id === 3 ? goods.slice(0, 1) : goods
  const left = order.status_id === 3 && goods.length === 1 ? 1 : 0
  const items = going
    .map(({ id, product_id, quantity }) => ({ order_product_id: id, product_id, quantity: Number(quantity) - left }))
    .filter(({ quantity }) => quantity > 0)
  if (items.length === 0) return
  for (const { order_product_id, quantity } of items)
    orderProductTable(store).update(order_product_id, { quantity_shipped: quantity })
  shipmentTable(store).insert(shipmentOf(order, n, { items, sent }))
}

const isSent = ({ type }: Body) => type === 'physical'

export function shipmentOf(order: Row, n: number, { items, sent }: { items: Body[]; sent: Row }): Body {
  return {
    order_id: order.id,
    order_address_id: sent.id,
    items,
    tracking_number: `TRACK${n}`,
    tracking_carrier: '',
    tracking_link: '',
    merchant_shipping_cost: 1,
    shipping_method: 'Flat rate',
    shipping_provider: '',
    comments: n % 2 === 0 ? 'Handle with care' : '',
    date_created: order.date_shipped || order.date_created,
  }
}

const wrapped = {
  wrapping_name: 'Gold paper',
  wrapping_message: 'For you',
  wrapping_cost_ex_tax: 2,
  wrapping_cost_inc_tax: 2.2,
}

/** One or two current products, sometimes a custom line or a deleted product. */
function linesOf({ products, variants }: Shelf, n: number): Body[] {
  const variant = variants[(n * 7) % variants.length]
  const product = products.find(({ id }) => id === variant?.product_id)
  const lines = [
    lineOf(n, {
      product_id: product?.id ?? 0,
      variant_id: variant?.id ?? 0,
      name: product?.name ?? 'Something',
      sku: variant?.sku ?? '',
      ...(product?.type === 'digital' && { type: 'digital' }),
      ...(n % 4 === 2 && { ...wrapped, upc: '700000000003' }),
    }),
  ]
  if (n % 3 === 1) lines.push(lineOf(n + 1, { product_id: 0, variant_id: 0, name: 'Engraving', sku: '' }))
  // No product has this id.
  if (n % 5 === 3)
    lines.push(
      lineOf(n + 2, { product_id: 99_999_999, variant_id: 99_999_999, name: 'Discontinued lamp', sku: 'OLD-LAMP' }),
    )
  return n === LONG_ORDER
    ? [
        ...lines,
        ...Array.from({ length: 58 }, (_, at) =>
          lineOf(at, { product_id: 0, variant_id: 0, name: `Spare part ${at + 1}`, sku: `SPARE-${at + 1}` }),
        ),
      ]
    : lines
}

/** The order with more lines than the list includes. */
const LONG_ORDER = 20

export function lineOf(n: number, fields: Body): Body {
  const quantity = 1 + (n % 3)
  const price = 5 + (n % 20)
  const taxed = Math.round(price * 110) / 100
  return {
    type: 'physical',
    name_merchant: fields.name,
    quantity,
    quantity_shipped: 0,
    base_price: price,
    base_total: price * quantity,
    price_ex_tax: price,
    price_inc_tax: taxed,
    total_ex_tax: price * quantity,
    total_inc_tax: Math.round(taxed * quantity * 100) / 100,
    wrapping_cost_ex_tax: 0,
    wrapping_cost_inc_tax: 0,
    wrapping_name: '',
    wrapping_message: '',
    upc: '',
    product_options: [],
    applied_discounts: [],
    ...fields,
  }
}

function totalsOf(lines: Body[], n: number, isDigital: boolean): Body {
  const sum = (field: string) => Math.round(lines.reduce((all, line) => all + Number(line[field]), 0) * 100) / 100
  const shipping = isDigital ? 0 : 4.5
  const discount_amount = n % 10 === 6 ? 1 : 0
  const [ex, inc] = [sum('total_ex_tax'), sum('total_inc_tax')]
  return {
    subtotal_ex_tax: ex,
    subtotal_inc_tax: inc,
    base_shipping_cost: shipping,
    shipping_cost_ex_tax: shipping,
    shipping_cost_inc_tax: shipping,
    discount_amount,
    coupon_discount: n % 5 === 1 ? 5 : 0,
    store_credit_amount: n % 17 === 7 ? 3 : 0,
    total_ex_tax: cents(ex + shipping - discount_amount),
    total_inc_tax: cents(inc + shipping - discount_amount),
  }
}

const cents = (amount: number) => Math.max(0, Math.round(amount * 100) / 100)

function datesOf(n: number, status: number): Body {
  const made = FIRST_DAY_MS + n * 7 * HOUR_MS
  const date = (hours: number) => mailDate(new Date(made + hours * HOUR_MS))
  return { date_created: date(0), date_modified: date(30), date_shipped: SHIPPED.includes(status) ? date(24) : '' }
}

export function addressOf(n: number, customer: Row | undefined): Body {
  const [city, state, zip] = TOWNS[n % TOWNS.length] ?? TOWNS[0]
  return addressFields({
    first_name: customer?.first_name ?? 'Guest',
    last_name: customer?.last_name ?? `Number ${n}`,
    company: '',
    street_1: `${n + 1} Main Street`,
    street_2: '',
    city,
    state,
    zip,
    country: 'United States',
    country_iso2: 'US',
    phone: '555-0100',
    email: customer?.email ?? `guest${n}@example.com`,
  })
}

/** The row for the address that an order is sent to. */
export function sentTo(order: Row, address: Body): Body {
  return {
    order_id: order.id,
    ...address,
    shipping_method: 'Flat rate',
    shipping_zone_id: 0,
    shipping_zone_name: '',
    base_cost: order.base_shipping_cost,
    cost_ex_tax: order.shipping_cost_ex_tax,
    cost_inc_tax: order.shipping_cost_inc_tax,
  }
}
