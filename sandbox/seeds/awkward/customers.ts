import { channelsTable, DEFAULT_CHANNEL_ID } from '../../resources/channels/channels.ts'
import type { SandboxStore } from '../../store/store.ts'
import {
  addressTable,
  attributeTable,
  attributeValueTable,
  consentTable,
  customerMetafieldTable,
  customerSettingTable,
  customerTable,
  formFieldTable,
  subscriberTable,
} from '../../tables/customer-tables.ts'
import { addressRow, customerRow } from '../shop/customers.ts'
import { filled, goneId } from './awkward-shop.ts'
import { seedMetafieldsOfEveryKind } from './metafields.ts'

const MOMENT = '2024-02-29T23:59:59Z'
const dates = { date_created: MOMENT, date_modified: MOMENT }

/** More children than one call accepts for a new customer. */
const MANY = 12

const ATTRIBUTES = [
  { name: 'Größe 👟', type: 'number', value: '-0.5' },
  { name: filled('A name as long as it may be. ', 255), type: 'string', value: filled('value ', 255) },
  { name: 'Born on', type: 'date', value: '2024-02-29' },
  { name: 'Without a value', type: 'string', value: '' },
]

/**
 * Adds shoppers with more children than a call accepts, with values that the platform drops or refuses, and with
 * references to deleted items. Also adds subscribers who are not customers, and one of two storefronts.
 */
export function plantAwkwardCustomers(store: SandboxStore): void {
  const attributes = plantAttributes(store)
  plantOneWithEverything(store, attributes)
  plantOddAddresses(store)
  const closed = channelsTable(store)
    .find({})
    .find(({ name }) => name === 'Closed-outlet')?.id
  const gone = goneId(store, 'customer_groups')
  for (const [email, fields] of Object.entries({
    'Twin@example.com': {},
    'twin@example.com': { first_name: 'Other', last_name: 'Twin' },
    'group-gone@example.com': { customer_group_id: gone },
    'no-name@example.com': { first_name: '', last_name: '' },
    'closed-only@example.com': { channel_ids: [closed] },
    'closed-too@example.com': { channel_ids: [DEFAULT_CHANNEL_ID, closed] },
    'one-storefront@example.com': { channel_ids: [DEFAULT_CHANNEL_ID], store_credit: 99_999.99 },
    'long+plus.and_signs@sub.example.com': { first_name: filled('Name ', 99), notes: filled('שלום 👩‍👩‍👧 \r\n', 5000) },
  }))
    addCustomer(store, { email, ...fields })
  plantSubscribers(store, closed)
  const customer_group_settings = { guest_customer_group_id: gone, default_customer_group_id: 0 }
  customerSettingTable(store).insert({ channel_id: 0, customer_group_settings })
}

function addCustomer(store: SandboxStore, fields: Record<string, unknown>): number {
  return customerTable(store).insert({ ...customerRow(0), ...fields }).id
}

function plantAttributes(store: SandboxStore): { id: number; value: string }[] {
  const more = Array.from({ length: MANY - ATTRIBUTES.length }, (_none, at) => ({
    name: `Attribute ${at}`,
    type: 'string',
    value: `${at}`,
  }))
  return [...ATTRIBUTES, ...more].map(({ value, ...fields }) => ({
    id: attributeTable(store).insert({ ...fields, ...dates }).id,
    value,
  }))
}

function plantOneWithEverything(store: SandboxStore, attributes: { id: number; value: string }[]): void {
  const customer_id = addCustomer(store, { email: 'everything@example.com', store_credit: 0.01 })
  for (let at = 0; at < MANY; at++) {
    const address_id = addressTable(store).insert(addressRow(customer_id, at)).id
    formFieldTable(store).insert({ customer_id, address_id, name: 'Floor', value: at })
  }
  for (const { id: attribute_id, value } of attributes)
    attributeValueTable(store).insert({ customer_id, attribute_id, attribute_value: value, ...dates })
  for (const [name, value] of Object.entries({ 'Gate 🚪': ['North', 'South'], Age: 7, Empty: '' }))
    formFieldTable(store).insert({ customer_id, address_id: null, name, value })
  consentTable(store).insert({ customer_id, allow: [], deny: ['analytics', 'targeting'] })
  seedMetafieldsOfEveryKind(store, 'customer', customerMetafieldTable(store), customer_id)
}

/** Adds two equal addresses and an incomplete one. No call could write them. */
function plantOddAddresses(store: SandboxStore): void {
  const customer_id = addCustomer(store, { email: 'odd-addresses@example.com' })
  const insert = (fields: object) => addressTable(store).insert({ ...addressRow(customer_id, 0), ...fields })
  insert({})
  insert({})
  insert({ address2: 'No name', first_name: '', last_name: '' })
  insert({ address2: 'No place', state_or_province: '', postal_code: '' })
}

function plantSubscribers(store: SandboxStore, closed: number | undefined): void {
  for (const { email, ...fields } of [
    { email: 'guest@example.com', source: 'order', order_id: 100 },
    { email: 'no-name@example.com', first_name: '', last_name: '', consents: [] },
    { email: 'two-storefronts@example.com', consents: ['abandoned_cart', 'marketing_newsletter'] },
    { email: 'two-storefronts@example.com', channel_id: closed },
    { email: 'Capitals@example.com', first_name: filled('Name ', 255) },
  ])
    subscriberTable(store).insert({
      ...{ email, first_name: 'Ada', last_name: 'Example', source: 'storefront', order_id: null },
      ...{ channel_id: DEFAULT_CHANNEL_ID, consents: ['marketing_newsletter'], ...dates },
      ...fields,
    })
}
