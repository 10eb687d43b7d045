import type { Row, SandboxStore } from '../../store/store.ts'
import { claimUrl } from '../../store/urls.ts'
import { productTable } from '../../tables/product-tables.ts'
import { PRODUCT_FIELDS } from '../../validation/product-fields.ts'

interface NewProduct {
  fields: Record<string, unknown>
  custom_url: { url: string; is_customized: boolean }
  date_created: string
  date_modified: string
  total_sold?: number
}

/**
 * Every field in its order, with the default of a create. Built only once, because there are sixty fields and hundreds
 * of thousands of products.
 */
const PLAIN = Object.fromEntries(Object.entries(PRODUCT_FIELDS).map(([field, { fallback }]) => [field, fallback]))

/** Writes a product straight into the table, without the checks of a call, and claims its address. */
export function insertProductRow(store: SandboxStore, { fields, total_sold = 0, ...given }: NewProduct): Row {
  const product = productTable(store).insert({
    ...PLAIN,
    ...fields,
    custom_url: given.custom_url,
    base_variant_id: null,
    option_set_id: null,
    option_set_display: 'right',
    reviews_rating_sum: 0,
    reviews_count: 0,
    total_sold,
    date_created: given.date_created,
    date_modified: given.date_modified,
  })
  claimUrl(store, given.custom_url.url, { resource: 'product', id: product.id })
  return product
}
