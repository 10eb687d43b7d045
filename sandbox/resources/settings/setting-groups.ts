import type { SandboxStore } from '../../store/store.ts'
import type { FieldRule, FieldRules } from '../../validation/field-rules.ts'

/** A setting that contains settings. */
export interface SettingPart {
  part: FieldRules
}

export type SettingFields = Record<string, FieldRule | SettingPart>

/** Settings that are read and written together. In a new store they have the fallback values. */
export interface SettingGroup {
  /** Path below `/v3/settings`. */
  path: string
  fields: SettingFields | ((store: SandboxStore) => SettingFields)
  required?: readonly string[]
  /** Fields with addresses of pictures. They are returned here, but written by uploads. */
  pictures?: readonly string[]
  /** Whether channels cannot override the group. */
  globalOnly?: boolean
}

const YES: FieldRule = { kind: 'boolean', fallback: true }
const NO: FieldRule = { kind: 'boolean', fallback: false }
const TEXT: FieldRule = { kind: 'text', fallback: '' }
const ADDRESSES: FieldRule = { kind: 'texts', fallback: [] }

const oneOf = (first: string, ...others: string[]): FieldRule => ({
  kind: 'text',
  oneOf: [first, ...others],
  fallback: first,
})

const PRODUCT_SORTS = ['newest', 'alphaasc', 'alphadesc', 'pricedesc', 'priceasc', 'avgcustomerreview', 'relevance']

const PROFILE = (store: SandboxStore): FieldRules => ({
  store_address: { kind: 'text', fallback: '1 Sample Street' },
  store_address_type: oneOf('Home Office', 'Commercial Office', 'Retail', 'Warehouse'),
  store_email: { kind: 'text', fallback: `admin@${store.hash}.example` },
  store_name: { kind: 'text', fallback: store.name },
  store_phone: { kind: 'text', fallback: '555-0100' },
})

const UNITS = (store: SandboxStore): FieldRules => ({
  weight_measurement: {
    ...oneOf('LBS', 'Ounces', 'KGS', 'Grams', 'Tonnes'),
    fallback: store.switches.weight_units ?? 'Ounces',
  },
  length_measurement: { ...oneOf('Inches', 'Centimeters'), fallback: store.switches.dimension_units ?? 'Inches' },
  decimal_token: { kind: 'text', min: 1, max: 1, fallback: '.' },
  thousands_token: { kind: 'text', min: 1, max: 1, fallback: ',' },
  decimal_places: { kind: 'integer', min: 0, max: 4, fallback: 2 },
  factoring_dimension: oneOf('depth', 'height', 'width'),
})

/** Source: the published settings specification. Where it names no default, the fallback is our choice. */
export const SETTING_GROUPS: SettingGroup[] = [
  { path: 'store/profile', fields: PROFILE },
  {
    path: 'store/locale',
    globalOnly: true,
    required: ['default_shopper_language'],
    fields: {
      default_shopper_language: { kind: 'text', min: 2, fallback: 'en' },
      shopper_language_selection_method: oneOf('browser', 'default_shopper_language'),
      store_country: { kind: 'text', fallback: 'United States' },
    },
  },
  { path: 'store/units-of-measurement', fields: UNITS },
  { path: 'catalog', fields: { auto_approve_reviews: NO, enable_product_comparisons: YES } },
  {
    path: 'inventory',
    fields: {
      product_out_of_stock_behavior: oneOf(
        'do_nothing',
        'hide_product',
        'hide_product_and_accessible',
        'hide_product_and_redirect',
      ),
      option_out_of_stock_behavior: oneOf('do_nothing', 'hide_option', 'label_option'),
      update_stock_behavior: oneOf('order_placed', 'order_completed_or_shipped'),
      edit_order_stock_adjustment: YES,
      refund_order_stock_adjustment: YES,
      stock_level_display: oneOf('dont_show', 'show', 'show_when_low'),
      default_out_of_stock_message: TEXT,
      hide_in_product_filtering: NO,
      show_pre_order_stock_levels: NO,
      show_out_of_stock_message: NO,
    },
  },
  {
    path: 'inventory/notifications',
    fields: { low_stock_notification_address: ADDRESSES, out_of_stock_notification_address: ADDRESSES },
  },
  {
    path: 'email-statuses',
    fields: {
      abandoned_cart_email: YES,
      account_details_changed_email: YES,
      combined_order_status_email: NO,
      create_account_email: YES,
      create_guest_account_email: YES,
      gift_certificate_email: YES,
      invoice_email: YES,
      order_message_notification_email: YES,
      product_review_email: NO,
      return_confirmation_email: YES,
      return_statuschange_email: YES,
    },
  },
  {
    path: 'logo',
    pictures: ['favicon_url', 'logo_image_url'],
    fields: { logo_text: TEXT, type: oneOf('text', 'image') },
  },
  {
    path: 'storefront/category',
    fields: {
      category_tree_depth: { kind: 'integer', min: 1, max: 8, fallback: 3 },
      default_product_sort: oneOf('bestselling', 'featured', ...PRODUCT_SORTS),
      listing_mode: oneOf('current_category_only', 'child_categories', 'child_categories_if_category_empty'),
    },
  },
  {
    path: 'storefront/product',
    fields: {
      show_product_price: YES,
      show_product_sku: YES,
      show_product_weight: YES,
      show_product_brand: YES,
      show_product_shipping: YES,
      show_product_rating: YES,
      show_add_to_cart_link: YES,
      default_preorder_message: TEXT,
      show_breadcrumbs_product_pages: oneOf('show_one', 'show_none'),
      show_add_to_cart_qty_box: YES,
      show_add_to_wishlist: YES,
      hide_price_from_guests: NO,
    },
  },
  { path: 'storefront/robotstxt', fields: { robots_txt_ssl: TEXT } },
  {
    path: 'storefront/search',
    required: ['content_product_sort', 'default_product_sort', 'product_filtering_enabled', 'search_suggest'],
    fields: {
      content_product_sort: oneOf('relevance', 'alphaasc', 'alphadesc'),
      default_product_sort: oneOf('bestselling', 'featured', ...PRODUCT_SORTS),
      product_filtering_enabled: YES,
      search_suggest: YES,
    },
  },
  {
    path: 'storefront/security',
    fields: {
      csp_header: { part: { enabled: NO, header_value: TEXT } },
      hsts: {
        part: {
          enabled: NO,
          include_preload: NO,
          include_subdomains: NO,
          max_age: oneOf('zero_seconds', 'five_minutes', 'one_year'),
        },
      },
      sitewide_https_enabled: YES,
      x_frame_options_header: {
        part: { allowed_url: TEXT, enabled: NO, setting: oneOf('deny', 'same_origin', 'allow_from_url') },
      },
    },
  },
  {
    path: 'storefront/seo',
    fields: {
      meta_description: TEXT,
      meta_keywords: TEXT,
      page_title: TEXT,
      www_redirect: oneOf('none', 'www', 'no-www'),
    },
  },
  {
    path: 'storefront/status',
    fields: { down_for_maintenance_message: TEXT, prelaunch_message: TEXT, prelaunch_password: TEXT },
  },
]
