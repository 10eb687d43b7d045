/** How items of a kind are deleted: one by one, several by a filter, or several by a list of ids in the body. */
type Removal = { each: true } | { filter: string; most: number } | { listed: true; most: number }

/** A kind of item that the probe creates at the top level of a store. Children are deleted with their item. */
export interface Kind {
  key: string
  /** Where items are created, deleted and, unless `list` says otherwise, listed. */
  path: string
  list?: string
  /** The name of the id field. */
  id: string
  /** The item of another kind that an item without a text of its own belongs to. */
  of?: (item: Item) => Owner | undefined
  remove: Removal
  /** The path, below each item, that must be emptied first. */
  emptied?: string
  /** A write that first undoes what would outlive the item; for at most one item per probe. */
  cleared?: (item: Item) => { path: string; body: unknown } | undefined
  /** The platform cannot delete it, only archive it. */
  archived?: true
}

export type Item = Record<string, unknown>

export interface Owner {
  kind: string
  id: unknown
}

/** Kinds by the subject of an association, a page of widgets or a placement. */
const subjects: Readonly<Record<string, string>> = {
  product: 'products',
  category: 'categories',
  brand: 'brands',
  page: 'pages',
}

/** The item that `entity_id` of an association or of a page of widgets names. */
export function subjectOf({ entity_type, template_file, entity_id }: Item): Owner | undefined {
  const [, ofFile] = /^pages\/(?:custom\/)?(product|category|brand|page)(?:\/|$)/.exec(String(template_file)) ?? []
  const kind = subjects[String(entity_type ?? ofFile)]
  return kind === undefined ? undefined : { kind, id: entity_id }
}

const each = { each: true } as const
const filter = (name: string, most = 50): Removal => ({ filter: name, most })

/** The layouts of a page of widgets outlive their product. Only the product with the plain name has such a page. */
function withoutWidgets({ id, name }: Item) {
  if (!/^sfprobe-[a-z0-9]+-product$/.test(String(name))) return undefined
  const body = { channel_id: 1, template_file: 'pages/product', entity_id: String(id), regions: [] }
  return { path: '/v3/content/page-widgets', body }
}

/** In the order of deletion: items that refer to others come first. */
export const kinds: readonly Kind[] = [
  { key: 'orders', path: '/v2/orders', id: 'id', remove: each, archived: true },
  {
    key: 'custom-template-associations',
    path: '/v3/storefront/custom-template-associations',
    id: 'id',
    of: subjectOf,
    remove: filter('id:in'),
  },
  { key: 'wishlists', path: '/v3/wishlists', id: 'id', remove: each },
  {
    key: 'shopper-profiles',
    path: '/v3/shopper-profiles',
    id: 'id',
    of: ({ customer_id }) => ({ kind: 'customers', id: customer_id }),
    remove: filter('id:in'),
  },
  { key: 'segments', path: '/v3/segments', id: 'id', remove: filter('id:in') },
  { key: 'subscribers', path: '/v3/customers/subscribers', id: 'id', remove: each },
  { key: 'customers', path: '/v3/customers', id: 'id', remove: filter('id:in') },
  { key: 'customer-attributes', path: '/v3/customers/attributes', id: 'id', remove: filter('id:in') },
  { key: 'promotions', path: '/v3/promotions', id: 'id', remove: filter('id:in'), emptied: 'codes' },
  { key: 'coupons', path: '/v2/coupons', id: 'id', remove: filter('id:in') },
  { key: 'gift-certificates', path: '/v2/gift_certificates', id: 'id', remove: each },
  { key: 'price-lists', path: '/v3/pricelists', id: 'id', remove: filter('id:in') },
  { key: 'customer-groups', path: '/v2/customer_groups', id: 'id', remove: each },
  {
    key: 'placements',
    path: '/v3/content/placements',
    id: 'uuid',
    of: ({ widget_uuid, widget }) => ({ kind: 'widgets', id: widget_uuid ?? (widget as Item | undefined)?.uuid }),
    remove: each,
  },
  { key: 'widgets', path: '/v3/content/widgets', id: 'uuid', remove: each },
  { key: 'widget-templates', path: '/v3/content/widget-templates', id: 'uuid', remove: each },
  { key: 'pages', path: '/v3/content/pages', id: 'id', remove: filter('id:in') },
  { key: 'blog-posts', path: '/v2/blog/posts', id: 'id', remove: each },
  { key: 'banners', path: '/v2/banners', id: 'id', remove: each },
  { key: 'scripts', path: '/v3/content/scripts', id: 'uuid', remove: each },
  { key: 'shipping-zones', path: '/v2/shipping/zones', id: 'id', remove: each },
  { key: 'tax-rates', path: '/v3/tax/rates', id: 'id', remove: filter('id:in') },
  { key: 'tax-zones', path: '/v3/tax/zones', id: 'id', remove: filter('id:in') },
  { key: 'tax-properties', path: '/v3/tax/properties', id: 'id', remove: filter('id:in') },
  { key: 'tax-classes', path: '/v3/tax/classes', list: '/v2/tax_classes', id: 'id', remove: filter('id:in') },
  { key: 'pickup-methods', path: '/v3/pickup/methods', id: 'id', remove: filter('id:in') },
  { key: 'locations', path: '/v3/inventory/locations', id: 'id', remove: filter('location_id:in') },
  { key: 'currencies', path: '/v2/currencies', id: 'id', remove: each },
  { key: 'store-metafields', path: '/v3/store/metafields', id: 'id', remove: { listed: true, most: 10 } },
  { key: 'products', path: '/v3/catalog/products', id: 'id', remove: filter('id:in', 250), cleared: withoutWidgets },
  { key: 'brands', path: '/v3/catalog/brands', id: 'id', remove: each },
  { key: 'categories', path: '/v3/catalog/trees/categories', id: 'category_id', remove: filter('category_id:in') },
  { key: 'redirects', path: '/v3/storefront/redirects', id: 'id', remove: filter('id:in') },
]

/** Paths where several items, or their children, are written together, with the kind of the ids in their rows. */
export const sharedPaths: Readonly<Record<string, string>> = {
  '/v3/catalog/products/channel-assignments': 'assignments',
  '/v3/catalog/products/category-assignments': 'assignments',
  '/v3/catalog/products/metafields': 'product-metafields',
  '/v3/catalog/variants': 'variants',
  '/v3/catalog/variants/metafields': 'variant-metafields',
  '/v3/catalog/categories': 'categories',
  '/v3/catalog/categories/metafields': 'category-metafields',
  '/v3/catalog/brands/metafields': 'brand-metafields',
  '/v3/customers/addresses': 'addresses',
  '/v3/customers/attribute-values': 'attribute-values',
  '/v3/customers/form-field-values': 'form-field-values',
  '/v3/customers/metafields': 'customer-metafields',
  '/v3/inventory/adjustments/absolute': 'adjustments',
  '/v3/inventory/adjustments/relative': 'adjustments',
  '/v3/inventory/locations/metafields': 'location-metafields',
  '/v3/orders': 'orders',
  '/v3/orders/metafields': 'order-metafields',
  '/v3/pricelists/assignments': 'assignments',
  '/v3/shipping/products/customs-information': 'customs-information',
  '/v3/content/page-widgets': 'page-widgets',
}

/**
 * Kinds by the fields that name an item; a write that names an item which is not the probe's would change that item.
 */
const references: Readonly<Record<string, string>> = {
  product_id: 'products',
  variant_id: 'variants',
  category_id: 'categories',
  brand_id: 'brands',
  customer_id: 'customers',
  customer_group_id: 'customer-groups',
  attribute_id: 'customer-attributes',
  price_list_id: 'price-lists',
  tax_zone_id: 'tax-zones',
  widget_uuid: 'widgets',
  widget_template_uuid: 'widget-templates',
}

const metafieldOwner = /^\/v3\/(?:catalog\/|inventory\/)?([a-z]+)\/metafields$/

/** The items named in a row of a write. */
export function ownersIn(row: Item, path: string): Owner[] {
  const named = Object.entries(references).flatMap(([field, kind]) => (field in row ? [{ kind, id: row[field] }] : []))
  const [, ofMetafield] = metafieldOwner.exec(path) ?? []
  const owner = ofMetafield !== undefined && 'resource_id' in row ? [{ kind: ofMetafield, id: row.resource_id }] : []
  const subject = 'entity_id' in row ? subjectOf(row) : undefined
  return [...named, ...owner, ...(subject ? [subject] : [])]
}
