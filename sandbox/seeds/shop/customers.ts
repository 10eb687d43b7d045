import type { SandboxStore } from '../../store/store.ts'
import {
  addressTable,
  attributeTable,
  attributeValueTable,
  consentTable,
  customerMetafieldTable,
  customerTable,
  formFieldTable,
  subscriberTable,
} from '../../tables/customer-tables.ts'
import { insertMetafield } from './metafield-row.ts'

const MOMENT = '2024-02-29T09:30:00Z'
const CHANNEL_ID = 1

const FIRST = ['Ada', 'Bruno', 'Chloé', 'Dimitri', 'Esra', 'Finn', 'Grażyna', 'Hana', 'Imran', 'Jutta']
const LAST = ['Example', 'Sample', 'Muster', 'Placeholder', 'Testfeld', 'Pattern', 'Specimen']
const CITIES = [
  ['Austin', 'Texas', '78759', 'US'],
  ['Toronto', 'Ontario', 'M5V 2T6', 'CA'],
  ['Berlin', '', '10115', 'DE'],
  ['Sydney', 'New South Wales', '2000', 'AU'],
] as const

const ATTRIBUTES = [
  { name: 'Glove size', type: 'number' },
  { name: 'Favourite colour', type: 'string' },
  { name: 'Member since', type: 'date' },
]
const VALUES = ['42', 'Moss', '2021-05-14']

/** Adds subscribers, and customers with addresses, attributes, form fields, consent and store credit. */
export function seedCustomers(store: SandboxStore, count: number): void {
  store.transaction(() => {
    const dates = { date_created: MOMENT, date_modified: MOMENT }
    const attributes = ATTRIBUTES.map((one) => attributeTable(store).insert({ ...one, ...dates }).id)
    for (let n = 0; n < count; n++) seedCustomer(store, n, attributes)
    for (let n = 0; n < count; n += 3) seedSubscriber(store, n)
  })
}

function pick<T>(from: readonly T[], n: number): T {
  return from[n % from.length] as T
}

function names(n: number): { first_name: string; last_name: string } {
  return { first_name: pick(FIRST, n), last_name: pick(LAST, Math.floor(n / FIRST.length) + n) }
}

/** The row of a customer, including fields that most customers leave empty. */
export function customerRow(n: number): Record<string, unknown> {
  return {
    email: `shopper-${n + 1}@example.com`,
    ...names(n),
    company: n % 4 === 1 ? 'Example Works' : '',
    phone: n % 2 === 0 ? `555-${String(1000 + (n % 9000))}` : '',
    notes: n % 5 === 2 ? 'Prefers to be called in the morning.' : '',
    tax_exempt_category: n % 7 === 3 ? 'Non-profit' : '',
    customer_group_id: 0,
    accepts_product_review_abandoned_cart_emails: n % 3 === 0,
    channel_ids: n % 4 === 3 ? [CHANNEL_ID] : null,
    origin_channel_id: CHANNEL_ID,
    registration_ip_address: `192.0.2.${n % 250}`,
    force_password_reset: false,
    store_credit: n % 6 === 1 ? 12.5 : 0,
    password_hash: null,
    date_created: MOMENT,
    date_modified: MOMENT,
  }
}

export function addressRow(customer_id: number, n: number): Record<string, unknown> {
  const [city, state_or_province, postal_code, country_code] = pick(CITIES, n)
  return {
    customer_id,
    ...names(n),
    company: n % 4 === 1 ? 'Example Works' : '',
    address1: `${1 + (n % 300)} Example Street`,
    address2: n % 6 === 4 ? 'Rear building' : '',
    city,
    state_or_province,
    postal_code,
    country_code,
    phone: '',
    address_type: n % 3 === 2 ? 'commercial' : 'residential',
  }
}

function seedCustomer(store: SandboxStore, n: number, attributes: readonly number[]): void {
  const customer_id = customerTable(store).insert(customerRow(n)).id
  for (let at = 0; at < n % 3; at++) {
    const address_id = addressTable(store).insert(addressRow(customer_id, n * 3 + at)).id
    if (n % 3 === 1) formFieldTable(store).insert({ customer_id, address_id, name: 'Floor', value: at })
  }
  const dates = { date_created: MOMENT, date_modified: MOMENT }
  if (n % 2 === 1)
    for (const [at, attribute_id] of attributes.entries())
      attributeValueTable(store).insert({ customer_id, attribute_id, attribute_value: pick(VALUES, at), ...dates })
  if (n % 2 === 0) formFieldTable(store).insert({ customer_id, address_id: null, name: 'Sales rep', value: 'House' })
  if (n % 5 === 1) consentTable(store).insert({ customer_id, allow: ['essential', 'functional'], deny: ['targeting'] })
  if (n % 10 === 4)
    insertMetafield(store, 'customer', customerMetafieldTable(store), customer_id, {
      key: 'loyalty',
      value: `card ${n}`,
    })
}

function seedSubscriber(store: SandboxStore, n: number): void {
  subscriberTable(store).insert({
    email: `reader-${n + 1}@example.com`,
    ...names(n),
    source: 'storefront',
    order_id: null,
    channel_id: CHANNEL_ID,
    consents: n % 2 === 0 ? ['marketing_newsletter'] : [],
    date_created: MOMENT,
    date_modified: MOMENT,
  })
}
