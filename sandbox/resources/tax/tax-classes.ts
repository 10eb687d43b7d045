import { errorBody, noContent, ok, Refusal, v2Error } from '../../http/answers.ts'
import { pageOf } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { now } from '../../validation/dates.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'
import { nextTaxClassId, taxClassTable } from './tax-class-rows.ts'

type Body = Record<string, unknown>

const SCOPE = 'store_v2_information'
const READ = '/v2/tax_classes'
const WRITE = '/v3/tax/classes'
const LARGEST_BATCH = 50

/** Source: the description of the name in the published v3 tax classes specification. */
const RULES: FieldRules = { name: { kind: 'text', min: 1, max: 100 } }
const FORBIDDEN = /[<>{}`();|]/

/** Refusals of the v3 calls are lists, unlike those of other resources. */
function refuseClass(status: number, title: string, errors: Record<string, string> = {}): never {
  throw new Refusal({ status, body: { errors: [errorBody(status, title, errors)], meta: {} } })
}

/** v3 has numbers where v2 has strings. */
function shown({ id, name, created_at, updated_at }: Row): Body {
  return { id, name, created_at, updated_at }
}

function shownInV2(row: Row): Body {
  return { ...shown(row), id: String(row.id) }
}

function listClasses({ store, query }: SandboxRequest): SandboxAnswer {
  const { offset, limit } = pageOf(query)
  const { rows } = taxClassTable(store).page({ offset, limit })
  return rows.length === 0 ? noContent() : { status: 200, body: rows.map(shownInV2) }
}

function getClass({ store, params }: SandboxRequest): SandboxAnswer {
  const row = taxClassTable(store).get(Number(params.id))
  return row ? { status: 200, body: shownInV2(row) } : v2Error(404, 'The requested tax class was not found')
}

function batchOf(body: unknown, required: readonly string[]): Body[] {
  if (!Array.isArray(body) || body.length === 0) return refuseClass(422, 'The body must be an array of tax classes')
  refuseTooMany(body)
  const rows = body.map((row: unknown) => ({ ...(row as Body) }))
  for (const row of rows) refuseBadFields(row, required)
  refuseTwice(rows.map((row) => String(row.name).toLowerCase()))
  return rows
}

function refuseTooMany(items: readonly unknown[]): void {
  if (items.length > LARGEST_BATCH) refuseClass(413, `At most ${LARGEST_BATCH} tax classes are taken in one request`)
}

function refuseBadFields(row: Body, required: readonly string[]): void {
  const errors = { ...complaintsAboutMissing(required, row), ...readFields(RULES, row).errors }
  if (FORBIDDEN.test(String(row.name))) errors.name = 'name must not contain < > { } ` ( ) ; |'
  if (Object.keys(errors).length > 0) refuseClass(422, Object.values(errors).join('; '), errors)
}

function refuseTwice(keys: readonly unknown[]): void {
  if (new Set(keys).size < keys.length) refuseClass(422, 'The batch names a tax class twice')
}

/** The name of a class is unique in the store, regardless of case. */
function refuseTakenName(store: SandboxStore, name: unknown, ownId?: number): void {
  const holder = taxClassTable(store).find({ name_key: String(name) })[0]
  if (holder && holder.id !== ownId)
    refuseClass(409, 'The tax class is a duplicate', { name: `${name} is already used` })
}

function create({ store, body }: SandboxRequest): SandboxAnswer {
  const rows = batchOf(body, ['name'])
  return store.transaction(() =>
    ok(
      rows.map(({ name }) => {
        refuseTakenName(store, name)
        const dates = { created_at: now(), updated_at: now() }
        return shown(taxClassTable(store).insert({ id: nextTaxClassId(store), name, ...dates, is_built_in: false }))
      }),
    ),
  )
}

function knownClass(store: SandboxStore, id: unknown): Row {
  if (!Number.isInteger(id) || Number(id) < 1) refuseClass(422, 'An id is not valid', { id: `${id} is no id` })
  return taxClassTable(store).get(Number(id)) ?? refuseClass(400, 'A tax class was not found', { id: `no class ${id}` })
}

function update({ store, body }: SandboxRequest): SandboxAnswer {
  const rows = batchOf(body, ['id', 'name'])
  refuseTwice(rows.map((row) => row.id))
  return store.transaction(() =>
    ok(
      rows.map(({ id, name }) => {
        const own = knownClass(store, id)
        refuseTakenName(store, name, own.id)
        return shown(taxClassTable(store).update(own.id, { name, updated_at: now() }))
      }),
    ),
  )
}

/** The classes that every store has cannot be deleted (our choice). A product keeps the id of a deleted class. */
function remove({ store, query }: SandboxRequest): SandboxAnswer {
  const ids = (query.get('id:in') ?? '').split(',').filter((part) => part.trim() !== '')
  if (ids.length === 0) refuseClass(404, 'The filter id:in is required')
  refuseTooMany(ids)
  store.transaction(() => {
    for (const id of ids) {
      const row = knownClass(store, Number(id))
      if (row.is_built_in) refuseClass(400, 'A built-in tax class cannot be deleted', { id: `class ${id} is built in` })
      taxClassTable(store).delete(row.id)
    }
  })
  return noContent()
}

export const taxClasses: SandboxResource = {
  key: 'tax-classes',
  routes: [
    { method: 'GET', path: READ, scope: SCOPE, latency: 'read', handle: listClasses },
    { method: 'GET', path: `${READ}/:id`, scope: SCOPE, latency: 'read', handle: getClass },
    { method: 'POST', path: WRITE, scope: SCOPE, latency: 'write', handle: create },
    { method: 'PUT', path: WRITE, scope: SCOPE, latency: 'write', handle: update },
    { method: 'DELETE', path: WRITE, scope: SCOPE, latency: 'write', handle: remove },
  ],
}
