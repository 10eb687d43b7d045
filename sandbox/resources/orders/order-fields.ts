import { type FieldRule, type FieldRules, readFields } from '../../validation/field-rules.ts'

type Body = Record<string, unknown>

const money: FieldRule = { kind: 'number', min: 0 }
const text: FieldRule = { kind: 'text', nullable: true }

/** The writable fields of an order. Source: `order_Shared` of the published orders specification. */
export const ORDER_RULES: FieldRules = {
  status_id: { kind: 'integer', min: 0, max: 14 },
  customer_id: { kind: 'integer', min: 0 },
  channel_id: { kind: 'integer', min: 1 },
  default_currency_code: { kind: 'text', min: 3, max: 3 },
  base_handling_cost: money,
  base_shipping_cost: money,
  base_wrapping_cost: money,
  handling_cost_ex_tax: money,
  handling_cost_inc_tax: money,
  shipping_cost_ex_tax: money,
  shipping_cost_inc_tax: money,
  wrapping_cost_ex_tax: money,
  wrapping_cost_inc_tax: money,
  subtotal_ex_tax: money,
  subtotal_inc_tax: money,
  total_ex_tax: money,
  total_inc_tax: money,
  discount_amount: money,
  refunded_amount: money,
  customer_message: text,
  staff_notes: { ...text, max: 65_535 },
  customer_locale: text,
  payment_method: text,
  payment_provider_id: text,
  external_source: text,
  external_order_id: text,
  external_merchant_id: text,
  ebay_order_id: text,
  geoip_country: text,
  geoip_country_iso2: text,
  ip_address: { ...text, max: 30 },
  ip_address_v6: { ...text, max: 39 },
  order_is_digital: { kind: 'boolean' },
}

/** Amounts of which neither the net nor the gross one may come alone. */
const PAIRS = ['handling_cost', 'shipping_cost', 'wrapping_cost', 'subtotal', 'total']

/** Sources send money as a string, a number, or an empty string. */
export function orderFields(given: Body): { values: Body; errors: Record<string, string> } {
  const { values, errors } = readFields(ORDER_RULES, given)
  for (const pair of PAIRS) {
    const [ex, inc] = [`${pair}_ex_tax`, `${pair}_inc_tax`]
    if ((given[ex] === undefined) !== (given[inc] === undefined)) errors[ex] = `${ex} and ${inc} go together`
  }
  if (given.date_created !== undefined && Number.isNaN(Date.parse(String(given.date_created))))
    errors.date_created = 'date_created must be a date as in RFC 2822'
  if (values.ip_address && values.ip_address_v6) errors.ip_address = 'Set ip_address or ip_address_v6, not both'
  return { values, errors }
}

export const ADDRESS_FIELDS = [
  ...['first_name', 'last_name', 'company', 'street_1', 'street_2', 'city', 'state', 'zip', 'country'],
  ...['country_iso2', 'phone', 'email'],
]

/** An address as stored: with all fields, and without unknown ones. */
export function addressFields(given: unknown): Body {
  const address = (given ?? {}) as Body
  const fields = Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, String(address[field] ?? '')]))
  return { ...fields, form_fields: Array.isArray(address.form_fields) ? address.form_fields : [] }
}

/** Defaults of a new order. */
export const FRESH_ORDER = {
  ...Object.fromEntries(
    Object.keys(ORDER_RULES).map((field) => [field, ORDER_RULES[field]?.kind === 'number' ? 0 : '']),
  ),
  status_id: 1,
  customer_id: 0,
  channel_id: 1,
  external_source: null,
  external_order_id: '',
  external_id: null,
  external_merchant_id: null,
  ebay_order_id: '0',
  order_is_digital: false,
  customer_locale: 'en',
  order_source: 'external',
  payment_status: '',
  date_shipped: '',
  cart_id: '',
  is_email_opt_in: false,
  is_tax_inclusive_pricing: false,
  is_deleted: false,
  store_credit_amount: 0,
  gift_certificate_amount: 0,
  coupon_discount: 0,
  tax_provider_id: '',
}
