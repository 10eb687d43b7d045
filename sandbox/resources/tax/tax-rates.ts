import { noContent, ok } from '../../http/answers.ts'
import { numbersIn } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { SandboxStore } from '../../store/store.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'
import { taxClassExists } from './tax-class-rows.ts'
import { type Body, eachRow, FRESH_RATE, idsOrRefusal, rowToUpdate, taxRateTable, taxZoneTable } from './tax-rows.ts'

const SCOPE = 'store_v2_information'
const PATH = '/v3/tax/rates'

const RULES: FieldRules = {
  name: { kind: 'text', min: 1 },
  enabled: { kind: 'boolean' },
  priority: { kind: 'integer', min: 1 },
  tax_zone_id: { kind: 'integer' },
}
const CLASS_RATE: FieldRules = { rate: { kind: 'number', min: 0 }, tax_class_id: { kind: 'integer', min: 0 } }

type Errors = Record<string, string>

/** The answer is the whole list: the specification has filters, but no pages. */
function listRates({ store, query }: SandboxRequest): SandboxAnswer {
  const [ids, zones] = [numbersIn(query, 'id:in'), numbersIn(query, 'tax_zone_id:in')]
  return ok(taxRateTable(store).find({ ...(ids && { id: ids }), ...(zones && { tax_zone_id: zones }) }))
}

function fieldsOf(store: SandboxStore, body: Body, errors: Errors): Body {
  const { values, errors: complaints } = readFields(RULES, body)
  Object.assign(errors, complaints)
  if (values.tax_zone_id !== undefined && !taxZoneTable(store).get(Number(values.tax_zone_id)))
    errors.tax_zone_id = `there is no tax zone ${String(values.tax_zone_id)}`
  if (body.class_rates !== undefined) values.class_rates = readClassRates(store, body.class_rates, errors)
  return values
}

function readClassRates(store: SandboxStore, given: unknown, errors: Errors): Body[] {
  if (!Array.isArray(given) || given.length === 0) {
    errors.class_rates = 'class_rates must be an array of at least one rate'
    return []
  }
  const rates = given.map((one: unknown) => {
    const row = { ...(one as Body) }
    Object.assign(errors, complaintsAboutMissing(['rate', 'tax_class_id'], row))
    const { values, errors: complaints } = readFields(CLASS_RATE, row)
    Object.assign(errors, complaints)
    if (!taxClassExists(store, Number(row.tax_class_id))) errors.tax_class_id = `there is no class ${row.tax_class_id}`
    return values
  })
  if (new Set(rates.map(({ tax_class_id }) => tax_class_id)).size < rates.length)
    errors.class_rates = 'class_rates names a tax class twice'
  return rates
}

function create({ store, body }: SandboxRequest): SandboxAnswer {
  const rows = eachRow(body, (row, errors) => {
    Object.assign(errors, complaintsAboutMissing(['class_rates', 'name', 'tax_zone_id'], row))
    return { ...FRESH_RATE, ...fieldsOf(store, row, errors) }
  })
  return store.transaction(() => ok(rows.map((row) => taxRateTable(store).insert(row))))
}

function update({ store, body }: SandboxRequest): SandboxAnswer {
  const table = taxRateTable(store)
  const rows = eachRow(body, (row, errors) => {
    rowToUpdate(table, row, errors)
    return { ...fieldsOf(store, row, errors), id: row.id }
  })
  return store.transaction(() => ok(rows.map(({ id, ...fields }) => table.update(Number(id), fields))))
}

function remove({ store, query }: SandboxRequest): SandboxAnswer {
  for (const id of idsOrRefusal(query)) taxRateTable(store).delete(id)
  return noContent()
}

const write = { path: PATH, scope: SCOPE, latency: 'write' } as const

export const taxRates: SandboxResource = {
  key: 'tax-rates',
  routes: [
    { method: 'GET', path: PATH, scope: SCOPE, latency: 'read', handle: listRates },
    { method: 'POST', ...write, handle: create },
    { method: 'PUT', ...write, handle: update },
    { method: 'DELETE', ...write, handle: remove },
  ],
}
