import { noContent, ok, Refusal, refuse } from '../answers.ts'
import { numbersIn } from '../listing.ts'
import { listBody, numberParam, objectBody, rowOr404 } from '../products/body-checks.ts'
import { metafieldFilters, metafieldPage } from '../products/metafield-page.ts'
import {
  createMetafield,
  deleteMetafield,
  isVisible,
  updateMetafield,
  visibleMetafield,
} from '../products/metafield-rows.ts'
import { productMetafieldTable, productTable } from '../products/tables.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../resource.ts'
import type { Row } from '../store.ts'

const SCOPE = 'store_v2_products'
const BULK = '/v3/catalog/products/metafields'
const OF_PRODUCT = '/v3/catalog/products/:productId/metafields'
const ONE = `${OF_PRODUCT}/:metafieldId`

function listAll(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  const resourceIds = numbersIn(query, 'resource_id:in')
  const where = { ...metafieldFilters(query), ...(resourceIds ? { resource_id: resourceIds } : {}) }
  return metafieldPage(request, productMetafieldTable(store), { where, keep: rowCondition(request) })
}

function listOfProduct(request: SandboxRequest): SandboxAnswer {
  const where = { ...metafieldFilters(request.query), resource_id: namedProduct(request).id }
  return metafieldPage(request, productMetafieldTable(request.store), { where, keep: rowCondition(request) })
}

const DATE_FILTERS = ['date_modified:min', 'date_modified:max', 'date_created:min', 'date_created:max']

/** Undefined when a caller who sees everything asks without dates: then no row needs looking at. */
function rowCondition(request: SandboxRequest): ((row: Row) => boolean) | undefined {
  const { query, scopes } = request
  if (scopes.has('store_metafield_write_all') && !DATE_FILTERS.some((name) => query.has(name))) return undefined
  return (row) => isVisible(request, row) && DATE_FILTERS.every((name) => isInTime(row, name, query.get(name)))
}

function isInTime(row: Row, filter: string, bound: string | null): boolean {
  if (bound === null) return true
  const [field = '', end] = filter.split(':')
  const difference = Date.parse(String(row[field])) - Date.parse(bound)
  return end === 'min' ? difference >= 0 : difference <= 0
}

function namedProduct(request: SandboxRequest): Row {
  return rowOr404(productTable(request.store), numberParam(request, 'productId'))
}

function namedMetafield(request: SandboxRequest): Row {
  return visibleMetafield(request, numberParam(request, 'metafieldId'), { resource_id: namedProduct(request).id })
}

/** Good rows are saved whatever happens to the others, and a 422 says that some were not. */
function batch<T>(request: SandboxRequest, rows: readonly T[], save: (row: T) => unknown): SandboxAnswer {
  const data: unknown[] = []
  const errors: unknown[] = []
  for (const row of rows) {
    try {
      data.push(request.store.transaction(() => save(row)))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      errors.push(error.answer.body)
    }
  }
  const meta = { total: rows.length, success: data.length, failed: errors.length }
  return { status: errors.length > 0 ? 422 : 200, body: { data, errors, meta } }
}

function createBatch(request: SandboxRequest): SandboxAnswer {
  return batch(request, listBody(request.body), (row) => createMetafield(request, Number(row.resource_id), row))
}

function updateBatch(request: SandboxRequest): SandboxAnswer {
  return batch(request, listBody(request.body), (row) =>
    updateMetafield(request, visibleMetafield(request, Number(row.id)), row),
  )
}

function deleteBatch(request: SandboxRequest): SandboxAnswer {
  const ids = request.body
  if (!Array.isArray(ids)) refuse(422, 'The request body must be an array of ids.')
  return batch(request, ids as unknown[], (id) => {
    deleteMetafield(request, visibleMetafield(request, Number(id)))
    return id
  })
}

export const productMetafields: SandboxResource = {
  key: 'product-metafields',
  routes: [
    { method: 'GET', path: BULK, scope: SCOPE, latency: 'read', handle: listAll },
    { method: 'POST', path: BULK, scope: SCOPE, latency: 'write', handle: createBatch },
    { method: 'PUT', path: BULK, scope: SCOPE, latency: 'write', handle: updateBatch },
    { method: 'DELETE', path: BULK, scope: SCOPE, latency: 'write', handle: deleteBatch },
    { method: 'GET', path: OF_PRODUCT, scope: SCOPE, latency: 'read', handle: listOfProduct },
    {
      method: 'POST',
      path: OF_PRODUCT,
      scope: SCOPE,
      latency: 'write',
      handle: (request) => ok(createMetafield(request, namedProduct(request).id, objectBody(request.body))),
    },
    { method: 'GET', path: ONE, scope: SCOPE, latency: 'read', handle: (request) => ok(namedMetafield(request)) },
    {
      method: 'PUT',
      path: ONE,
      scope: SCOPE,
      latency: 'write',
      handle: (request) => ok(updateMetafield(request, namedMetafield(request), objectBody(request.body))),
    },
    {
      method: 'DELETE',
      path: ONE,
      scope: SCOPE,
      latency: 'write',
      handle: (request) => {
        deleteMetafield(request, namedMetafield(request))
        return noContent()
      },
    },
  ],
}
