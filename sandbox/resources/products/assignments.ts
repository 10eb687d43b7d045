import { noContent, refuse } from '../../http/answers.ts'
import { list, numbersIn, type Where } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxRoute } from '../../http/resource.ts'
import type { SandboxStore, Table } from '../../store/store.ts'
import { productTable } from '../../tables/product-tables.ts'
import { listBody, refuseBeyondSwitch, refuseLongFilters } from '../../validation/body-checks.ts'

/** Assigns products to channels or to categories, which have the same three calls. */
interface AssignmentKind {
  path: string
  table(store: SandboxStore): Table
  /** The field for the other side, `channel_id` or `category_id`. */
  field: 'channel_id' | 'category_id'
  exists(store: SandboxStore, id: number): boolean
  /** The most assignments per product. Absent: no limit. */
  most?: number
}

export function assignmentRoutes(kind: AssignmentKind): SandboxRoute[] {
  const { path } = kind
  const scope = 'store_v2_products'
  return [
    { method: 'GET', path, scope, latency: 'read', handle: (request) => listAssignments(kind, request) },
    { method: 'PUT', path, scope, latency: 'write', handle: (request) => putAssignments(kind, request) },
    { method: 'DELETE', path, scope, latency: 'write', handle: (request) => deleteAssignments(kind, request) },
  ]
}

function filters(kind: AssignmentKind, query: URLSearchParams): Where {
  const productIds = numbersIn(query, 'product_id:in')
  const otherIds = numbersIn(query, `${kind.field}:in`)
  return { ...(productIds ? { product_id: productIds } : {}), ...(otherIds ? { [kind.field]: otherIds } : {}) }
}

function listAssignments(kind: AssignmentKind, request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  refuseLongFilters(request)
  return list({
    query,
    table: kind.table(store),
    where: filters(kind, query),
    idFilters: false,
    show: (row) => ({ product_id: row.product_id, [kind.field]: row[kind.field] }),
  })
}

/** Existing assignments stay. One invalid row fails the call. Source: the 422 of the published PUT. */
function putAssignments(kind: AssignmentKind, { store, body }: SandboxRequest): SandboxAnswer {
  const given = listBody(body)
  refuseBeyondSwitch(store, 'assignment_batch_max', given)
  const rows = given.map((row) => ({ product_id: Number(row.product_id), other: Number(row[kind.field]) }))
  const errors: Record<string, string> = {}
  for (const [index, row] of rows.entries()) {
    if (!productTable(store).get(row.product_id)) errors[`${index}.product_id`] = 'The product does not exist'
    if (!kind.exists(store, row.other)) errors[`${index}.${kind.field}`] = `The ${kind.field} does not exist`
  }
  if (Object.keys(errors).length > 0) refuse(422, 'The assignments are not valid', errors)
  return store.transaction(() => {
    for (const { product_id, other } of rows) {
      const requested = { product_id, [kind.field]: other }
      if (kind.table(store).count(requested) === 0) kind.table(store).insert(requested)
    }
    for (const product_id of new Set(rows.map((row) => row.product_id))) refuseBeyondMost(kind, store, product_id)
    return noContent()
  })
}

function refuseBeyondMost({ table, field, most = Infinity }: AssignmentKind, store: SandboxStore, id: number): void {
  if (table(store).count({ product_id: id }) > most)
    refuse(422, `A product can have at most ${most} assignments`, { [field]: `product ${id} has too many` })
}

function deleteAssignments(kind: AssignmentKind, { store, query }: SandboxRequest): SandboxAnswer {
  const where = filters(kind, query)
  if (Object.keys(where).length === 0)
    refuse(422, 'A filter is required to delete assignments', { filter: 'is required' })
  return store.transaction(() => {
    for (const row of kind.table(store).find(where)) kind.table(store).delete(row.id)
    return noContent()
  })
}
