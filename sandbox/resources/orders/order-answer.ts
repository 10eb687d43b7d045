import { v2Link, v2Money } from '../../http/v2-body.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { orderAddressTable, orderFeeTable, orderProductTable, statusName } from '../../tables/order-tables.ts'
import { currencyTable } from '../channels/currencies.ts'
import { ADDRESS_FIELDS, ORDER_RULES } from './order-fields.ts'

type Body = Record<string, unknown>

/** The most products in an order inside a list, which is cut with a warning. Source: the platform's public issues. */
const MOST_INLINE_LINES = 50

const MONEY = [
  ...Object.keys(ORDER_RULES).filter((field) => ORDER_RULES[field]?.kind === 'number'),
  ...['store_credit_amount', 'gift_certificate_amount', 'coupon_discount'],
]
const TAXED = ['subtotal', 'shipping_cost', 'handling_cost', 'wrapping_cost', 'total']

const tax = (row: Body, what: string) =>
  v2Money(Number(row[`${what}_inc_tax`] ?? 0) - Number(row[`${what}_ex_tax`] ?? 0))

function below(table: (store: SandboxStore) => ReturnType<typeof orderProductTable>, store: SandboxStore, order: Row) {
  return table(store).find({ order_id: order.id })
}

/** An order as returned in a list. `includes` are those of the query. */
export function shownOrder(store: SandboxStore, order: Row, includes: ReadonlySet<string> = new Set()): Body {
  const { id, billing_address, is_deleted, pickups: _pickups, ...rest } = order
  const lines = below(orderProductTable, store, order)
  const addresses = below(orderAddressTable, store, order)
  const currency = currencyOf(store, rest.default_currency_code)
  const link = (what: string) => v2Link(`/orders/${id}/${what}`)
  const withLines = includes.has('consignments.line_items')
  return {
    id,
    ...rest,
    ...Object.fromEntries(MONEY.map((field) => [field, v2Money(rest[field])])),
    ...Object.fromEntries(TAXED.map((what) => [`${what}_tax`, tax(rest, what)])),
    status: statusName(rest.status_id),
    items_total: lines.reduce((sum, line) => sum + Number(line.quantity), 0),
    items_shipped: lines.reduce((sum, line) => sum + Number(line.quantity_shipped), 0),
    currency_id: currency?.id ?? 0,
    currency_code: rest.default_currency_code,
    currency_exchange_rate: '1.0000000000',
    default_currency_id: currency?.id ?? 0,
    store_default_currency_code: currencyTable(store).find({ is_default: true })[0]?.currency_code ?? 'USD',
    store_default_to_transactional_exchange_rate: '1.0000000000',
    shipping_address_count: addresses.length,
    is_deleted,
    billing_address,
    products: link('products'),
    shipping_addresses: link('shippingaddresses'),
    coupons: link('coupons'),
    fees: includes.has('fees') ? below(orderFeeTable, store, order).map(shownFee) : link('fees'),
    consignments:
      withLines || includes.has('consignments')
        ? consignmentsOf(order, lines, addresses, withLines)
        : link('consignments'),
  }
}

export function shownLine(line: Row): Body {
  const prices = [
    ...['price', 'total', 'wrapping_cost'].flatMap((what) => [`${what}_ex_tax`, `${what}_inc_tax`]),
    ...['base_price', 'base_total'],
  ]
  return {
    ...line,
    ...Object.fromEntries(prices.map((field) => [field, v2Money(line[field])])),
    price_tax: tax(line, 'price'),
    total_tax: tax(line, 'total'),
    name_customer: line.name,
  }
}

export function shownAddress(store: SandboxStore, address: Row): Body {
  const lines = orderProductTable(store)
    .find({ order_id: Number(address.order_id) })
    .filter((line) => line.order_address_id === address.id)
  const sum = (field: string) => lines.reduce((total, line) => total + Number(line[field] ?? 0), 0)
  return {
    ...address,
    items_total: sum('quantity'),
    items_shipped: sum('quantity_shipped'),
    base_cost: v2Money(address.base_cost),
    cost_ex_tax: v2Money(address.cost_ex_tax),
    cost_inc_tax: v2Money(address.cost_inc_tax),
    cost_tax: tax(address, 'cost'),
  }
}

export function shownFee({ order_id: _order, ...fee }: Row): Body {
  return fee
}

export function shownShipment(store: SandboxStore, shipment: Row, order: Row): Body {
  const address = orderAddressTable(store).get(Number(shipment.order_address_id))
  return {
    ...shipment,
    merchant_shipping_cost: v2Money(shipment.merchant_shipping_cost),
    customer_id: order.customer_id,
    billing_address: plainAddress(order.billing_address as Body | undefined),
    shipping_address: plainAddress(address),
    generated_tracking_link: '',
    shipping_provider_display_name: '',
  }
}

/** Only the name and address, as a shipment has it. */
function plainAddress(address: Body | undefined): Body {
  return Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, String(address?.[field] ?? '')]))
}

/** Shipments of products, pickups, downloads, and gift certificates, which are sent by email. */
function consignmentsOf(order: Row, lines: Row[], addresses: Row[], withLines: boolean): Body {
  const linesIn = (own: Row[]) => {
    if (!withLines) return { line_items: own.map((line) => ({ resource: `/orders/${order.id}/products/${line.id}` })) }
    const shown = own.slice(0, MOST_INLINE_LINES).map(shownLine)
    if (own.length <= MOST_INLINE_LINES) return { line_items: shown }
    return { line_items: shown, __warning__: { line_items: `Only ${MOST_INLINE_LINES} of ${own.length} are shown.` } }
  }
  const unsent = lines.filter((line) => !addresses.some(({ id }) => id === line.order_address_id))
  const certificates = unsent.filter((line) => line.type === 'giftcertificate')
  const others = unsent.filter((line) => line.type !== 'giftcertificate')
  // Only the call that creates an order writes this field. Which of several pickups a line is in is not kept.
  const [pickup, ...more] = (order.pickups ?? []) as Body[]
  const downloads = pickup ? [] : others
  return {
    pickups: pickup ? [{ ...pickup, ...linesIn(others) }, ...more.map((one) => ({ ...one, ...linesIn([]) }))] : [],
    shipping: addresses.map((address) => {
      const { order_id: _order, ...own } = address
      return { ...own, ...linesIn(lines.filter((line) => line.order_address_id === address.id)) }
    }),
    downloads: downloads.length > 0 ? [linesIn(downloads)] : [],
    email: { gift_certificates: certificates.length > 0 ? [linesIn(certificates)] : [] },
  }
}

function currencyOf(store: SandboxStore, code: unknown): Row | undefined {
  return currencyTable(store).find({ currency_code_key: String(code) })[0]
}
