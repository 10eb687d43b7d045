import { refuse } from '../../http/answers.ts'
import { list } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row } from '../../store/store.ts'
import { categoriesTable } from '../../tables/category-tables.ts'
import { productCategoryTable } from '../../tables/product-tables.ts'
import { listBody, numberParam, refuseIfAny, rowOr404 } from '../../validation/body-checks.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'

const SCOPE = 'store_v2_products'
const PATH = '/v3/catalog/categories/:categoryId/products/sort-order'

const RULES: FieldRules = {
  product_id: { kind: 'integer', min: 1 },
  sort_order: { kind: 'integer', min: 0 },
}

function namedCategory(request: SandboxRequest): Row {
  return rowOr404(categoriesTable(request.store), numberParam(request, 'categoryId'))
}

/** The sort order is null for a product without one, which comes last. */
function shown(link: Row): Record<string, unknown> {
  return { product_id: link.product_id, sort_order: link.sort_order ?? null }
}

function byOrder(left: Row, right: Row): number {
  const position = (link: Row) => Number(link.sort_order ?? Infinity)
  // The difference of two infinities would be NaN.
  return position(left) === position(right) ? left.id - right.id : position(left) - position(right)
}

function listOrder(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  const where = { category_id: namedCategory(request).id }
  const table = productCategoryTable(store)
  return list({ query, table, where, order: byOrder, show: shown, idFilters: false, idField: 'product_id' })
}

/**
 * A product has its sort order within a category. If one of the products is not in the category, the whole call fails.
 */
function putOrder(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const category = namedCategory(request)
  const rows = listBody(request.body)
  for (const row of rows) {
    refuseIfAny({ ...complaintsAboutMissing(Object.keys(RULES), row), ...readFields(RULES, row).errors })
  }
  const links = new Map(
    productCategoryTable(store)
      .find({ category_id: category.id })
      .map((link) => [link.product_id, link]),
  )
  return store.transaction(() => {
    const saved = rows.map((row) => {
      const link = links.get(row.product_id) ?? refuseStranger(row.product_id)
      return productCategoryTable(store).update(link.id, { sort_order: row.sort_order })
    })
    // Without an envelope. Source: the answer of the published sort order PUT.
    return { status: 200, body: saved.map(shown) }
  })
}

function refuseStranger(productId: unknown): never {
  return refuse(422, 'A product is not assigned to the category', {
    product_id: `product ${String(productId)} is not assigned to the category`,
  })
}

export const categorySortOrder: SandboxResource = {
  key: 'category-sort-order',
  routes: [
    { method: 'GET', path: PATH, scope: SCOPE, latency: 'read', handle: listOrder },
    { method: 'PUT', path: PATH, scope: SCOPE, latency: 'write', handle: putOrder },
  ],
}
