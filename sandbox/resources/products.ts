import { noContent, ok, refuse } from '../answers.ts'
import { pageOf, paginationMeta, selectFields, textsIn } from '../listing.ts'
import { productAnswer, productAnswers } from '../products/answer.ts'
import { listBody, numberParam, objectBody, refuseOversize, rowOr404 } from '../products/body-checks.ts'
import { checkUpdate, createProduct, deleteProduct, updateProduct } from '../products/save-product.ts'
import { hasFilter, selectProducts } from '../products/selection.ts'
import { productTable } from '../products/tables.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../resource.ts'
import type { Row } from '../store.ts'

const COLLECTION = '/v3/catalog/products'
const ONE = '/v3/catalog/products/:productId'
const SCOPE = 'store_v2_products'

const LARGEST_PAGE = 250
/** The page when options or modifiers are included. Source: the `include` parameter of the published product list. */
const LARGEST_PAGE_WITH_OPTIONS = 10
const LARGEST_UPDATE = 10
const LARGEST_DELETE = 250

function includesOf(query: URLSearchParams): Set<string> {
  return new Set(textsIn(query, 'include') ?? [])
}

function listProducts({ store, query }: SandboxRequest): SandboxAnswer {
  const includes = includesOf(query)
  const withOptions = includes.has('options') || includes.has('modifiers')
  const at = pageOf(query, withOptions ? LARGEST_PAGE_WITH_OPTIONS : LARGEST_PAGE)
  const { rows, total } = selectProducts(store, query, at.offset, at.limit)
  const data = productAnswers(store, rows, includes).map((answer) => shown(answer, query, includes))
  return { status: 200, body: { data, meta: paginationMeta(query, at, data.length, total) } }
}

/** No choice of fields takes it away. Source: `gift_wrapping_options_list` of the published product. */
const ALWAYS_SHOWN = 'gift_wrapping_options_list'

/** Included children are shown whatever `include_fields` names. */
function shown(
  answer: Record<string, unknown>,
  query: URLSearchParams,
  includes: Set<string>,
): Record<string, unknown> {
  const kept = [...includes, ALWAYS_SHOWN].filter((name) => name in answer)
  return { ...selectFields(answer, query), ...Object.fromEntries(kept.map((name) => [name, answer[name]])) }
}

function getProduct(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  const includes = includesOf(query)
  const answer = productAnswer(store, namedProduct(request), includes)
  return ok(shown(answer, query, includes))
}

async function putProduct(request: SandboxRequest): Promise<SandboxAnswer> {
  const { store } = request
  const body = objectBody(request.body)
  await checkUpdate(store, namedProduct(request), body)
  const product = store.transaction(() => updateProduct(store, namedProduct(request), body))
  return ok(productAnswer(store, product, new Set()))
}

async function putProducts({ store, body }: SandboxRequest): Promise<SandboxAnswer> {
  const rows = listBody(body)
  refuseOversize(rows, LARGEST_UPDATE)
  for (const row of rows) {
    if (!Number.isInteger(row.id)) refuse(422, 'id is required', { id: 'id is required' })
    await checkUpdate(store, rowOr404(productTable(store), Number(row.id)), row)
  }
  const products = store.transaction(() =>
    rows.map((row) => updateProduct(store, rowOr404(productTable(store), Number(row.id)), row)),
  )
  return ok(productAnswers(store, products, new Set()))
}

function deleteOne(request: SandboxRequest): SandboxAnswer {
  const { id } = namedProduct(request)
  request.store.transaction(() => deleteProduct(request.store, id))
  return noContent()
}

function deleteSelected({ store, query }: SandboxRequest): SandboxAnswer {
  if (!hasFilter(query)) refuse(422, 'A filter is required to delete products', { filter: 'A filter is required' })
  const { rows, total } = selectProducts(store, query, 0, LARGEST_DELETE)
  if (total > LARGEST_DELETE) refuse(422, `At most ${LARGEST_DELETE} products can be deleted at one time`)
  store.transaction(() => {
    for (const row of rows) deleteProduct(store, row.id)
  })
  return noContent()
}

function namedProduct(request: SandboxRequest): Row {
  return rowOr404(productTable(request.store), numberParam(request, 'productId'))
}

export const products: SandboxResource = {
  key: 'products',
  routes: [
    { method: 'GET', path: COLLECTION, scope: SCOPE, latency: 'read', handle: listProducts },
    {
      method: 'POST',
      path: COLLECTION,
      scope: SCOPE,
      latency: 'heavy',
      handle: ({ store, body }) => createProduct(store, objectBody(body)),
    },
    { method: 'PUT', path: COLLECTION, scope: SCOPE, latency: 'write', handle: putProducts },
    { method: 'DELETE', path: COLLECTION, scope: SCOPE, latency: 'write', handle: deleteSelected },
    { method: 'GET', path: ONE, scope: SCOPE, latency: 'read', handle: getProduct },
    { method: 'PUT', path: ONE, scope: SCOPE, latency: 'write', handle: putProduct },
    { method: 'DELETE', path: ONE, scope: SCOPE, latency: 'write', handle: deleteOne },
  ],
}
