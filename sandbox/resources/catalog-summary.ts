import { ok } from '../answers.ts'
import { fourDecimals } from '../products/field-rules.ts'
import { productCategoryTable, productTable, variantTable } from '../products/tables.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../resource.ts'
import type { Row, SandboxStore, Table } from '../store.ts'

/** Rows read at a time, so that a large store does not have to fit in memory. */
const STEP = 5_000

interface Totals {
  inventoryCount: number
  inventoryValue: number
  priceSum: number
  lowest: number
  highest: number
}

function summarise({ store }: SandboxRequest): SandboxAnswer {
  const prices = new Map<unknown, number>()
  const dates: string[] = []
  for (const product of everyRow(productTable(store))) {
    prices.set(product.id, Number(product.sale_price) > 0 ? Number(product.sale_price) : Number(product.price))
    const created = String(product.date_created)
    dates[0] = dates[0] === undefined || created < dates[0] ? created : dates[0]
    dates[1] = dates[1] === undefined || created > dates[1] ? created : dates[1]
  }
  const totals: Totals = { inventoryCount: 0, inventoryValue: 0, priceSum: 0, lowest: Infinity, highest: 0 }
  for (const variant of everyRow(variantTable(store))) addVariant(totals, variant, prices.get(variant.product_id) ?? 0)
  const variantCount = variantTable(store).count()
  return ok({
    inventory_count: totals.inventoryCount,
    inventory_value: fourDecimals(totals.inventoryValue),
    ...primaryCategory(store),
    variant_count: variantCount,
    highest_variant_price: totals.highest,
    average_variant_price: variantCount === 0 ? 0 : totals.priceSum / variantCount,
    // A text, unlike its two neighbours. Source: the published catalogue summary.
    lowest_variant_price: String(variantCount === 0 ? 0 : totals.lowest),
    oldest_variant_date: dates[0] ?? '',
    newest_variant_date: dates[1] ?? '',
  })
}

function addVariant(totals: Totals, variant: Row, productPrice: number): void {
  const price = Number(variant.sale_price || (variant.price ?? productPrice))
  const stock = Number(variant.inventory_level ?? 0)
  totals.inventoryCount += stock
  totals.inventoryValue += stock * price
  totals.priceSum += price
  totals.lowest = Math.min(totals.lowest, price)
  totals.highest = Math.max(totals.highest, price)
}

function primaryCategory(store: SandboxStore): { primary_category_id: number; primary_category_name: string } {
  const products = new Map<number, number>()
  for (const link of everyRow(productCategoryTable(store))) {
    const id = Number(link.category_id)
    products.set(id, (products.get(id) ?? 0) + 1)
  }
  let largest = 0
  for (const [id, count] of products) if (count > (products.get(largest) ?? 0)) largest = id
  const name = largest === 0 ? '' : String(store.table('categories').get(largest)?.name ?? '')
  return { primary_category_id: largest, primary_category_name: name }
}

function* everyRow(table: Table): Generator<Row> {
  let minId = 0
  while (true) {
    const { rows } = table.page({ minId, offset: 0, limit: STEP })
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < STEP) return
    minId = last.id + 1
  }
}

export const catalogSummary: SandboxResource = {
  key: 'catalog-summary',
  routes: [
    { method: 'GET', path: '/v3/catalog/summary', scope: 'store_v2_products', latency: 'read', handle: summarise },
  ],
}
