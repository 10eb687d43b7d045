import { refuse } from '../../http/answers.ts'
import { booleanIn, list, numbersIn, textsIn, type Where } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { locationMetafieldTable, stockTable } from '../../tables/product-tables.ts'
import { deleteRows } from '../../tables/rows.ts'
import { listBody, refuseIfAny } from '../../validation/body-checks.ts'
import { type FieldRules, readFields } from '../../validation/field-rules.ts'
import { DEFAULT_LOCATION_ID, freshLocation, locationTable, locationTime } from './location-rows.ts'
import { pickupMethodTable } from './pickup-method-rows.ts'
import { transactionAnswer } from './transaction.ts'

type Body = Record<string, unknown>
type Complaints = Record<string, string>

const SCOPE = 'store_locations'
const PATH = '/v3/inventory/locations'
const MOST_ACTIVE = 100
const MOST_PER_PAGE = 1_000
/** Source: the limits of the published locations specification. */
const CAP = 50

const RULES: FieldRules = {
  code: { kind: 'text', min: 1 },
  label: { kind: 'text', min: 1 },
  description: { kind: 'text' },
  managed_by_external_source: { kind: 'boolean' },
  type_id: { kind: 'text', oneOf: ['PHYSICAL', 'VIRTUAL'] },
  enabled: { kind: 'boolean' },
  time_zone: { kind: 'text' },
  storefront_visibility: { kind: 'boolean' },
}

/** Stored unchanged, because a copy cannot break any rule about opening hours. */
const UNREAD = ['operating_hours', 'special_hours']

const ADDRESS: FieldRules = {
  address1: { kind: 'text', min: 1 },
  address2: { kind: 'text' },
  city: { kind: 'text', min: 1 },
  state: { kind: 'text', min: 1 },
  zip: { kind: 'text', min: 1 },
  email: { kind: 'text', min: 3 },
  phone: { kind: 'text' },
  country_code: { kind: 'text', min: 2, max: 2 },
}
const ADDRESS_REQUIRED = ['address1', 'city', 'state', 'zip', 'email', 'country_code']

function isObject(value: unknown): value is Body {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function complaintsAboutAddress(given: unknown): Complaints {
  if (!isObject(given)) return { address: 'address is required' }
  const missing = ADDRESS_REQUIRED.filter((field) => given[field] === undefined)
  const complaints = { ...Object.fromEntries(missing.map((field) => [field, `${field} is required`])) }
  const errors = { ...complaints, ...readFields(ADDRESS, given).errors, ...complaintsAboutLocation(given) }
  return Object.fromEntries(Object.entries(errors).map(([field, text]) => [`address.${field}`, text]))
}

function complaintsAboutLocation({ geo_coordinates: point }: Body): Complaints {
  const within = (value: unknown, most: number) => typeof value === 'number' && Math.abs(value) <= most
  const isAddress = isObject(point) && within(point.latitude, 90) && within(point.longitude, 180)
  return isAddress ? {} : { geo_coordinates: 'geo_coordinates needs a latitude and a longitude' }
}

function complaintsAbout(store: SandboxStore, row: Body, own?: Row): Complaints {
  const required = own ? [] : ['code', 'label'].filter((field) => row[field] === undefined)
  const holder = row.code === undefined ? undefined : locationTable(store).find({ code_key: String(row.code) })[0]
  return {
    ...Object.fromEntries(required.map((field) => [field, `${field} is required`])),
    ...readFields(RULES, row).errors,
    ...(needsAddress(row, own) ? complaintsAboutAddress({ ...(own?.address as Body), ...addressOf(row) }) : {}),
    ...(holder && holder.id !== own?.id ? { code: `the code ${String(row.code)} is already used` } : {}),
    ...(own?.id === DEFAULT_LOCATION_ID && row.enabled === false
      ? { enabled: 'the default location cannot be switched off' }
      : {}),
  }
}

/** A virtual location may do without an address. Source: description of the published address. */
function needsAddress(row: Body, own?: Row): boolean {
  const type = row.type_id ?? own?.type_id ?? 'PHYSICAL'
  return row.address !== undefined || (type === 'PHYSICAL' && own?.address === undefined)
}

function addressOf(row: Body): Body {
  return isObject(row.address) ? row.address : {}
}

function fieldsOf(row: Body, own?: Row): Body {
  const unread = UNREAD.filter((field) => row[field] !== undefined).map((field) => [field, row[field]])
  const address = row.address === undefined ? {} : { address: { ...(own?.address as Body), ...addressOf(row) } }
  return { ...readFields(RULES, row).values, ...Object.fromEntries(unread), ...address }
}

function saveRow(store: SandboxStore, row: Body, own?: Row): void {
  const table = locationTable(store)
  if (own) table.update(own.id, { ...fieldsOf(row, own), updated_at: locationTime() })
  else table.insert(freshLocation(fieldsOf(row)))
}

/** One invalid row fails the call. Source: the published 422, which names fields but no saved rows. */
function saveAll({ store, body }: SandboxRequest, ownOf: (row: Body) => Row | undefined): SandboxAnswer {
  const rows = listBody(body)
  return store.transaction(() => {
    for (const [index, row] of rows.entries()) {
      const own = ownOf(row)
      const complaints = Object.entries(complaintsAbout(store, row, own))
      refuseIfAny(Object.fromEntries(complaints.map(([field, text]) => [`${index}.${field}`, text])))
      saveRow(store, row, own)
    }
    if (locationTable(store).count({ enabled: true }) > MOST_ACTIVE)
      refuse(422, `A store can have at most ${MOST_ACTIVE} active locations`)
    return transactionAnswer(store)
  })
}

function update(request: SandboxRequest): SandboxAnswer {
  return saveAll(request, (row) => {
    const own = locationTable(request.store).get(Number(row.id))
    return own ?? refuse(422, `There is no location ${String(row.id)}`, { id: 'the location does not exist' })
  })
}

/** Deletes locations with their stock, metafields and pickup methods. */
function remove({ store, query }: SandboxRequest): SandboxAnswer {
  const ids = numbersIn(query, 'location_id:in')
  if (!ids || ids.length === 0)
    return refuse(422, 'A filter must be supplied with the endpoint.', {
      'location_id:in': 'location_id:in is required',
    })
  if (ids.includes(DEFAULT_LOCATION_ID))
    refuse(422, 'Location can’t be deleted. It is set as a shipping origin for this store and can’t be deleted.')
  const found = locationTable(store).find({ id: ids })
  if (found.length === 0) refuse(404, 'The locations are not found.')
  return store.transaction(() => {
    for (const { id } of found) {
      deleteRows(stockTable(store), { location_id: id })
      deleteRows(locationMetafieldTable(store), { resource_id: id })
      deleteRows(pickupMethodTable(store), { location_id: id })
      locationTable(store).delete(id)
    }
    return transactionAnswer(store)
  })
}

function filters(query: URLSearchParams): Where {
  const where: Where = {}
  const ids = numbersIn(query, 'location_id:in')
  const codes = textsIn(query, 'location_code:in')
  const types = textsIn(query, 'type_id:in')
  if (ids) where.id = ids
  if (codes) where.code_key = codes
  if (types) where.type_id = types
  const flags = { is_active: 'enabled', managed_by_external_source: 'managed_by_external_source' }
  for (const [filter, field] of Object.entries({ ...flags, storefront_visibility: 'storefront_visibility' })) {
    const requested = booleanIn(query, filter)
    if (requested !== undefined) where[field] = requested
  }
  return where
}

function listLocations({ store, query }: SandboxRequest): SandboxAnswer {
  const isDefault = booleanIn(query, 'is_default')
  const keep = isDefault === undefined ? {} : { keep: (row: Row) => (row.id === DEFAULT_LOCATION_ID) === isDefault }
  const common = { idFilters: false, maxLimit: MOST_PER_PAGE }
  return list({ query, table: locationTable(store), where: filters(query), ...keep, ...common })
}

const write = { scope: SCOPE, latency: 'write', cap: CAP } as const

export const locations: SandboxResource = {
  key: 'locations',
  routes: [
    { method: 'GET', path: PATH, scope: SCOPE, latency: 'read', cap: CAP, handle: listLocations },
    { method: 'POST', path: PATH, ...write, handle: (request) => saveAll(request, () => undefined) },
    { method: 'PUT', path: PATH, ...write, handle: update },
    { method: 'DELETE', path: PATH, ...write, handle: remove },
  ],
}
