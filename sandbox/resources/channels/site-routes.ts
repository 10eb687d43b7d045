import { errorBody, noContent, ok, Refusal } from '../../http/answers.ts'
import { list } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row } from '../../store/store.ts'
import { listBody, numberParam, objectBody, refuseIfAny, rowOr404 } from '../../validation/body-checks.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'
import { namedSite, siteRoutesTable } from './sites.ts'

type Body = Record<string, unknown>
type Complaints = Record<string, string>

const SCOPE = 'store_sites'
const ROUTES = '/v3/sites/:siteId/routes'
const ROUTE = `${ROUTES}/:routeId`

const TYPES = [
  ...['product', 'brand', 'category', 'page', 'blog', 'home', 'cart', 'checkout', 'search'],
  ...['account', 'login', 'returns', 'static'],
]

const RULES: FieldRules = {
  type: { kind: 'text', oneOf: TYPES },
  /** An id, or `*` for all items of the type. */
  matching: { kind: 'text' },
  route: { kind: 'text', min: 1 },
}

function shown({ id, type, matching, route }: Row): Body {
  return { id, type, matching, route }
}

function namedRoute(request: SandboxRequest): Row {
  return routeById(request, numberParam(request, 'routeId'))
}

function routeById(request: SandboxRequest, id: number): Row {
  return rowOr404(siteRoutesTable(request.store), id, { site_id: namedSite(request).id })
}

/** A site has just one route per item. */
function complaintsAbout(request: SandboxRequest, body: Body, own?: Row): Complaints {
  const { values, errors } = readFields(RULES, body)
  const missing = own ? {} : complaintsAboutMissing(['type', 'matching', 'route'], body)
  const requested = { ...own, ...values } as Body
  const site = namedSite(request)
  const taken = siteRoutesTable(request.store)
    .find({ site_id: site.id, type: String(requested.type) })
    .some((row) => row.matching === requested.matching && row.id !== own?.id)
  const text = `Route already exists for site ${site.id} matching ${requested.matching} for type ${requested.type}`
  return { ...missing, ...errors, ...(taken ? { 'matching.type': text } : {}) }
}

function saveRow(request: SandboxRequest, body: Body, own?: Row): Row {
  const table = siteRoutesTable(request.store)
  const { values } = readFields(RULES, body)
  return own ? table.update(own.id, values) : table.insert({ site_id: namedSite(request).id, ...values })
}

function saveOne(request: SandboxRequest, own?: Row): SandboxAnswer {
  const body = objectBody(request.body)
  refuseIfAny(complaintsAbout(request, body, own))
  // Both creating and updating a single route answer 201. Source: the published sites specification.
  return { status: 201, body: { data: shown(saveRow(request, body, own)), meta: {} } }
}

/**
 * Updates the rows with an id and adds the others. One invalid row makes it refuse them all (our choice: "bulk
 * operation has failed").
 */
function saveAll(request: SandboxRequest): SandboxAnswer {
  const rows = listBody(request.body)
  namedSite(request)
  return request.store.transaction(() => {
    const errors: Complaints = {}
    const saved = rows.flatMap((row, index) => {
      const own = row.id === undefined ? undefined : routeById(request, Number(row.id))
      const complaints = Object.entries(complaintsAbout(request, row, own))
      for (const [field, text] of complaints) errors[`${index}.${field}`] = text
      return complaints.length > 0 ? [] : [saveRow(request, row, own)]
    })
    if (Object.keys(errors).length > 0) throw new Refusal(bulkFailed(errors))
    return ok(saved.map(shown))
  })
}

function bulkFailed(errors: Complaints): SandboxAnswer {
  return { status: 422, body: { ...errorBody(422, 'Bulk operation has failed', errors), meta: { saved_records: 0 } } }
}

function listRoutes(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  const type = query.get('type')
  const where = { site_id: namedSite(request).id, ...(type === null ? {} : { type }) }
  return list({ query, table: siteRoutesTable(store), where, idFilters: false, show: shown })
}

function remove(request: SandboxRequest): SandboxAnswer {
  siteRoutesTable(request.store).delete(namedRoute(request).id)
  return noContent()
}

const read = { scope: SCOPE, latency: 'read' } as const
const write = { scope: SCOPE, latency: 'write' } as const

export const siteRoutes: SandboxResource = {
  key: 'site-routes',
  routes: [
    { method: 'GET', path: ROUTES, ...read, handle: listRoutes },
    { method: 'POST', path: ROUTES, ...write, handle: (request) => saveOne(request) },
    { method: 'PUT', path: ROUTES, ...write, handle: saveAll },
    { method: 'GET', path: ROUTE, ...read, handle: (request) => ok(shown(namedRoute(request))) },
    { method: 'PUT', path: ROUTE, ...write, handle: (request) => saveOne(request, namedRoute(request)) },
    { method: 'DELETE', path: ROUTE, ...write, handle: remove },
  ],
}
