import type { SandboxStore, Table } from '../store/store.ts'
import { deleteRows } from './rows.ts'
import { deleteShopperProfile, shopperProfileTable } from './segment-tables.ts'
import { deleteWishlist, wishlistTable } from './wishlist-tables.ts'

export const CUSTOMER_SCOPE = 'store_v2_customers'

const CUSTOMER_INDEXES = ['email_key', 'customer_group_id', 'company_key', 'phone', 'registration_ip_address']

export const customerTable = (store: SandboxStore): Table => store.table('customers', CUSTOMER_INDEXES)
export const addressTable = (store: SandboxStore): Table => store.table('customer_addresses', ['customer_id'])
export const attributeTable = (store: SandboxStore): Table => store.table('customer_attributes', ['name_key'])
export const attributeValueTable = (store: SandboxStore): Table =>
  store.table('customer_attribute_values', ['customer_id', 'attribute_id'])
/** Values of the fields that a merchant adds to forms. `address_id` is null for fields of the customer. */
export const formFieldTable = (store: SandboxStore): Table =>
  store.table('customer_form_fields', ['customer_id', 'address_id', 'name'])
export const consentTable = (store: SandboxStore): Table => store.table('customer_consents', ['customer_id'])
/** One row for the store, with channel 0, and one for each channel with its own settings. */
export const customerSettingTable = (store: SandboxStore): Table => store.table('customer_settings', ['channel_id'])
export const customerMetafieldTable = (store: SandboxStore): Table =>
  store.table('customer_metafields', ['resource_id', 'namespace', 'key'])
export const subscriberTable = (store: SandboxStore): Table =>
  store.table('subscribers', ['email_key', 'channel_id', 'source', 'order_id'])

/** Deletes a customer and its children. */
export function deleteCustomer(store: SandboxStore, id: number): void {
  for (const table of [addressTable, attributeValueTable, formFieldTable, consentTable])
    deleteRows(table(store), { customer_id: id })
  deleteRows(customerMetafieldTable(store), { resource_id: id })
  for (const profile of shopperProfileTable(store).find({ customer_id: id })) deleteShopperProfile(store, profile.id)
  for (const wishlist of wishlistTable(store).find({ customer_id: id })) deleteWishlist(store, wishlist.id)
  customerTable(store).delete(id)
}

export function deleteAddress(store: SandboxStore, id: number): void {
  deleteRows(formFieldTable(store), { address_id: id })
  addressTable(store).delete(id)
}

/** The current time as the customers API writes it: `2024-05-14T09:34:00Z`. */
export function customerTime(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z')
}
