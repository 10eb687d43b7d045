import type { FieldRule, FieldRules } from './field-rules.ts'

const LONG_TEXT: FieldRule = { kind: 'text', max: 65_535, fallback: '' }
const SHORT_TEXT: FieldRule = { kind: 'text', max: 255, fallback: '' }
const PRICE: FieldRule = { kind: 'number', min: 0, fallback: 0 }
const MEASURE: FieldRule = { kind: 'number', min: 0, max: 9_999_999_999, fallback: 0 }
const COUNT: FieldRule = { kind: 'integer', min: 0, max: 2_147_483_647, fallback: 0 }
const YES: FieldRule = { kind: 'boolean', fallback: true }
const NO: FieldRule = { kind: 'boolean', fallback: false }

/** Sources of the limits: the published product schema, and the platform limits of the Help Center. */
export const PRODUCT_FIELDS: FieldRules = {
  name: { kind: 'text', min: 1, max: 250 },
  type: { kind: 'text', oneOf: ['physical', 'digital'] },
  sku: SHORT_TEXT,
  description: { kind: 'text', fallback: '' },
  weight: { kind: 'number', min: 0, max: 9_999_999_999 },
  width: MEASURE,
  depth: MEASURE,
  height: MEASURE,
  price: { kind: 'number', min: 0 },
  cost_price: PRICE,
  retail_price: PRICE,
  sale_price: PRICE,
  map_price: PRICE,
  tax_class_id: { kind: 'integer', min: 0, max: 255, fallback: 0 },
  product_tax_code: SHORT_TEXT,
  brand_id: { kind: 'integer', min: 0, max: 1_000_000_000, fallback: 0 },
  inventory_level: COUNT,
  inventory_warning_level: COUNT,
  inventory_tracking: { kind: 'text', oneOf: ['none', 'product', 'variant'], fallback: 'none' },
  fixed_cost_shipping_price: PRICE,
  is_free_shipping: NO,
  is_visible: YES,
  is_featured: NO,
  // With -1 the platform chooses the related products.
  related_products: { kind: 'integers', max: 50, fallback: [-1] },
  warranty: LONG_TEXT,
  bin_picking_number: SHORT_TEXT,
  layout_file: { kind: 'text', max: 500, fallback: 'product.html' },
  upc: { kind: 'text', max: 14, fallback: '' },
  mpn: SHORT_TEXT,
  gtin: { kind: 'text', max: 14, fallback: '' },
  date_last_imported: { kind: 'text', nullable: true, fallback: null },
  search_keywords: LONG_TEXT,
  availability: { kind: 'text', oneOf: ['available', 'disabled', 'preorder'], fallback: 'available' },
  availability_description: SHORT_TEXT,
  gift_wrapping_options_type: { kind: 'text', oneOf: ['any', 'none', 'list'], fallback: 'any' },
  gift_wrapping_options_list: { kind: 'integers', fallback: [] },
  sort_order: { kind: 'integer', min: -2_147_483_648, max: 2_147_483_647, fallback: 0 },
  condition: { kind: 'text', oneOf: ['New', 'Used', 'Refurbished'], fallback: 'New' },
  is_condition_shown: NO,
  order_quantity_minimum: { kind: 'integer', min: 0, max: 1_000_000_000, fallback: 0 },
  order_quantity_maximum: { kind: 'integer', min: 0, max: 1_000_000_000, fallback: 0 },
  page_title: SHORT_TEXT,
  meta_keywords: { kind: 'texts', fallback: [] },
  meta_description: LONG_TEXT,
  view_count: { kind: 'integer', min: 0, max: 1_000_000_000, fallback: 0 },
  preorder_release_date: { kind: 'date', nullable: true, fallback: null },
  preorder_message: SHORT_TEXT,
  is_preorder_only: NO,
  is_price_hidden: NO,
  price_hidden_label: { kind: 'text', max: 200, fallback: '' },
  open_graph_type: {
    kind: 'text',
    oneOf: ['product', 'album', 'book', 'drink', 'food', 'game', 'movie', 'song', 'tv_show'],
    fallback: 'product',
  },
  open_graph_title: { kind: 'text', fallback: '' },
  open_graph_description: { kind: 'text', fallback: '' },
  open_graph_use_meta_description: YES,
  open_graph_use_product_name: YES,
  open_graph_use_image: YES,
}

export const REQUIRED_ON_CREATE = ['name', 'type', 'weight', 'price'] as const

export const CATEGORIES_PER_PRODUCT = 1_000
export const CUSTOM_FIELDS_PER_PRODUCT = 200
export const BULK_RULES_PER_PRODUCT = 50
export const IMAGES_PER_PRODUCT = 1_000
export const VARIANTS_PER_PRODUCT = 600
export const VALUES_PER_OPTION = 250
export const METAFIELDS_PER_OWNER = 250

const INHERITED: FieldRule = { kind: 'number', min: 0, nullable: true, fallback: null }

/** Null in a price or measure means that the product's value applies. */
export const VARIANT_FIELDS: FieldRules = {
  sku: SHORT_TEXT,
  cost_price: INHERITED,
  price: INHERITED,
  sale_price: INHERITED,
  retail_price: INHERITED,
  map_price: INHERITED,
  weight: INHERITED,
  width: INHERITED,
  height: INHERITED,
  depth: INHERITED,
  is_free_shipping: NO,
  fixed_cost_shipping_price: INHERITED,
  purchasing_disabled: NO,
  purchasing_disabled_message: SHORT_TEXT,
  image_url: { kind: 'text', nullable: true, fallback: '' },
  upc: { kind: 'text', max: 14, nullable: true, fallback: '' },
  mpn: { kind: 'text', max: 255, nullable: true, fallback: '' },
  gtin: { kind: 'text', max: 14, nullable: true, fallback: '' },
  inventory_level: { kind: 'integer', min: 0, max: 2_147_483_647, nullable: true, fallback: 0 },
  inventory_warning_level: { kind: 'integer', min: 0, max: 2_147_483_647, nullable: true, fallback: 0 },
  bin_picking_number: { kind: 'text', max: 255, nullable: true, fallback: '' },
}
