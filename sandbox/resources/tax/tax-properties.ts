import { noContent, ok, refuse } from '../../http/answers.ts'
import { numbersIn, textsIn } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import { now } from '../../validation/dates.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'
import { type Body, eachRow, idsOrRefusal, rowToUpdate, taxPropertyTable } from './tax-rows.ts'

const SCOPE = 'store_v2_information'
const PATH = '/v3/tax/properties'
const TYPES = ['PRODUCT', 'CUSTOMER']

const RULES: FieldRules = {
  code: { kind: 'text', min: 1 },
  display_name: { kind: 'text', min: 1 },
  description: { kind: 'text' },
}
const TYPE: FieldRules = { type: { kind: 'text', oneOf: TYPES } }

function listProperties({ store, query }: SandboxRequest): SandboxAnswer {
  const [ids, types] = [numbersIn(query, 'id:in'), textsIn(query, 'type:in')]
  if (types?.some((type) => !TYPES.includes(type))) refuse(400, 'Request parameters invalid', { 'type:in': 'unknown' })
  return ok(taxPropertyTable(store).find({ ...(ids && { id: ids }), ...(types && { type: types }) }))
}

/** A code is unique within its type (our choice: the specification only says unique). */
function create({ store, body }: SandboxRequest): SandboxAnswer {
  const table = taxPropertyTable(store)
  const seen = new Set<string>()
  const rows = eachRow(body, (row, errors) => {
    Object.assign(errors, complaintsAboutMissing(['code', 'display_name', 'type'], row))
    const { values, errors: complaints } = readFields({ ...RULES, ...TYPE }, row)
    Object.assign(errors, complaints)
    const key = `${values.type}/${String(values.code).toLowerCase()}`
    const taken = seen.has(key) || table.count({ code_key: String(values.code), type: String(values.type) }) > 0
    if (taken) errors.code = `the code ${values.code} exists already`
    seen.add(key)
    return values
  })
  const times = { created_at: now(), updated_at: now() }
  return store.transaction(() => ok(rows.map((row) => table.insert({ description: '', ...row, ...times }))))
}

function update({ store, body }: SandboxRequest): SandboxAnswer {
  const table = taxPropertyTable(store)
  const rows = eachRow(body, (row, errors) => {
    const own = rowToUpdate(table, row, errors)
    const { values, errors: complaints } = readFields(RULES, row)
    Object.assign(errors, complaints)
    const holder = own && values.code ? table.find({ code_key: String(values.code), type: String(own.type) })[0] : own
    if (holder && holder.id !== own?.id) errors.code = `the code ${values.code} exists already`
    return { ...values, id: row.id }
  })
  const save = ({ id, ...fields }: Body) => table.update(Number(id), { ...fields, updated_at: now() })
  return store.transaction(() => ok(rows.map(save)))
}

function remove({ store, query }: SandboxRequest): SandboxAnswer {
  for (const id of idsOrRefusal(query)) taxPropertyTable(store).delete(id)
  return noContent()
}

const write = { path: PATH, scope: SCOPE, latency: 'write' } as const

export const taxProperties: SandboxResource = {
  key: 'tax-properties',
  routes: [
    { method: 'GET', path: PATH, scope: SCOPE, latency: 'read', handle: listProperties },
    { method: 'POST', ...write, handle: create },
    { method: 'PUT', ...write, handle: update },
    { method: 'DELETE', ...write, handle: remove },
  ],
}
