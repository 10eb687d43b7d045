/** Table, then field, then why the comparison does not look at it. What is not named here is compared, new fields too. */
export type Exclusions = Record<string, Record<string, string>>

const ownId = 'every store gives its own ids'
const platformDate = 'the platform writes down when this store did it'
const internalName = 'the platform makes it from the shown name, the second of its birth and the product id'

export const excludedFields: Exclusions = {
  category_trees: {
    id: ownId,
    name: 'every store is born with the tree of its default storefront, and that one keeps the name it has',
  },
  categories: {
    id: ownId,
    category_uuid: ownId,
    views: 'counts visitors of this store',
  },
  brands: { id: ownId },
  products: {
    id: ownId,
    base_variant_id: ownId,
    option_set_id: ownId,
    option_set_display: 'a legacy setting that the platform tells and never takes',
    gift_wrapping_options_list: 'names gift wraps, which are not moved yet',
    view_count: 'counts visitors of this store',
    total_sold: 'counts sales of this store',
    reviews_count: 'counts the approved reviews, which are compared themselves',
    reviews_rating_sum: 'adds up the approved reviews, which are compared themselves',
    date_created: platformDate,
    date_modified: platformDate,
    date_last_imported: platformDate,
  },
  options: { id: ownId, name: internalName },
  option_values: { id: ownId },
  variants: { id: ownId, sku_id: ownId },
  modifiers: { id: ownId, name: internalName },
  modifier_values: { id: ownId },
  images: { id: ownId, date_modified: platformDate },
  custom_fields: { id: ownId },
  product_videos: { id: ownId, length: 'the platform asks for it where the video is' },
  bulk_pricing_rules: { id: ownId },
  complex_rules: { id: ownId },
  customs_information: { id: ownId, created_at: platformDate, updated_at: platformDate },
  reviews: { id: ownId, date_created: platformDate, date_modified: platformDate },
  product_channel_assignments: { id: ownId },
  price_lists: { id: ownId, date_created: platformDate, date_modified: platformDate },
  price_records: {
    id: ownId,
    calculated_price: 'the platform calculates it from the price and the catalogue',
    date_created: platformDate,
    date_modified: platformDate,
  },
  price_list_assignments: { id: ownId },
  customer_groups: { id: ownId, date_created: platformDate, date_modified: platformDate },
  product_metafields: metafieldsOf('product'),
  category_metafields: metafieldsOf('category'),
  brand_metafields: metafieldsOf('brand'),
  variant_metafields: metafieldsOf('variant'),
  gift_certificates: { id: ownId, order_id: 'the platform does not let it be written' },
  coupons: { id: ownId, num_uses: 'counts uses in this store', date_created: platformDate },
}

/** Tables that hold nothing of their own to compare. */
export const excludedTables: Record<string, string> = {
  channels: 'storefronts are paired by the person who asks for the copy and are not moved; assignments name them',
  channel_currencies: 'currencies of a storefront are not moved yet; without them it has those of the store',
  channel_listings: 'listings belong to the marketplaces that made them, which are not moved yet',
  channel_menus: 'menus belong to the app that made them and are not moved',
  urls: 'the register that keeps addresses unique; each address is compared with its owner',
  product_categories: 'compared as the categories of the product, with its place in each',
  sites: 'domains belong to a store and are not moved',
  site_certificates: 'certificates are of domains, which belong to a store',
  site_routes: 'routes hang on sites, which are not moved',
  channel_metafields: 'not moved yet',
  location_metafields: 'not moved yet',
  store_metafields: 'not moved yet',
  locations: 'not moved yet; every store has its default location',
  pickup_methods: 'not moved yet',
  stock: 'stock per location is not moved yet; levels are compared on products and variants',
  inventory_transactions: 'the register of past adjustments is history of one store',
  settings: 'not moved yet',
  analytics_providers: 'not moved yet',
  search_filter_contexts: 'not moved yet',
  currencies: 'not moved yet',
  segments: 'not moved yet',
  shopper_profiles: 'not moved yet',
  segment_members: 'not moved yet',
  wishlists: 'not moved yet',
  wishlist_items: 'not moved yet',
  uploads: 'the bytes of uploaded pictures; what shows a picture is compared by its file name',
  tax_classes: 'not moved yet',
  customers: 'not moved yet',
  customer_addresses: 'not moved yet',
  customer_attributes: 'not moved yet',
  customer_attribute_values: 'not moved yet',
  customer_form_fields: 'not moved yet',
  customer_consents: 'not moved yet',
  customer_settings: 'not moved yet',
  customer_metafields: 'not moved yet',
  subscribers: 'not moved yet',
  hooks: 'webhooks belong to an API account and are nothing of the store',
  hook_emails: 'addresses of an API account, for notices about its webhooks',
}

function metafieldsOf(owner: string): Record<string, string> {
  return {
    id: ownId,
    owner_client_id: 'each store knows the API account that copies by another id',
    resource_type: `follows from the table: always ${owner}`,
    date_created: platformDate,
    date_modified: platformDate,
  }
}
