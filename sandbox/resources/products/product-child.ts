import { noContent, ok } from '../../http/answers.ts'
import { list, selectFields } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxRoute } from '../../http/resource.ts'
import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { productTable } from '../../tables/product-tables.ts'
import { numberParam, objectBody, rowOr404 } from '../../validation/body-checks.ts'
import { touchingProduct } from './rows/touch-product.ts'

type Body = Record<string, unknown>

/** A kind of product child with the usual five calls. */
export interface ProductChild {
  /** Last segment of the path, such as `videos`. */
  path: string
  table(store: SandboxStore): Table
  shown(row: Row): Body
  /** Writes a new child, or changes `own`. Called in a transaction; refuses by throwing. */
  save(store: SandboxStore, product: Row, body: Body, own?: Row): Row
  /** Called after a write, to update what the product's row repeats about its children. */
  afterWrite?(store: SandboxStore, productId: number): void
  /** A filter from the query of the list. */
  keep?(query: URLSearchParams): ((row: Row) => boolean) | undefined
  /** Whether the answer for a product without such children is 204 instead of an empty list. */
  emptyIsNoContent?: boolean
}

const SCOPE = 'store_v2_products'

export function productChildRoutes(child: ProductChild): SandboxRoute[] {
  const all = `/v3/catalog/products/:productId/${child.path}`
  const one = `${all}/:childId`
  const read = { scope: SCOPE, latency: 'read' } as const
  const write = { scope: SCOPE, latency: 'write' } as const
  return touchingProduct([
    { method: 'GET', path: all, ...read, handle: (request) => listChildren(child, request) },
    { method: 'POST', path: all, ...write, handle: (request) => save(child, request) },
    { method: 'GET', path: one, ...read, handle: (request) => show(child, request) },
    { method: 'PUT', path: one, ...write, handle: (request) => save(child, request, named(child, request)) },
    { method: 'DELETE', path: one, ...write, handle: (request) => remove(child, request) },
  ])
}

function namedProduct(request: SandboxRequest): Row {
  return rowOr404(productTable(request.store), numberParam(request, 'productId'))
}

function named(child: ProductChild, request: SandboxRequest): Row {
  return rowOr404(child.table(request.store), numberParam(request, 'childId'), {
    product_id: namedProduct(request).id,
  })
}

function listChildren(child: ProductChild, request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  const where = { product_id: namedProduct(request).id }
  if (child.emptyIsNoContent && child.table(store).count(where) === 0) return noContent()
  return list({ query, table: child.table(store), where, show: child.shown, keep: child.keep?.(query) })
}

function show(child: ProductChild, request: SandboxRequest): SandboxAnswer {
  return ok(selectFields(child.shown(named(child, request)), request.query))
}

function save(child: ProductChild, request: SandboxRequest, own?: Row): SandboxAnswer {
  const { store } = request
  const product = namedProduct(request)
  const body = objectBody(request.body)
  const row = store.transaction(() => {
    const saved = child.save(store, product, body, own)
    child.afterWrite?.(store, product.id)
    return saved
  })
  return ok(child.shown(row))
}

function remove(child: ProductChild, request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const row = named(child, request)
  store.transaction(() => {
    child.table(store).delete(row.id)
    child.afterWrite?.(store, Number(row.product_id))
  })
  return noContent()
}
