/** What the platform accepts in one field. What is null or left out is judged by `required` alone. */
export interface FieldLimit {
  required?: true
  /** Characters of a text, items of a list. */
  longest?: number
  shortest?: number
  least?: number
  most?: number
  oneOf?: readonly string[]
  /** Only in a call of its own: inside its parent's creation the platform does not mind. */
  alone?: true
}

const text: FieldLimit = { longest: 255 }
const longText: FieldLimit = { longest: 65_535 }
const price: FieldLimit = { least: 0 }
const measure: FieldLimit = { least: 0, most: 9_999_999_999 }
const stock: FieldLimit = { least: 0, most: 2_147_483_647 }
const code: FieldLimit = { longest: 14 }
const sortOrder: FieldLimit = { least: -2_147_483_648, most: 2_147_483_647 }
const amount: FieldLimit = { least: 0, most: 1_000_000_000 }

const metafield: Record<string, FieldLimit> = {
  namespace: { required: true, longest: 64 },
  key: { required: true, longest: 64 },
  value: { required: true, longest: 65_535 },
  description: text,
  permission_set: {
    required: true,
    oneOf: ['app_only', 'read', 'write', 'read_and_sf_access', 'write_and_sf_access'],
  },
}

/** By component and field. Sources: the published catalogue specifications and the platform limits of the Help Center. */
export const fieldLimits: Record<string, Record<string, FieldLimit>> = {
  categories: {
    name: { required: true, longest: 50 },
    description: longText,
    page_title: text,
    search_keywords: text,
    default_product_sort: {
      oneOf: [
        'use_store_settings',
        'featured',
        'newest',
        'best_selling',
        'alpha_asc',
        'alpha_desc',
        'avg_customer_review',
        'price_asc',
        'price_desc',
      ],
    },
  },
  brands: {
    name: { required: true, longest: 255 },
    page_title: text,
    meta_description: longText,
    search_keywords: text,
  },
  products: {
    name: { required: true, longest: 250 },
    type: { required: true, oneOf: ['physical', 'digital'] },
    sku: text,
    weight: { required: true, ...measure },
    width: measure,
    depth: measure,
    height: measure,
    price: { required: true, ...price },
    cost_price: price,
    retail_price: price,
    sale_price: price,
    map_price: price,
    fixed_cost_shipping_price: price,
    product_tax_code: text,
    inventory_level: stock,
    inventory_warning_level: stock,
    inventory_tracking: { oneOf: ['none', 'product', 'variant'] },
    categories: { longest: 1_000 },
    related_products: { longest: 50 },
    warranty: longText,
    bin_picking_number: text,
    layout_file: { longest: 500 },
    upc: code,
    gtin: code,
    mpn: text,
    search_keywords: longText,
    availability: { oneOf: ['available', 'disabled', 'preorder'] },
    availability_description: text,
    sort_order: sortOrder,
    condition: { oneOf: ['New', 'Used', 'Refurbished'] },
    order_quantity_minimum: amount,
    order_quantity_maximum: amount,
    page_title: text,
    meta_description: longText,
    preorder_message: text,
    price_hidden_label: { longest: 200 },
  },
  'product-variants': {
    sku: text,
    price,
    cost_price: price,
    sale_price: price,
    retail_price: price,
    map_price: price,
    weight: { least: 0 },
    width: { least: 0 },
    depth: { least: 0 },
    height: { least: 0 },
    fixed_cost_shipping_price: price,
    purchasing_disabled_message: text,
    upc: code,
    gtin: code,
    mpn: text,
    bin_picking_number: text,
    inventory_level: stock,
    inventory_warning_level: stock,
  },
  'product-options': { display_name: { required: true, longest: 255 } },
  'product-modifiers': { display_name: { required: true, longest: 255 } },
  'product-option-values': { label: { required: true } },
  'product-modifier-values': { label: { required: true } },
  'product-images': { image_url: { required: true, longest: 255, alone: true }, sort_order: sortOrder },
  'product-custom-fields': {
    name: { required: true, longest: 250 },
    value: { required: true, longest: 250 },
  },
  'product-videos': { video_id: { required: true } },
  'product-bulk-pricing-rules': {
    type: { required: true, oneOf: ['price', 'percent', 'fixed'] },
    quantity_min: { required: true, least: 0 },
    amount: { required: true },
  },
  'product-reviews': { title: { required: true, longest: 255 }, date_reviewed: { required: true } },
  'product-metafields': metafield,
  'variant-metafields': metafield,
  'category-metafields': metafield,
  'brand-metafields': metafield,
  'customer-attributes': { name: { required: true, longest: 255 } },
  customers: {
    email: { required: true, longest: 255 },
    first_name: { required: true, longest: 100 },
    last_name: { required: true, longest: 100 },
    company: text,
    phone: { longest: 50 },
    tax_exempt_category: text,
  },
  'customer-addresses': {
    first_name: { required: true, longest: 255 },
    last_name: { required: true, longest: 255 },
    company: text,
    address1: { required: true },
    city: { required: true, longest: 100 },
    state_or_province: { longest: 100 },
    postal_code: { longest: 30 },
    country_code: { required: true, longest: 2 },
    phone: { longest: 50 },
  },
  'customer-attribute-values': { attribute_value: text },
  pages: { name: { required: true, longest: 100 }, email: text },
  subscribers: { email: { required: true }, first_name: text, last_name: text, source: text },
  'gift-certificates': { message: { longest: 250 } },
  coupons: { name: { required: true, longest: 100 }, code: { required: true, longest: 50 } },
  promotions: { name: { required: true } },
  'promotion-codes': { code: { required: true, longest: 50 } },
}

/** How many of a component an item of another may have. Sources as above. */
export const childLimits: Record<string, Record<string, number>> = {
  products: {
    'product-variants': 600,
    'product-images': 1_000,
    'product-custom-fields': 200,
    'product-bulk-pricing-rules': 50,
  },
  'product-options': { 'product-option-values': 250 },
  'product-modifiers': { 'product-modifier-values': 250 },
}
