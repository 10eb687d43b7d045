import { channelsTable } from '../../resources/channels/channels.ts'
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
import { variantTable } from '../../tables/product-tables.ts'
import { addressOf, fee, lineOf, message, metafield, orderRow, sentTo, shipmentOf, tax } from '../shop/orders.ts'
import { type AwkwardShop, filled, goneId, productNamed } from './awkward-shop.ts'

type Body = Record<string, unknown>

const LONG_NOTE = filled('Bitte klingeln 🔔 שלום\r\n<b>2. Stock</b>. ', 60_000).trimEnd()

/**
 * Adds orders with every kind of child and with the longest texts: from guests and deleted customers, with deleted
 * products, to two addresses, in two shipments, with external ids, on a closed storefront, and free of charge.
 */
export function plantAwkwardOrders(shop: AwkwardShop): void {
  const { store } = shop
  plantOneWithEverything(shop)
  add(store, 1, { ip_address: '', ip_address_v6: '2001:db8::1', lines: [gone(store), gone(store)] })
  add(store, 2, { customer_id: goneId(store, 'customers'), lines: [sold(shop, 'Last of the awkward')] })
  const closed = channelsTable(store)
    .find({})
    .find(({ name }) => name === 'Closed-outlet')?.id
  add(store, 3, { channel_id: closed, status_id: 0, lines: [byHand('أحجار <i>& 🪨</i>')] })
  add(store, 4, { ...ofNoPrice, order_is_digital: true, status_id: 10, lines: [byHand('A voucher')] }, false)
  add(store, 5, { ...ofAnotherService, status_id: 4, refunded_amount: 1, lines: [byHand('Twice the same')] })
  add(store, 6, { ...ofAnotherService, status_id: 5, lines: [byHand('Twice the same')] })
}

const ofNoPrice = {
  ...{ subtotal_ex_tax: 0, subtotal_inc_tax: 0, total_ex_tax: 0, total_inc_tax: 0 },
  ...{ base_shipping_cost: 0, shipping_cost_ex_tax: 0, shipping_cost_inc_tax: 0 },
}

/** For two orders with the same external number: other services number orders in their own way. */
const ofAnotherService = { external_source: 'Elsewhere', external_order_id: 'E-1' }

function plantOneWithEverything(shop: AwkwardShop): void {
  const { store } = shop
  const [customer] = customerTable(store).find({ email_key: 'everything@example.com' })
  const texts = { customer_message: filled('Wann? 日本 ', 2_000).trimEnd(), staff_notes: LONG_NOTE }
  const lines = [
    sold(shop, 'Free of charge'),
    sold(shop, 'Last of the awkward'),
    byHand(filled('Gravur ✍ ', 255).trim()),
  ]
  const { order, made, sent } = add(store, 0, { ...texts, customer_id: customer?.id, status_id: 3, lines })
  orderAddressTable(store).insert({ ...sentTo(order, addressOf(7, undefined)), shipping_method: 'By hand' })
  orderFeeTable(store).insert({ order_id: order.id, ...fee })
  orderCouponTable(store).insert({
    order_id: order.id,
    coupon_id: 0,
    code: 'WINTER',
    amount: '5.0000',
    type: 2,
    discount: 5,
  })
  orderTaxTable(store).insert({ order_id: order.id, ...tax, order_address_id: sent?.id, line_amount: '1.0000' })
  orderMessageTable(store).insert({ order_id: order.id, ...message, customer_id: order.customer_id })
  for (const key of ['route', filled('key ', 64).trim()])
    orderMetafieldTable(store).insert({ ...metafield, resource_id: order.id, key, value: filled('v', 65_535) })
  for (const [at, { id, product_id, quantity }] of made.slice(0, 2).entries()) {
    if (!sent) continue
    orderProductTable(store).update(id, { quantity_shipped: quantity })
    const items = [{ order_product_id: id, product_id, quantity }]
    shipmentTable(store).insert(shipmentOf(order, at, { items, sent }))
  }
}

interface Planted {
  order: Row
  made: Row[]
  sent: Row | undefined
}

function add(store: SandboxStore, n: number, { lines, ...fields }: Body & { lines: Body[] }, isSent = true): Planted {
  const order = orderTable(store).insert({ ...orderRow(n, lines, addressOf(n, undefined)), ...fields })
  const sent = isSent ? orderAddressTable(store).insert(sentTo(order, addressOf(n, undefined))) : undefined
  const made = lines.map((line) =>
    orderProductTable(store).insert({ ...line, order_id: order.id, order_address_id: sent?.id ?? 0 }),
  )
  return { order, made, sent }
}

function sold({ store, ...shop }: AwkwardShop, name: string): Body {
  const { id, base_variant_id } = productNamed({ store, ...shop }, name)
  const variant = base_variant_id ?? variantTable(store).find({ product_id: id })[0]?.id
  return lineOf(1, { product_id: id, variant_id: variant, name, sku: '' })
}

const byHand = (name: string) => lineOf(0, { product_id: 0, variant_id: 0, name, sku: '' })

function gone(store: SandboxStore): Body {
  const ids = { product_id: goneId(store, 'products'), variant_id: goneId(store, 'variants') }
  return lineOf(2, { ...ids, name: 'No longer made', sku: 'OLD' })
}
