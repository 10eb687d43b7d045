import { specs } from '../entities/specs/all-specs.ts'
import type { Exclusions } from './exclusion-reasons.ts'

/** Table, then field, then why the comparison ignores it. Fields that are not named here are compared, including new ones. */
export const excludedFields: Exclusions = Object.fromEntries(
  specs.flatMap((spec) => Object.entries(spec.excludedFields ?? {})),
)

/** Tables with nothing of their own to compare. */
export const excludedTables: Record<string, string> = {
  channels: 'storefronts are paired by the person who asks for the copy and are not moved; assignments name them',
  channel_currencies: 'every channel has some and a plain run leaves them alone; their story compares them',
  channel_listings: 'listings belong to the marketplaces that made them, which are not moved yet',
  channel_menus: 'menus belong to the app that made them and are not moved',
  urls: 'the register that keeps addresses unique; each address is compared with its owner',
  product_categories: 'compared as the categories of the product, with its place in each',
  sites: 'domains belong to a store and are not moved',
  site_certificates: 'certificates are of domains, which belong to a store',
  site_routes: 'routes belong to sites, which are not moved',
  channel_metafields: 'not moved yet',
  location_metafields: 'not moved yet',
  store_metafields: 'not moved yet',
  pickup_methods: 'not moved yet',
  inventory_transactions: 'the register of past adjustments is history of one store',
  settings: 'kept as what differs from a store that is new; their story compares what both stores answer',
  promotion_settings: 'kept as what differs from a store that is new; their story compares what both stores answer',
  analytics_providers: 'not moved yet',
  widgets: 'widgets without a page are not visible and not moved',
  theme_custom_templates: 'files belong to the theme that a store is born with, and are looked up',
  theme_configurations: 'compared as what a storefront shows; no call shows or writes any other',
  theme_jobs: 'what was asked for, and nothing of the store',
  email_templates: 'kept as what differs from a store that is new; their story compares what both stores answer',
  wishlist_items: 'compared as the items of the list',
  order_products: 'compared as the goods of the order',
  order_addresses: 'compared as the addresses of the order',
  order_fees: 'compared as the fees of the order',
  order_shipments: 'compared as the shipments of the order',
  order_taxes: 'read-only on the platform; the sums are compared with the order',
  order_coupons: 'read-only on the platform; recorded in the staff notes',
  order_messages: 'read-only on the platform',
  order_settings: 'addresses of the staff of one store',
  outbox: 'mails that one store has sent',
  carrier_connections: 'not readable, which is reported for each method that needs one',
  uploads: 'the bytes of uploaded pictures; what shows a picture is compared by its file name',
  customer_settings: 'kept as what differs from a store that is new; their story compares what both stores answer',
  hooks: 'webhooks belong to an API account and are nothing of the store',
  hook_emails: 'addresses of an API account, for notices about its webhooks',
}
