import { noContent, ok, Refusal, refuse } from '../../http/answers.ts'
import { cursorList } from '../../http/cursor-list.ts'
import { list, numbersIn, textsIn, type Where } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { customerTable, deleteCustomer, CUSTOMER_SCOPE as SCOPE } from '../../tables/customer-tables.ts'
import { keepAll, rangesIn } from '../../tables/price-tables.ts'
import { segmentsOf } from '../../tables/segment-tables.ts'
import {
  listBody,
  objectBody,
  refuseIfAny,
  refuseJson,
  refuseLongFilters,
  refuseOversize,
} from '../../validation/body-checks.ts'
import {
  changeCustomer,
  complaintsAboutCustomer,
  hashOf,
  insertCustomer,
  partsOf,
  shownCustomer,
} from './customer-rows.ts'

type Body = Record<string, unknown>

const ALL = '/v3/customers'
const LARGEST_BATCH = 10
const OF_SEGMENTS = ['shopper_profile_id', 'segment_ids']
const EVERYTHING = ['addresses', 'storecredit', 'attributes', 'formfields']

function filters(query: URLSearchParams): Where {
  const ids = numbersIn(query, 'id:in')
  const groups = numbersIn(query, 'customer_group_id:in')
  const texts = { email_key: 'email:in', company_key: 'company:in', phone: 'phone:in' }
  const addresses = textsIn(query, 'registration_ip_address:in')
  return {
    ...(ids ? { id: ids } : {}),
    ...(groups ? { customer_group_id: groups } : {}),
    ...(addresses ? { registration_ip_address: addresses } : {}),
    ...Object.fromEntries(
      Object.entries(texts).flatMap(([column, name]) => {
        const requested = textsIn(query, name)
        return requested ? [[column, requested]] : []
      }),
    ),
  }
}

function nameConditions(query: URLSearchParams): ((row: Row) => boolean)[] {
  const nameOf = ({ first_name, last_name }: Row) => `${first_name} ${last_name}`.toLowerCase()
  const exact = textsIn(query, 'name:in')?.map((name) => name.toLowerCase())
  const like = textsIn(query, 'name:like')?.map((name) => name.toLowerCase())
  return [
    ...(exact ? [(row: Row) => exact.includes(nameOf(row))] : []),
    ...(like ? [(row: Row) => like.some((part) => nameOf(row).includes(part))] : []),
  ]
}

const SORTS = ['date_created', 'date_modified', 'last_name']

/** undefined for the default order, by id. */
function orderOf(query: URLSearchParams): ((a: Row, b: Row) => number) | undefined {
  const sort = query.get('sort')
  if (sort === null) return undefined
  const [field = '', direction] = sort.split(':')
  if (!SORTS.includes(field) || !['asc', 'desc'].includes(direction ?? ''))
    refuse(422, `The sort ${sort} is not known.`, { sort: `one of ${SORTS.join(', ')} with :asc or :desc` })
  const sign = direction === 'desc' ? -1 : 1
  return (a, b) => sign * (String(a[field]).localeCompare(String(b[field]), 'en') || a.id - b.id)
}

function listCustomers(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  refuseLongFilters(request)
  const include = textsIn(query, 'include') ?? []
  const conditions = [...nameConditions(query), ...rangesIn(query, [], ['date_created', 'date_modified'])]
  const selection = { where: filters(query), ...keepAll(conditions) }
  const order = orderOf(query)
  const found = order
    ? list({ query, table: customerTable(store), ...selection, order, idFilters: false })
    : cursorList(request, customerTable(store), selection)
  const { data, meta } = found.body as { data: Row[]; meta: unknown }
  return { status: 200, body: { data: shown(store, data, include), meta } }
}

function shown(store: SandboxStore, rows: Row[], include: readonly string[]): Body[] {
  const parts = partsOf(store, rows)
  return rows.map((row) => ({
    ...shownCustomer(row, parts, include),
    ...(include.some((field) => OF_SEGMENTS.includes(field)) && chosenFields(segmentsOf(store, row.id), include)),
  }))
}

/** Only the fields that the query includes. */
function chosenFields(fields: Body, include: readonly string[]): Body {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => include.includes(field)))
}

function refuseBatch(verb: 'create' | 'update', complaint: string): never {
  refuse(422, `${verb === 'create' ? 'Create' : 'Update'} customers failed.`, {
    [`.customer_${verb}`]: `Error ${verb === 'create' ? 'creating' : 'updating'} customers: ${complaint}`,
  })
}

function rowsOf(body: unknown): Body[] {
  const rows = listBody(body)
  refuseOversize(rows, LARGEST_BATCH)
  return rows
}

/**
 * One invalid row fails the call. With the switch `customer_batch` the valid ones are saved nevertheless, with the same
 * answer.
 */
function saveAll(request: SandboxRequest, save: (row: Body, at: number) => Row): SandboxAnswer {
  const { store, body } = request
  const rows = rowsOf(body)
  if (store.switches.customer_batch !== 'partial') {
    const saved = store.transaction(() => rows.map(save))
    return ok(shown(store, saved, EVERYTHING))
  }
  const refusals: Refusal[] = []
  const saved = rows.flatMap((row, at) => {
    try {
      return [store.transaction(() => save(row, at))]
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refusals.push(error)
      return []
    }
  })
  return refusals[0]?.answer ?? ok(shown(store, saved, EVERYTHING))
}

function create(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  return saveAll(request, (row) => {
    const complaints = complaintsAboutCustomer(store, row)
    if (complaints.length > 0) refuseBatch('create', complaints.join('; '))
    return insertCustomer(store, row)
  })
}

function update(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  return saveAll(request, (row, at) => {
    if (row.id === undefined) refuseJson(['id'])
    const own = Number.isInteger(row.id) ? customerTable(store).get(Number(row.id)) : undefined
    if (!own) return refuse(422, 'Update customers failed.', { [`${at}.id`]: 'invalid customer ID' })
    const complaints = complaintsAboutCustomer(store, row, own)
    if (complaints.length > 0) refuseBatch('update', complaints.join('; '))
    return changeCustomer(store, own, row)
  })
}

/** Without a filter nothing is deleted. */
function remove({ store, query }: SandboxRequest): SandboxAnswer {
  const ids = numbersIn(query, 'id:in') ?? []
  store.transaction(() => {
    for (const id of ids) deleteCustomer(store, id)
  })
  return noContent()
}

function validate({ store, body }: SandboxRequest): SandboxAnswer {
  const { email, password, channel_id = 1 } = objectBody(body)
  refuseIfAny(Number.isInteger(channel_id) ? {} : { channel_id: 'channel_id must be an integer' })
  const missing = Object.entries({ email, password }).filter(([, value]) => typeof value !== 'string')
  refuseIfAny(Object.fromEntries(missing.map(([field]) => [field, `${field} is required`])))
  const own = customerTable(store)
    .find({ email_key: String(email) })
    .find((row) => !Array.isArray(row.channel_ids) || row.channel_ids.includes(channel_id))
  const isValid = own !== undefined && own.password_hash === hashOf(String(password))
  return { status: 200, body: { is_valid: isValid, customer_id: isValid ? own.id : null } }
}

export const customers: SandboxResource = {
  key: 'customers',
  routes: [
    { method: 'GET', path: ALL, scope: SCOPE, latency: 'read', handle: listCustomers },
    { method: 'POST', path: ALL, scope: SCOPE, latency: 'write', handle: create },
    { method: 'PUT', path: ALL, scope: SCOPE, latency: 'write', cap: 3, handle: update },
    { method: 'DELETE', path: ALL, scope: SCOPE, latency: 'write', handle: remove },
    { method: 'POST', path: `${ALL}/validate-credentials`, scope: SCOPE, latency: 'write', handle: validate },
  ],
}
