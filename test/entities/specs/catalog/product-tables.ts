import type { Row, StoreSide } from '../../../comparison/store-side.ts'
import {
  type Fields,
  isObject,
  metafieldRules,
  pictureName,
  plainText,
  type TableRules,
  withEmptyTexts,
  withPictureName,
  withTexts,
} from '../../../comparison/table-rule.ts'

/** How the rows of products and their children are compared. */
export const productTables: readonly TableRules[] = [
  {
    table: 'products',
    entity: 'products',
    references: { brand_id: 'brands', tax_class_id: 'tax_classes' },
    parents: [],
    // Prefixed, because a SKU may equal the name of another product.
    keys: (row) => [...(row.sku ? [`SKU ${plainText(row.sku)}`] : []), plainText(row.name)],
    rewritten: (row, side) => ({
      ...withTexts(row, side, 'description', 'warranty'),
      categories: categoriesOf(row, side),
      related_products: relatedTo(row, side),
      // The store shows the sum of the variants, which are compared themselves, and ignores this value.
      ...(row.inventory_tracking === 'variant' && { inventory_level: undefined }),
    }),
  },
  {
    table: 'options',
    entity: 'product-options',
    references: { product_id: 'products' },
    parents: ['product_id'],
    keys: (row) => [plainText(row.display_name)],
  },
  {
    table: 'option_values',
    entity: 'product-option-values',
    references: { product_id: 'products', option_id: 'options' },
    parents: ['option_id'],
    keys: (row) => [plainText(row.label)],
    rewritten: ({ value_data }, side) => ({ value_data: pointing(value_data, side) }),
  },
  {
    table: 'variants',
    entity: 'product-variants',
    references: { product_id: 'products' },
    parents: ['product_id'],
    keys: (row, side) => [choicesOf(row, side).join(', ') || 'base variant'],
    rewritten: (row, side) => ({
      option_values: choicesOf(row, side),
      image_url: pictureName(row.image_url),
      ...withEmptyTexts(row, 'upc', 'mpn', 'gtin', 'bin_picking_number'),
    }),
  },
  {
    table: 'modifiers',
    entity: 'product-modifiers',
    references: { product_id: 'products' },
    parents: ['product_id'],
    keys: (row) => [plainText(row.display_name)],
  },
  {
    table: 'modifier_values',
    entity: 'product-modifier-values',
    references: { product_id: 'products', modifier_id: 'modifiers' },
    parents: ['modifier_id'],
    keys: (row) => [plainText(row.label)],
    rewritten: ({ value_data, adjusters }, side) => ({
      value_data: pointing(value_data, side),
      adjusters: isObject(adjusters) ? { ...adjusters, ...withPictureName(adjusters) } : adjusters,
    }),
  },
  {
    table: 'images',
    entity: 'product-images',
    references: { product_id: 'products' },
    parents: ['product_id'],
    keys: () => [],
    label: (row) => pictureName(row.image_file),
    rewritten: (row) => ({ image_file: pictureName(row.image_file) }),
  },
  {
    table: 'custom_fields',
    entity: 'product-custom-fields',
    references: { product_id: 'products' },
    parents: ['product_id'],
    keys: (row) => [`${plainText(row.name)}: ${plainText(row.value)}`],
  },
  {
    table: 'product_videos',
    entity: 'product-videos',
    references: { product_id: 'products' },
    parents: ['product_id'],
    keys: () => [],
    label: (row) => plainText(row.title),
  },
  {
    table: 'bulk_pricing_rules',
    entity: 'product-bulk-pricing-rules',
    references: { product_id: 'products' },
    parents: ['product_id'],
    keys: (row) => [`from ${row.quantity_min}`],
  },
  {
    table: 'complex_rules',
    entity: 'product-complex-rules',
    references: { product_id: 'products' },
    parents: ['product_id'],
    keys: (row, side) => [conditionsOf(row, side).join(', ')],
    rewritten: (row, side) => ({ conditions: conditionsOf(row, side), ...withPictureName(row) }),
  },
  {
    table: 'reviews',
    entity: 'product-reviews',
    references: { product_id: 'products' },
    parents: ['product_id'],
    keys: () => [],
    label: (row) => plainText(row.title),
  },
  {
    table: 'customs_information',
    entity: 'product-customs-information',
    references: { product_id: 'products' },
    parents: ['product_id'],
    shownAs: (row) => String(row.product_id),
    keys: () => ['customs'],
  },
  {
    table: 'product_channel_assignments',
    entity: 'product-channel-assignments',
    references: { product_id: 'products', channel_id: 'channels' },
    parents: ['product_id'],
    shownAs: (row) => `${row.product_id}:${row.channel_id}`,
    keys: (row, side) => [plainText(side.refer('channels', row.channel_id))],
  },
  metafieldRules('product_metafields', 'product-metafields', 'products'),
  metafieldRules('variant_metafields', 'variant-metafields', 'variants'),
]

/** A product listed twice in one category differs from one listed there once. */
function categoriesOf(product: Row, side: StoreSide): string[] {
  return side
    .where('product_categories', 'product_id', product.id)
    .map(({ category_id, sort_order }) => {
      const category = plainText(side.refer('categories', category_id))
      return typeof sort_order === 'number' ? `${category}, place ${sort_order}` : category
    })
    .sort()
}

/** -1 lets the platform choose, in any store. */
function relatedTo({ related_products: related }: Row, side: StoreSide): unknown {
  if (!Array.isArray(related)) return related
  return related.map((id) => (id === -1 ? 'any' : plainText(side.refer('products', id)))).sort()
}

/** A value of a product list names a product. */
function pointing(data: unknown, side: StoreSide): unknown {
  if (data === null || typeof data !== 'object' || !('product_id' in data)) return data
  return { ...data, product_id: side.refer('products', data.product_id) }
}

/** The choices that lead to this variant, by the names both stores share. */
function choicesOf(variant: Row, side: StoreSide): string[] {
  const choices = Array.isArray(variant.option_values) ? variant.option_values : []
  const called = (table: string, id: unknown, field: string) =>
    side.nameOf(table, id)?.own ?? plainText(side.get(table, id)?.[field] ?? side.refer(table, id))
  return choices
    .map(
      ({ option_id, id }) => `${called('options', option_id, 'display_name')}=${called('option_values', id, 'label')}`,
    )
    .sort()
}

/** The subject of a rule, by the names both stores share. */
function conditionsOf(rule: Row, side: StoreSide): string[] {
  const conditions: Fields[] = Array.isArray(rule.conditions) ? rule.conditions : []
  const called = (table: string, id: unknown) =>
    id === null ? '' : (side.nameOf(table, id)?.own ?? `no ${table} ${id}`)
  return conditions
    .map(({ modifier_id, modifier_value_id, variant_id }) =>
      [
        called('modifiers', modifier_id),
        called('modifier_values', modifier_value_id),
        called('variants', variant_id),
      ].join('/'),
    )
    .sort()
}
