import { mailDate, refuseV2, refuseV2IfAny, v2Link } from '../../http/v2-body.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { customerTable } from '../../tables/customer-tables.ts'
import { orderAddressTable, orderFeeTable, orderProductTable, orderTable } from '../../tables/order-tables.ts'
import {
  modifierTable,
  modifierValueTable,
  optionTable,
  optionValueTable,
  productTable,
  variantTable,
} from '../../tables/product-tables.ts'
import { fourDecimals } from '../../validation/field-rules.ts'
import { channelsTable } from '../channels/channels.ts'
import { currencyTable } from '../channels/currencies.ts'
import { addressFields, FRESH_ORDER, orderFields } from './order-fields.ts'
import { refuseWhatIsNotForSale, takeFromStock } from './order-stock.ts'
import { mailStaff } from './outbox.ts'

type Body = Record<string, unknown>

const bodiesIn = (value: unknown): Body[] => (Array.isArray(value) ? value.map((one) => (one ?? {}) as Body) : [])

/** @returns the row of the new order. Source: the published `POST /v2/orders`. */
export function createOrder(store: SandboxStore, given: Body): Row {
  const { values, errors } = orderFields(given)
  refuseV2IfAny({ ...errors, ...complaintsAboutOrder(store, given, values) })
  const lines = bodiesIn(given.products ?? collected(given)).map((line, at) => lineFields(store, line, at))
  refuseWhatIsNotForSale(store, lines)
  return store.transaction(() => {
    const order = orderTable(store).insert({
      ...FRESH_ORDER,
      ...withTotals(values, lines, bodiesIn(given.fees)),
      default_currency_code: values.default_currency_code ?? defaultCurrency(store),
      billing_address: addressFields(given.billing_address),
      ...datesOf(given),
      ...pickupsOf(given),
    })
    // If there are several addresses, all products go to the first, because a line of a new order cannot name its
    // address.
    const [first] = bodiesIn(given.shipping_addresses).map((address) => insertAddress(store, order, address))
    for (const line of lines)
      orderProductTable(store).insert({ ...line, order_id: order.id, order_address_id: addressOf(line, first) })
    for (const fee of bodiesIn(given.fees)) insertFee(store, order, fee)
    for (const line of lines) takeFromStock(store, line)
    mailStaff(store, order)
    return order
  })
}

const pickupsIn = ({ consignments }: Body) => bodiesIn((consignments as Body | undefined)?.pickups)

/** Lines to be picked up are listed inside their pickup. */
function collected(given: Body): Body[] {
  return pickupsIn(given).flatMap(({ line_items }) => bodiesIn(line_items))
}

function pickupsOf(given: Body): Body {
  const pickups = pickupsIn(given).map(({ line_items: _lines, ...pickup }, at) => ({ id: at + 1, ...pickup }))
  return pickups.length > 0 ? { pickups } : {}
}

function complaintsAboutOrder(store: SandboxStore, given: Body, values: Body): Record<string, string> {
  const billing = (given.billing_address ?? {}) as Body
  const zip = String(billing.zip ?? '')
  const { channel_id, customer_id, default_currency_code } = values
  return {
    ...(zip.length < 2 && { billing_address: 'The billing address must include the ZIP code.' }),
    ...(store.switches.order_addresses !== 'accept' && complaintsAboutMissingData(given, billing)),
    ...(given.products === undefined && given.consignments === undefined && withoutProducts),
    ...complaintsAboutLists(given, ['products', 'shipping_addresses', 'fees']),
    ...(given.consignments !== undefined &&
      (given.products ?? given.shipping_addresses) !== undefined && {
        consignments: 'consignments cannot be given with products or shipping_addresses',
      }),
    ...(channel_id !== undefined &&
      !takesOrders(channelsTable(store).get(Number(channel_id))) && { channel_id: 'There is no such channel.' }),
    ...(Number(customer_id ?? 0) > 0 &&
      !customerTable(store).get(Number(customer_id)) && { customer_id: "The field 'customer_id' is invalid." }),
    ...(default_currency_code !== undefined &&
      currencyTable(store).count({ currency_code_key: String(default_currency_code) }) === 0 && {
        default_currency_code: `The store has no currency ${default_currency_code}.`,
      }),
  }
}

/** Source: `channel_id` in the published orders specification, which names channels that are gone or disconnected. */
function takesOrders(channel: Row | undefined): boolean {
  return channel !== undefined && !['deleted', 'terminated', 'disconnected'].includes(String(channel.status))
}

/** Refuses what real stores refuse although the published file does not mention it. */
function complaintsAboutMissingData(given: Body, billing: Body): Record<string, string> {
  return {
    ...(isEmpty(given.products) && withoutProducts),
    ...complaintsAboutAddresses([billing, ...bodiesIn(given.shipping_addresses)]),
    ...(!billing.country && !billing.country_iso2 && { country: 'Billing address country not supplied.' }),
  }
}

const isEmpty = (list: unknown) => Array.isArray(list) && list.length === 0
const withoutProducts = { products: "The required field 'products' was not supplied." }

/** Refuses empty fields as the platform does, and an invalid email address. */
function complaintsAboutAddresses(addresses: Body[]): Record<string, string> {
  const wrong = addresses.flatMap(({ country, country_iso2, email }) => [
    ...(country === '' ? ['country'] : []),
    ...(country_iso2 === '' ? ['country_iso2'] : []),
    ...(email !== undefined && !/^\S+@\S+\.\S+$/.test(String(email)) ? ['email'] : []),
  ])
  return {
    ...Object.fromEntries(wrong.map((field) => [field, `The field '${field}' is invalid.`])),
    ...(addresses.some(({ state }) => state === null) && { state: "The field 'state' does not allow null values." }),
  }
}

function complaintsAboutLists(given: Body, fields: string[]): Record<string, string> {
  const wrong = fields.filter((field) => given[field] !== undefined && !Array.isArray(given[field]))
  return Object.fromEntries(wrong.map((field) => [field, `${field} must be a list`]))
}

function datesOf({ date_created }: Body): Body {
  const now = mailDate(new Date())
  return {
    date_created: date_created === undefined ? now : mailDate(new Date(String(date_created))),
    date_modified: now,
  }
}

function defaultCurrency(store: SandboxStore): unknown {
  return currencyTable(store).find({ is_default: true })[0]?.currency_code ?? 'USD'
}

/** Calculates the totals that the order does not set. */
function withTotals(values: Body, lines: Body[], fees: Body[]): Body {
  const sum = (rows: Body[], field: string) => rows.reduce((total, row) => total + Number(row[field] ?? 0), 0)
  const costs = (kind: string) =>
    ['shipping_cost', 'handling_cost', 'wrapping_cost'].reduce(
      (all, one) => all + Number(values[`${one}_${kind}`] ?? 0),
      0,
    )
  const reckoned = Object.fromEntries(
    ['ex_tax', 'inc_tax'].flatMap((kind) => {
      const subtotal = sum(lines, `total_${kind}`)
      const total = subtotal + costs(kind) + sum(fees, `cost_${kind}`) - Number(values.discount_amount ?? 0)
      return [
        [`subtotal_${kind}`, subtotal],
        [`total_${kind}`, Math.max(0, total)],
      ]
    }),
  )
  return { ...reckoned, ...values }
}

function lineFields(store: SandboxStore, line: Body, at: number): Body {
  const quantity = Number(line.quantity ?? 1)
  if (!Number.isInteger(quantity) || quantity < 1) refuseV2(400, `products[${at}].quantity must be a whole number`)
  refuseEmptyNames(line, LINE_NAMES, `products[${at}]`)
  const own = line.product_id === undefined ? customLine(line, at) : catalogLine(store, line, at)
  const price = (kind: string) => Number(line[`price_${kind}`] ?? own.price)
  const wrapping = (kind: string) => Number(line[`wrapping_cost_${kind}`] ?? 0)
  return {
    product_id: 0,
    variant_id: 0,
    ...own.fields,
    name: String(line.name_customer ?? line.name ?? own.fields.name),
    name_merchant: String(line.name_merchant ?? line.name ?? own.fields.name),
    quantity,
    quantity_shipped: 0,
    base_price: own.price,
    base_total: fourDecimals(own.price * quantity),
    price_ex_tax: price('ex_tax'),
    price_inc_tax: price('inc_tax'),
    total_ex_tax: fourDecimals(price('ex_tax') * quantity),
    total_inc_tax: fourDecimals(price('inc_tax') * quantity),
    wrapping_cost_ex_tax: wrapping('ex_tax'),
    wrapping_cost_inc_tax: wrapping('inc_tax'),
    wrapping_name: String(line.wrapping_name ?? ''),
    wrapping_message: String(line.wrapping_message ?? ''),
    upc: String(line.upc ?? ''),
    product_options: own.options,
    applied_discounts: [],
  }
}

const LINE_NAMES = ['name', 'name_customer', 'name_merchant']
const OPTION_NAMES = ['name', 'value'].flatMap((what) =>
  ['', '_customer', '_merchant'].map((whose) => `display_${what}${whose}`),
)

/** A name may be absent, but not empty. Source: the notes on order products in the published orders specification. */
function refuseEmptyNames(given: Body, names: readonly string[], at: string): void {
  const empty = names.find((name) => given[name] === '' || given[name] === null)
  if (empty !== undefined) refuseV2(400, `${at}.${empty} must not be empty`)
}

interface Line {
  fields: Body
  price: number
  options: Body[]
}

function customLine(line: Body, at: number): Line {
  const missing = ['name', 'price_ex_tax', 'price_inc_tax'].filter((field) => line[field] === undefined)
  if (missing.length > 0) refuseV2(400, `products[${at}] is missing ${missing.join(', ')}`)
  const fields = { name: line.name, sku: String(line.sku ?? ''), type: 'physical' }
  return { fields, price: Number(line.price_ex_tax), options: [] }
}

function catalogLine(store: SandboxStore, line: Body, at: number): Line {
  const product = productTable(store).get(Number(line.product_id))
  if (!product) refuseV2(400, `products[${at}]: the product ${line.product_id} does not exist.`)
  const variant = variantOf(store, product, line, at)
  refuseInvalidOptions(store, product, bodiesIn(line.product_options), at)
  const chosen = bodiesIn(line.product_options).map(({ id, value, display_name, display_value }) => ({
    product_option_id: id,
    value: String(value ?? ''),
    display_name: String(display_name ?? ''),
    display_value: String(display_value ?? ''),
  }))
  const missing = requiredModifiers(store, product).filter(
    ({ id }) => !chosen.some((one) => one.product_option_id === id),
  )
  if (missing.length > 0) refuseV2(400, INVALID_OPTIONS, { errors: [missingOptions(product, missing)] })
  const fields = {
    product_id: product.id,
    variant_id: variant?.id ?? 0,
    name: product.name,
    sku: String(variant?.sku || product.sku || ''),
    type: product.type,
  }
  return { fields, price: Number(variant?.price ?? product.price ?? 0), options: chosen }
}

const INVALID_OPTIONS = 'The options of one or more products are invalid.'

/** Each choice names an option of the product and, where that has values, one of them. Recorded for values. */
function refuseInvalidOptions(store: SandboxStore, product: Row, chosen: Body[], at: number): void {
  for (const one of chosen) {
    refuseEmptyNames(one, OPTION_NAMES, `products[${at}].product_options`)
    const options = optionsNamed(store, product, one.id)
    if (options.some(({ values }) => values.length === 0 || values.some(({ id }) => String(id) === String(one.value))))
      continue
    refuseV2(400, INVALID_OPTIONS, { errors: [invalidOption(product, one, options[0]?.option)] })
  }
}

/** An option and a modifier of a product may have the same id. */
function optionsNamed(store: SandboxStore, product: Row, id: unknown): { option: Row; values: Row[] }[] {
  const kinds = [
    { option: optionTable(store).get(Number(id)), values: optionValueTable(store).find({ option_id: Number(id) }) },
    {
      option: modifierTable(store).get(Number(id)),
      values: modifierValueTable(store).find({ modifier_id: Number(id) }),
    },
  ]
  return kinds.flatMap(({ option, values }) => (option?.product_id === product.id ? [{ option, values }] : []))
}

function invalidOption({ id, name }: Row, { id: optionId, value }: Body, option?: Row): Body {
  const display_name = option?.display_name ?? ''
  const link = v2Link(`/products/${id}/options/${optionId}`)
  const product_option = { id: optionId, option_id: optionId, display_name, value: String(value ?? ''), ...link }
  return { type: 'InvalidProductOptionValue', product: { id, name, product_option, ...v2Link(`/products/${id}`) } }
}

function missingOptions({ id, name }: Row, missing: Row[]): Body {
  const options = missing.map((option) => ({
    id: option.id,
    option_id: option.id,
    display_name: option.display_name,
    ...v2Link(`/products/${id}/options/${option.id}`),
  }))
  const product = { id, name, required_product_options: options, ...v2Link(`/products/${id}`) }
  return { type: 'MandatoryProductOptions', product }
}

function requiredModifiers(store: SandboxStore, { id }: Row): Row[] {
  return modifierTable(store)
    .find({ product_id: id })
    .filter(({ required }) => required === true)
}

/** Found by its id, or by the chosen values. A product with variants needs one of the two. */
function variantOf(store: SandboxStore, product: Row, line: Body, at: number): Row | undefined {
  const own = variantTable(store).find({ product_id: product.id })
  if (line.variant_id !== undefined) {
    const named = own.find(({ id }) => id === line.variant_id)
    return named ?? refuseV2(400, `products[${at}]: the product has no variant ${line.variant_id}.`)
  }
  const valuesOf = (variant: Row) => bodiesIn(variant.option_values).map(({ id }) => Number(id))
  const chosen = new Set(bodiesIn(line.product_options).map(({ value }) => Number(value)))
  const found = own.find((variant) => valuesOf(variant).every((id) => chosen.has(id)))
  return found ?? refuseV2(400, `products[${at}]: ${INVALID_OPTIONS}`)
}

function addressOf({ type }: Body, first: Row | undefined): number {
  return type === 'digital' ? 0 : (first?.id ?? 0)
}

function insertAddress(store: SandboxStore, order: Row, given: Body): Row {
  return orderAddressTable(store).insert({
    order_id: order.id,
    ...addressFields(given),
    shipping_method: String(given.shipping_method ?? ''),
    shipping_zone_id: 0,
    shipping_zone_name: '',
    base_cost: order.base_shipping_cost ?? 0,
    cost_ex_tax: order.shipping_cost_ex_tax ?? 0,
    cost_inc_tax: order.shipping_cost_inc_tax ?? 0,
  })
}

function insertFee(store: SandboxStore, order: Row, given: Body): void {
  const { display_name_customer, display_name_merchant, source = '', tax_class_id = null } = given
  const name = display_name_customer ?? display_name_merchant
  if (name === undefined) refuseV2(400, 'A fee needs display_name_customer or display_name_merchant.')
  const [ex, inc] = [Number(given.cost_ex_tax ?? 0), Number(given.cost_inc_tax ?? given.cost_ex_tax ?? 0)]
  orderFeeTable(store).insert({
    order_id: order.id,
    type: String(given.type ?? 'custom_fee'),
    display_name_customer: display_name_customer ?? name,
    display_name_merchant: display_name_merchant ?? name,
    source,
    base_cost: ex,
    cost_ex_tax: ex,
    cost_inc_tax: inc,
    cost_tax: fourDecimals(inc - ex),
    tax_class_id,
  })
}
