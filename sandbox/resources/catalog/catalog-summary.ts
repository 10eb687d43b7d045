import { ok } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { SandboxStore } from '../../store/store.ts'
import { productCategoryTable, productTable, variantTable } from '../../tables/product-tables.ts'
import { fourDecimals } from '../../validation/field-rules.ts'

function summarise({ store }: SandboxRequest): SandboxAnswer {
  return ok(store.untilChanged('catalogue summary', () => summaryOf(store)))
}

function summaryOf(store: SandboxStore): Record<string, unknown> {
  // Opening a table creates it with its indexes, for the queries below.
  const variantCount = variantTable(store).count()
  productTable(store)
  productCategoryTable(store)
  const { stock, value, prices, lowest, highest } = store.ask(VARIANT_TOTALS)
  const { oldest, newest } = store.ask(DATES)
  return {
    inventory_count: Number(stock ?? 0),
    inventory_value: fourDecimals(Number(value ?? 0)),
    ...primaryCategory(store),
    variant_count: variantCount,
    highest_variant_price: Number(highest ?? 0),
    average_variant_price: variantCount === 0 ? 0 : Number(prices) / variantCount,
    // A string, although the other two prices are numbers. Source: the published catalogue summary.
    lowest_variant_price: String(lowest ?? 0),
    oldest_variant_date: oldest ?? '',
    newest_variant_date: newest ?? '',
  }
}

/** A variant without its own price has that of its product: the sale price, if there is one. */
const VARIANT_TOTALS = `
  SELECT sum(stock) AS stock, sum(stock * price) AS value, sum(price) AS prices, min(price) AS lowest, max(price) AS highest
  FROM (
    SELECT coalesce(variant.inventory_level, 0) AS stock,
      CASE WHEN variant.sale_price <> 0 THEN variant.sale_price
        ELSE coalesce(variant.price, CASE WHEN product.sale_price > 0 THEN product.sale_price ELSE product.price END, 0)
      END AS price
    FROM t_variants AS variant LEFT JOIN t_products AS product ON product.id = variant.product_id
  )`

const DATES = `
  SELECT (SELECT min(date_created) FROM t_products) AS oldest, (SELECT max(date_created) FROM t_products) AS newest`

/** If two categories have equally many products, the one whose first product was assigned first. */
const LARGEST_CATEGORY = `
  SELECT category_id FROM t_product_categories GROUP BY category_id ORDER BY count(*) DESC, min(id) LIMIT 1`

function primaryCategory(store: SandboxStore): { primary_category_id: number; primary_category_name: string } {
  const id = Number(store.ask(LARGEST_CATEGORY).category_id ?? 0)
  return { primary_category_id: id, primary_category_name: String(store.table('categories').get(id)?.name ?? '') }
}

export const catalogSummary: SandboxResource = {
  key: 'catalog-summary',
  routes: [
    { method: 'GET', path: '/v3/catalog/summary', scope: 'store_v2_products', latency: 'read', handle: summarise },
  ],
}
