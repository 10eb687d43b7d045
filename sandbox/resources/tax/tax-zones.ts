import { noContent, ok, refuse } from '../../http/answers.ts'
import { numbersIn } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row } from '../../store/store.ts'
import { deleteRows } from '../../tables/rows.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'
import {
  type Body,
  DEFAULT_TAX_ZONE_ID,
  eachRow,
  FRESH_ZONE,
  idsOrRefusal,
  rowToUpdate,
  taxRateTable,
  taxZoneTable,
} from './tax-rows.ts'

const SCOPE = 'store_v2_information'
const PATH = '/v3/tax/zones'

const RULES: FieldRules = { name: { kind: 'text', min: 1 }, enabled: { kind: 'boolean' } }
const DISPLAY: FieldRules = {
  show_inclusive: { kind: 'boolean' },
  show_both_on_detail_view: { kind: 'boolean' },
  show_both_on_list_view: { kind: 'boolean' },
}
const LOCATION: FieldRules = {
  country_code: { kind: 'text', min: 2, max: 2 },
  subdivision_codes: { kind: 'texts' },
  postal_codes: { kind: 'texts' },
}

type Errors = Record<string, string>

function isObject(value: unknown): value is Body {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** The answer has no pages: it is the whole list, or the zones named. Source: parameters of the published operation. */
function listZones({ store, query }: SandboxRequest): SandboxAnswer {
  const ids = numbersIn(query, 'id:in')
  return ok(taxZoneTable(store).find(ids ? { id: ids } : {}))
}

function fieldsOf(body: Body, errors: Errors, own?: Row): Body {
  const { values, errors: complaints } = readFields(RULES, body)
  Object.assign(errors, complaints)
  if (body.price_display_settings !== undefined) values.price_display_settings = readDisplay(body, errors, own)
  if (body.shopper_target_settings !== undefined) values.shopper_target_settings = readTarget(body, errors, own)
  return values
}

function readDisplay({ price_display_settings: given }: Body, errors: Errors, own?: Row): Body {
  if (!isObject(given)) errors.price_display_settings = 'price_display_settings must be an object'
  const { values, errors: complaints } = readFields(DISPLAY, isObject(given) ? given : {})
  if (!own && values.show_inclusive === undefined) errors.show_inclusive = 'show_inclusive is required'
  Object.assign(errors, complaints)
  return { ...((own?.price_display_settings ?? FRESH_ZONE.price_display_settings) as Body), ...values }
}

function readTarget({ shopper_target_settings: given }: Body, errors: Errors, own?: Row): Body {
  const target = isObject(given) ? given : {}
  if (!isObject(given)) errors.shopper_target_settings = 'shopper_target_settings must be an object'
  if (own?.id === DEFAULT_TAX_ZONE_ID) errors.shopper_target_settings = 'the default tax zone is for all shoppers'
  if (!own && target.locations === undefined) errors.locations = 'locations is required'
  const { values, errors: complaints } = readFields({ customer_groups: { kind: 'integers' } }, target)
  Object.assign(errors, complaints)
  const before = (own?.shopper_target_settings ?? FRESH_ZONE.shopper_target_settings) as Body
  return { ...before, ...values, ...(target.locations !== undefined && { locations: readLocations(target, errors) }) }
}

function readLocations({ locations: given }: Body, errors: Errors): Body[] {
  if (!Array.isArray(given) || !given.every(isObject)) {
    errors.locations = 'locations must be an array of objects'
    return []
  }
  return given.map((one) => {
    const { values, errors: complaints } = readFields(LOCATION, one)
    Object.assign(errors, complaints)
    if (values.country_code === undefined) errors.country_code = 'country_code is required'
    return { subdivision_codes: [], postal_codes: [], ...values }
  })
}

function create({ store, body }: SandboxRequest): SandboxAnswer {
  const rows = eachRow(body, (row, errors) => {
    Object.assign(errors, complaintsAboutMissing(['name'], row))
    return { ...FRESH_ZONE, ...fieldsOf(row, errors) }
  })
  return store.transaction(() => ok(rows.map((row) => taxZoneTable(store).insert(row))))
}

function update({ store, body }: SandboxRequest): SandboxAnswer {
  const table = taxZoneTable(store)
  const rows = eachRow(body, (row, errors) => ({
    ...fieldsOf(row, errors, rowToUpdate(table, row, errors)),
    id: row.id,
  }))
  return store.transaction(() => ok(rows.map(({ id, ...fields }) => table.update(Number(id), fields))))
}

/** Deletes zones with their rates. */
function remove({ store, query }: SandboxRequest): SandboxAnswer {
  const ids = idsOrRefusal(query)
  if (ids.includes(DEFAULT_TAX_ZONE_ID)) refuse(422, 'The default tax zone cannot be deleted')
  store.transaction(() => {
    for (const id of ids) {
      deleteRows(taxRateTable(store), { tax_zone_id: id })
      taxZoneTable(store).delete(id)
    }
  })
  return noContent()
}

const write = { path: PATH, scope: SCOPE, latency: 'write' } as const

export const taxZones: SandboxResource = {
  key: 'tax-zones',
  routes: [
    { method: 'GET', path: PATH, scope: SCOPE, latency: 'read', handle: listZones },
    { method: 'POST', ...write, handle: create },
    { method: 'PUT', ...write, handle: update },
    { method: 'DELETE', ...write, handle: remove },
  ],
}
