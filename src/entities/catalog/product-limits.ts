import type { FieldLimit, Limits } from '../../model/refusal-rules.ts'
import { longText, sortOrder, text } from '../core/limits.ts'

const price: FieldLimit = { least: 0 }
const measure: FieldLimit = { least: 0, most: 9_999_999_999 }
const stock: FieldLimit = { least: 0, most: 2_147_483_647 }
const code: FieldLimit = { longest: 14 }
const amount: FieldLimit = { least: 0, most: 1_000_000_000 }

export const productLimits: Limits = {
  fields: {
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
  children: {
    'product-variants': 600,
    'product-images': 1_000,
    'product-custom-fields': 200,
    'product-bulk-pricing-rules': 50,
  },
  rules: [
    ({ is_price_hidden: hidden, availability }) =>
      hidden === true && availability !== 'disabled'
        ? { field: 'is_price_hidden', message: 'a hidden price needs availability disabled' }
        : undefined,
  ],
}

export const variantLimits: Limits = {
  fields: {
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
}
