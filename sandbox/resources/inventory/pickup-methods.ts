import { noContent, ok, refuse } from '../../http/answers.ts'
import { list, numbersIn, type Where } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { listBody, refuseIfAny, refuseOversize } from '../../validation/body-checks.ts'
import { isWithinDates } from '../../validation/date-filters.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'
import { locationTable, locationTime } from './location-rows.ts'
import { pickupMethodTable } from './pickup-method-rows.ts'

type Body = Record<string, unknown>

const SCOPE = 'store_fulfillment_methods_manage'
const PATH = '/v3/pickup/methods'
const MOST_CREATED = 100
const MOST_UPDATED = 10

const RULES: FieldRules = {
  location_id: { kind: 'integer', min: 1 },
  display_name: { kind: 'text', max: 250 },
  collection_instructions: { kind: 'text', max: 250 },
  collection_time_description: { kind: 'text', max: 250 },
}
/** Our choice: the specification requires nothing, but a method without a location or a name would be useless. */
const REQUIRED = ['location_id', 'display_name']

function complaintsAbout(store: SandboxStore, row: Body, own?: Row): Record<string, string> {
  const { location_id } = row
  const isNowhere = location_id !== undefined && !locationTable(store).get(Number(location_id))
  return {
    ...(own ? {} : complaintsAboutMissing(REQUIRED, row)),
    ...(isNowhere ? { location_id: `there is no location ${String(location_id)}` } : {}),
    ...readFields(RULES, row).errors,
  }
}

/** One invalid row fails the call (our choice: the specification documents no refusal). */
function saveAll({ store, body }: SandboxRequest, most: number, ownOf: (row: Body) => Row | undefined): SandboxAnswer {
  const rows = listBody(body)
  refuseOversize(rows, most)
  const save = (row: Body, index: number): Row => {
    const own = ownOf(row)
    const complaints = Object.entries(complaintsAbout(store, row, own))
    refuseIfAny(Object.fromEntries(complaints.map(([field, text]) => [`${index}.${field}`, text])))
    const { values } = readFields(RULES, row)
    const table = pickupMethodTable(store)
    if (own) return table.update(own.id, { ...values, date_modified: locationTime() })
    const dates = { date_created: locationTime(), date_modified: locationTime() }
    return table.insert({ collection_instructions: '', collection_time_description: '', ...values, ...dates })
  }
  return store.transaction(() => ok(rows.map(save)))
}

function update(request: SandboxRequest): SandboxAnswer {
  return saveAll(request, MOST_UPDATED, ({ id }) => {
    const own = pickupMethodTable(request.store).get(Number(id))
    return own ?? refuse(422, `There is no pickup method ${String(id)}`, { id: 'the pickup method does not exist' })
  })
}

/** Unknown ids are ignored. */
function remove({ store, query }: SandboxRequest): SandboxAnswer {
  const ids = numbersIn(query, 'id:in')
  if (!ids || ids.length === 0)
    return refuse(422, 'A filter must be supplied with the endpoint.', { 'id:in': 'id:in is required' })
  for (const { id } of pickupMethodTable(store).find({ id: ids })) pickupMethodTable(store).delete(id)
  return noContent()
}

const SORTED_BY: Record<string, string> = { date_modified: 'date_modified', name: 'display_name' }

function orderOf(query: URLSearchParams): ((a: Row, b: Row) => number) | undefined {
  const sort = query.get('sort')
  if (sort === null) return undefined
  const [name = '', direction = ''] = sort.split(':')
  const field = SORTED_BY[name]
  if (!field || !['asc', 'desc'].includes(direction)) return refuse(422, `The sort ${sort} is not supported`)
  const sign = direction === 'asc' ? 1 : -1
  return (a, b) => sign * String(a[field]).localeCompare(String(b[field])) || a.id - b.id
}

function listMethods({ store, query }: SandboxRequest): SandboxAnswer {
  const ids = numbersIn(query, 'id:in')
  const where: Where = ids ? { id: ids } : {}
  const keep = (row: Row) => isWithinDates(row, query)
  return list({ query, table: pickupMethodTable(store), where, keep, order: orderOf(query), idFilters: false })
}

const write = { scope: SCOPE, latency: 'write' } as const

export const pickupMethods: SandboxResource = {
  key: 'pickup-methods',
  routes: [
    { method: 'GET', path: PATH, scope: SCOPE, latency: 'read', handle: listMethods },
    { method: 'POST', path: PATH, ...write, handle: (request) => saveAll(request, MOST_CREATED, () => undefined) },
    { method: 'PUT', path: PATH, ...write, handle: update },
    { method: 'DELETE', path: PATH, ...write, handle: remove },
  ],
}
