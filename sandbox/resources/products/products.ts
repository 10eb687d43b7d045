import { noContent, ok, refuse } from '../../http/answers.ts'
import { pageOf, paginationMeta, selectFields, textsIn } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row } from '../../store/store.ts'
import { productTable } from '../../tables/product-tables.ts'
import {
  listBody,
  numberParam,
  objectBody,
  refuseLongFilters,
  refuseOversize,
  rowOr404,
} from '../../validation/body-checks.ts'
import { CREATE_INCLUDES, productAnswer, productAnswers } from './rows/answer.ts'
import { savableProduct } from './rows/savable-product.ts'
import { checkUpdate, createProduct, deleteProduct, savedAnswer, updateProduct } from './rows/save-product.ts'
import { hasFilter, selectProducts } from './rows/selection.ts'
import type { Savable } from './rows/variant-stock.ts'

const COLLECTION = '/v3/catalog/products'
const ONE = '/v3/catalog/products/:productId'
const SCOPE = 'store_v2_products'

const LARGEST_PAGE = 250
/** The largest page with options or modifiers. Source: the `include` parameter of the published product list. */
const LARGEST_PAGE_WITH_OPTIONS = 10
const LARGEST_UPDATE = 10
const LARGEST_DELETE = 250

function includesOf(query: URLSearchParams): Set<string> {
  return new Set(textsIn(query, 'include') ?? [])
}

function listProducts(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  refuseLongFilters(request)
  const includes = includesOf(query)
  const withOptions = includes.has('options') || includes.has('modifiers')
  const at = pageOf(query, withOptions ? LARGEST_PAGE_WITH_OPTIONS : LARGEST_PAGE)
  const { rows, total } = selectProducts(store, query, at.offset, at.limit)
  const data = productAnswers(store, rows, includes).map((answer) => shown(answer, query, includes))
  return { status: 200, body: { data, meta: paginationMeta(query, at, data.length, total) } }
}

/** Returned whatever fields are requested. Source: the two fields of the published product. */
const ALWAYS_SHOWN = ['gift_wrapping_options_type', 'gift_wrapping_options_list']

/** Included children are returned whatever `include_fields` says. */
function shown(
  answer: Record<string, unknown>,
  query: URLSearchParams,
  includes: ReadonlySet<string>,
): Record<string, unknown> {
  const kept = [...includes, ...ALWAYS_SHOWN].filter((name) => name in answer)
  return { ...selectFields(answer, query), ...Object.fromEntries(kept.map((name) => [name, answer[name]])) }
}

function getProduct(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  const includes = includesOf(query)
  const answer = productAnswer(store, namedProduct(request), includes)
  return ok(shown(answer, query, includes))
}

async function postProduct({ store, query, body }: SandboxRequest): Promise<SandboxAnswer> {
  const answer = await createProduct(store, objectBody(body))
  const { data, ...rest } = answer.body as { data: Record<string, unknown> }
  return { ...answer, body: { ...rest, data: shown(data, query, CREATE_INCLUDES) } }
}

async function putProduct(request: SandboxRequest): Promise<SandboxAnswer> {
  const { store, query } = request
  const { body, unsaved } = savableProduct(store, objectBody(request.body), namedProduct(request))
  await checkUpdate(store, namedProduct(request), body)
  const product = store.transaction(() => updateProduct(store, namedProduct(request), body))
  const includes = includesOf(query)
  return savedAnswer(shown(productAnswer(store, product, includes), query, includes), unsaved)
}

async function putProducts({ store, body, query }: SandboxRequest): Promise<SandboxAnswer> {
  const rows = listBody(body)
  refuseOversize(rows, LARGEST_UPDATE)
  const savables: Savable[] = []
  for (const row of rows) {
    if (!Number.isInteger(row.id)) refuse(422, 'id is required', { id: 'id is required' })
    const savable = savableProduct(store, row, rowOr404(productTable(store), Number(row.id)))
    await checkUpdate(store, rowOr404(productTable(store), Number(row.id)), savable.body)
    savables.push(savable)
  }
  const products = store.transaction(() =>
    savables.map(({ body: { id, ...fields } }) =>
      updateProduct(store, rowOr404(productTable(store), Number(id)), fields),
    ),
  )
  const includes = includesOf(query)
  const data = productAnswers(store, products, includes).map((answer) => shown(answer, query, includes))
  return savedAnswer(data, unsavedOf(savables))
}

/** The errors name rows by their position in the batch. */
function unsavedOf(savables: Savable[]): Record<string, string> {
  const named = savables.flatMap(({ unsaved }, at) =>
    Object.entries(unsaved).map(([field, text]) => [`${at}.${field}`, text]),
  )
  return Object.fromEntries(named)
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
      handle: postProduct,
    },
    { method: 'PUT', path: COLLECTION, scope: SCOPE, latency: 'write', handle: putProducts },
    { method: 'DELETE', path: COLLECTION, scope: SCOPE, latency: 'write', handle: deleteSelected },
    { method: 'GET', path: ONE, scope: SCOPE, latency: 'read', handle: getProduct },
    { method: 'PUT', path: ONE, scope: SCOPE, latency: 'write', handle: putProduct },
    { method: 'DELETE', path: ONE, scope: SCOPE, latency: 'write', handle: deleteOne },
  ],
}
