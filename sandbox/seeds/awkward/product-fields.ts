import { nextTaxClassId, taxClassTable } from '../../resources/tax/tax-class-rows.ts'
import type { Row } from '../../store/store.ts'
import {
  customsInformationTable,
  productCategoryTable,
  productTable,
  variantTable,
} from '../../tables/product-tables.ts'
import type { AwkwardProduct, AwkwardShop } from './awkward-shop.ts'

/** Moments that fall on different days in different time zones. */
const FAR_EAST = '2027-03-01T00:15:00+14:00'
const NEPAL = '2027-12-31T23:59:59+05:45'

export const FIELD_PRODUCTS: readonly AwkwardProduct[] = [
  { name: 'Free of charge', fields: { price: 0, weight: 0 } },
  {
    name: 'Four decimals',
    fields: { price: 10.1234, cost_price: 0.0001, retail_price: 19.9999, sale_price: 9.0005, map_price: 3.3333 },
  },
  { name: 'Very dear', fields: { price: 9_999_999_999.99, retail_price: 9_999_999_999.99 } },
  { name: 'Sale price above the price', fields: { price: 5, sale_price: 7.5 } },
  { name: 'Very heavy', fields: { weight: 9_999_999_999, width: 0.0001, height: 12.3456, depth: 9_999_999_999 } },
  { name: 'A feather', fields: { weight: 0.0001 } },
  { name: 'Digital', fields: { type: 'digital', weight: 0, sku: 'DIGITAL' } },
  { name: 'Hidden', fields: { is_visible: false }, in: ['Hidden', 'Hidden/Seen'] },
  { name: 'In no category' },
  { name: 'In a category of eight levels', in: ['Level 1/Level 2/Level 3/Level 4/Level 5/Level 6/Level 7/Level 8'] },
  { name: 'For men', in: ['Men/Shoes'] },
  { name: 'For women', in: ['Women/Shoes', 'Women/Shoes/Shoes'] },
  { name: 'For kids', in: ['Kids/SHOES'] },
  { name: 'In every category', grow: putEverywhere },
  { name: 'On no storefront', channels: [], in: ['Sale'] },
  { name: 'Brand in small letters', brand: 'Plain' },
  { name: 'Brand by entity', brand: 'A&amp;B' },
  { name: 'Brand of two code points', brand: 'Crème'.normalize('NFD') },
  {
    name: 'Preordered',
    fields: {
      availability: 'preorder',
      preorder_release_date: FAR_EAST,
      preorder_message: 'Expected on %%DATE%%',
      is_preorder_only: true,
    },
  },
  { name: 'Preordered without a date', fields: { availability: 'preorder', preorder_message: '' } },
  { name: 'Once preordered', fields: { preorder_release_date: NEPAL, is_preorder_only: true } },
  {
    name: 'Not for sale',
    fields: { availability: 'disabled', is_price_hidden: true, price_hidden_label: 'x'.repeat(200) },
  },
  { name: 'Disabled with its price', fields: { availability: 'disabled', availability_description: 'Ask us' } },
  { name: 'Wrapped as listed', fields: { gift_wrapping_options_type: 'list', gift_wrapping_options_list: [11, 12] } },
  { name: 'Never wrapped', fields: { gift_wrapping_options_type: 'none' } },
  { name: 'First of all', fields: { sort_order: -2_147_483_648, is_featured: true } },
  { name: 'Last of all', fields: { sort_order: 2_147_483_647 } },
  { name: 'By the dozen', fields: { order_quantity_minimum: 12, order_quantity_maximum: 144 } },
  { name: 'Sent at a fixed price', fields: { fixed_cost_shipping_price: 4.9999 } },
  { name: 'Sent for nothing', fields: { is_free_shipping: true, fixed_cost_shipping_price: 3 } },
  { name: 'Used', fields: { condition: 'Used', is_condition_shown: true } },
  { name: 'Refurbished and silent', fields: { condition: 'Refurbished', is_condition_shown: false } },
  { name: 'Another layout', fields: { layout_file: 'product-wide.html', view_count: 12_345 } },
  { name: 'Taxed otherwise', fields: { product_tax_code: 'P0000000' }, grow: taxOtherwise },
  { name: 'Taxed as wrappings are', fields: { tax_class_id: 3 } },
  {
    name: 'Made with an option set',
    grow: ({ store }, { id }) =>
      void productTable(store).update(id, { option_set_id: 17, option_set_display: 'below' }),
  },
  { name: 'Imported', fields: { date_last_imported: 'Tue, 05 Mar 2024 23:30:00 -1100' } },
  {
    name: 'Declared at customs',
    grow: declare(
      { JP: '61091000', ALL: '610910' },
      { commodity_description: 'x'.repeat(100), international_shipping: true },
    ),
  },
  { name: 'Never leaves the country', grow: declare({}, { commodity_description: '', international_shipping: false }) },
  { name: 'No related products', fields: { related_products: [] } },
  { name: 'Related by the shop', fields: { related_products: [-1] } },
  { name: 'Nulls and empty texts', fields: { sku: 'NULLS', upc: '', mpn: '', gtin: '' }, grow: emptyTheBaseVariant },
  { name: 'Base variant with prices of its own', fields: { sku: 'BASE-PRICES' }, grow: priceTheBaseVariant },
  // Addresses that categories already have, and addresses that differ only slightly.
  { name: 'Sale' },
  { name: 'Wants the address of a category', url: '/men/shoes/' },
  { name: 'Has the address that another would get', url: '/men/shoes-2/' },
  { name: 'No slash at the end', url: '/No-Slash.HTML' },
  { name: 'Many parts', url: '/a/b/c/d/e/f/g/h/' },
  { name: 'Dots and lines', url: '/_.-_.-/' },
  { name: 'Same Slug!' },
  { name: 'Same slug?' },
]

/** Null and the empty string are different values, and a variant may have either. */
const NULLS = { upc: null, mpn: null, gtin: null, inventory_level: null, bin_picking_number: null, image_url: '' }
/** A price of 0 is a price, while null means the price of the product. */
const OWN_PRICES = { price: 0, sale_price: 0, cost_price: 1.2345, weight: 0, width: 7.5, map_price: null }

function putEverywhere({ store, categories }: AwkwardShop, { id }: Row): void {
  for (const category_id of categories.values()) productCategoryTable(store).insert({ product_id: id, category_id })
}

function emptyTheBaseVariant({ store }: AwkwardShop, { id }: Row): void {
  for (const variant of variantTable(store).find({ product_id: id })) variantTable(store).update(variant.id, NULLS)
}

function declare(hs_codes: Record<string, string>, fields: Record<string, unknown>): AwkwardProduct['grow'] {
  const times = { created_at: '2024-02-29T23:59:59Z', updated_at: '2024-02-29T23:59:59Z' }
  return ({ store }, { id }) => {
    customsInformationTable(store).insert({ product_id: id, country_of_origin: 'WS', ...fields, hs_codes, ...times })
  }
}

/** Gives it the merchant's own tax class, which another store has under another id, or not at all. */
function taxOtherwise({ store }: AwkwardShop, { id }: Row): void {
  const times = { created_at: '2024-02-29T23:59:59Z', updated_at: '2024-02-29T23:59:59Z' }
  const tax_class_id = nextTaxClassId(store)
  taxClassTable(store).insert({ id: tax_class_id, name: 'Books & Bücher', ...times, is_built_in: false })
  productTable(store).update(id, { tax_class_id })
}

function priceTheBaseVariant({ store }: AwkwardShop, { id }: Row): void {
  for (const variant of variantTable(store).find({ product_id: id })) variantTable(store).update(variant.id, OWN_PRICES)
}
