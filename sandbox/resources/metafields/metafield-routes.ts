import { noContent, ok, Refusal, refuse } from '../../http/answers.ts'
import { cursorList } from '../../http/cursor-list.ts'
import { numbersIn, textsIn, type Where } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxRoute } from '../../http/resource.ts'
import type { Row } from '../../store/store.ts'
import { listBody, numberParam, objectBody, refuseBeyondSwitch } from '../../validation/body-checks.ts'
import {
  createMetafield,
  deleteMetafield,
  isVisible,
  type MetafieldKind,
  updateMetafield,
  visibleMetafield,
} from './metafield-rows.ts'

/** The paths of one kind of metafields. */
export interface MetafieldPaths extends MetafieldKind {
  /** `store_v2_products` by default. */
  scope?: string
  /**
   * Path below one owner, `/v3/catalog/products/:productId`. Absent for the store, whose metafields are at `bulkPath`.
   */
  ownerPath?: string
  /** Path of the bulk calls, `/v3/catalog/products/metafields`. */
  bulkPath: string
  /**
   * The owner named by the path.
   * @throws a 404 if there is none
   */
  namedOwner(request: SandboxRequest): Row
  /** How the platform returns a row. Absent: as it is. */
  show?(row: Row): Record<string, unknown>
}

const SCOPE = 'store_v2_products'

function metafieldFilters(query: URLSearchParams): Where {
  const keys = textsIn(query, 'key:in') ?? (query.has('key') ? [String(query.get('key'))] : undefined)
  const namespaces =
    textsIn(query, 'namespace:in') ?? (query.has('namespace') ? [String(query.get('namespace'))] : undefined)
  return { ...(keys ? { key: keys } : {}), ...(namespaces ? { namespace: namespaces } : {}) }
}

function listAll(kind: MetafieldPaths, request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  const resourceIds = numbersIn(query, 'resource_id:in')
  const where = { ...metafieldFilters(query), ...(resourceIds ? { resource_id: resourceIds } : {}) }
  return cursorList(request, kind.table(store), { where, show: kind.show, ...rowCondition(request) })
}

function listOfOwner(kind: MetafieldPaths, request: SandboxRequest): SandboxAnswer {
  const where = { ...metafieldFilters(request.query), resource_id: kind.namedOwner(request).id }
  const conditions = [rowCondition(request).keep, idCondition(kind, request.query)].filter((keep) => keep !== undefined)
  const keep = conditions.length > 0 ? (row: Row) => conditions.every((holds) => holds(row)) : undefined
  return cursorList(request, kind.table(request.store), { where, show: kind.show, ...(keep ? { keep } : {}) })
}

/** Owners in whose lists metafields can be filtered by id. Source: the published lists below one owner. */
const FOUND_BY_ID = ['brand', 'category']

const ID_FILTERS: Record<string, (id: number, bounds: number[]) => boolean> = {
  id: (id, ids) => ids.includes(id),
  'id:in': (id, ids) => ids.includes(id),
  'id:not_in': (id, ids) => !ids.includes(id),
  'id:min': (id, [bound = 0]) => id >= bound,
  'id:max': (id, [bound = 0]) => id <= bound,
  'id:greater': (id, [bound = 0]) => id > bound,
  'id:less': (id, [bound = 0]) => id < bound,
}

/** undefined without an id filter. */
function idCondition({ resourceType }: MetafieldPaths, query: URLSearchParams): ((row: Row) => boolean) | undefined {
  if (!FOUND_BY_ID.includes(resourceType)) return undefined
  const requested = Object.entries(ID_FILTERS).flatMap(([name, holds]) => {
    const numbers = numbersIn(query, name)
    return numbers ? [(row: Row) => holds(row.id, numbers)] : []
  })
  return requested.length > 0 ? (row) => requested.every((holds) => holds(row)) : undefined
}

const DATE_FILTERS = ['date_modified:min', 'date_modified:max', 'date_created:min', 'date_created:max']

/** Without `keep`, rows need not be checked: the caller sees everything and filters by no date. */
function rowCondition(request: SandboxRequest): { keep?: (row: Row) => boolean } {
  const { query, scopes } = request
  if (scopes.has('store_metafield_write_all') && !DATE_FILTERS.some((name) => query.has(name))) return {}
  return {
    keep: (row) => isVisible(request, row) && DATE_FILTERS.every((name) => isInTime(row, name, query.get(name))),
  }
}

function isInTime(row: Row, filter: string, bound: string | null): boolean {
  if (bound === null) return true
  const [field = '', end] = filter.split(':')
  const difference = Date.parse(String(row[field])) - Date.parse(bound)
  return end === 'min' ? difference >= 0 : difference <= 0
}

function namedMetafield(kind: MetafieldPaths, request: SandboxRequest): Row {
  const resource_id = kind.namedOwner(request).id
  return visibleMetafield(kind, request, numberParam(request, 'metafieldId'), { resource_id })
}

/** Saves the valid rows whatever happens to the others. A 422 means that some were not saved. */
function batch<T>(request: SandboxRequest, rows: readonly T[], save: (row: T) => unknown): SandboxAnswer {
  refuseBeyondSwitch(request.store, 'metafield_batch_max', rows)
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

function createBatch(kind: MetafieldPaths, request: SandboxRequest): SandboxAnswer {
  const ownerOf = (row: Record<string, unknown>) =>
    kind.ownerPath ? Number(row.resource_id) : kind.namedOwner(request).id
  return batch(request, listBody(request.body), (row) => shown(kind, createMetafield(kind, request, ownerOf(row), row)))
}

function shown(kind: MetafieldPaths, row: Row): Record<string, unknown> {
  return kind.show?.(row) ?? row
}

function updateBatch(kind: MetafieldPaths, request: SandboxRequest): SandboxAnswer {
  return batch(request, listBody(request.body), (row) =>
    shown(kind, updateMetafield(kind, request, visibleMetafield(kind, request, Number(row.id)), row)),
  )
}

function deleteBatch(kind: MetafieldPaths, request: SandboxRequest): SandboxAnswer {
  const ids = request.body
  if (!Array.isArray(ids)) refuse(422, 'The request body must be an array of ids.')
  return batch(request, ids as unknown[], (id) => {
    deleteMetafield(kind, request, visibleMetafield(kind, request, Number(id)))
    return id
  })
}

function createOne(kind: MetafieldPaths, request: SandboxRequest): SandboxAnswer {
  return ok(shown(kind, createMetafield(kind, request, kind.namedOwner(request).id, objectBody(request.body))))
}

function updateOne(kind: MetafieldPaths, request: SandboxRequest): SandboxAnswer {
  return ok(shown(kind, updateMetafield(kind, request, namedMetafield(kind, request), objectBody(request.body))))
}

function deleteOne(kind: MetafieldPaths, request: SandboxRequest): SandboxAnswer {
  deleteMetafield(kind, request, namedMetafield(kind, request))
  return noContent()
}

/**
 * The nine calls for the metafields of any kind of owner. The store has only seven, because its list and create are the
 * bulk calls.
 */
export function metafieldRoutes(kind: MetafieldPaths): SandboxRoute[] {
  const scope = kind.scope ?? SCOPE
  const read = { scope, latency: 'read' } as const
  const write = { scope, latency: 'write' } as const
  const bulk = kind.bulkPath
  const all = kind.ownerPath ? `${kind.ownerPath}/metafields` : bulk
  const one = `${all}/:metafieldId`
  const ofOneOwner: SandboxRoute[] = [
    { method: 'GET', path: all, ...read, handle: (request) => listOfOwner(kind, request) },
    { method: 'POST', path: all, ...write, handle: (request) => createOne(kind, request) },
  ]
  return [
    { method: 'GET', path: bulk, ...read, handle: (request) => listAll(kind, request) },
    { method: 'POST', path: bulk, ...write, handle: (request) => createBatch(kind, request) },
    { method: 'PUT', path: bulk, ...write, handle: (request) => updateBatch(kind, request) },
    { method: 'DELETE', path: bulk, ...write, handle: (request) => deleteBatch(kind, request) },
    ...(kind.ownerPath ? ofOneOwner : []),
    { method: 'GET', path: one, ...read, handle: (request) => ok(shown(kind, namedMetafield(kind, request))) },
    { method: 'PUT', path: one, ...write, handle: (request) => updateOne(kind, request) },
    { method: 'DELETE', path: one, ...write, handle: (request) => deleteOne(kind, request) },
  ]
}
