import { noContent, ok, refuse } from '../../http/answers.ts'
import { list, numbersIn, type Where } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import {
  attributeTable,
  attributeValueTable,
  customerTime,
  CUSTOMER_SCOPE as SCOPE,
} from '../../tables/customer-tables.ts'
import { deleteRows } from '../../tables/rows.ts'
import { listBody, refuseIfAny } from '../../validation/body-checks.ts'
import { isWithinDates } from '../../validation/date-filters.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'

type Body = Record<string, unknown>

const PATH = '/v3/customers/attributes'
/** Source: the description of the published POST. */
const MOST = 50

const RULES: FieldRules = {
  name: { kind: 'text', min: 1, max: 255 },
  type: { kind: 'text', oneOf: ['string', 'number', 'date'] },
}

function listAttributes({ store, query }: SandboxRequest): SandboxAnswer {
  const like = query.get('name:like')?.toLowerCase()
  const type = query.get('type')
  const name = query.get('name')
  const where: Where = name === null ? {} : { name_key: name }
  const keep = (row: Row) =>
    (like === undefined || String(row.name).toLowerCase().includes(like)) &&
    (type === null || row.type === type) &&
    isWithinDates(row, query)
  return list({ query, table: attributeTable(store), where, keep, idFilters: false })
}

function refuseTaken(store: SandboxStore, name: unknown, ownId?: number): void {
  const holder = attributeTable(store).find({ name_key: String(name) })[0]
  if (holder && holder.id !== ownId) refuse(422, 'The attribute is a duplicate', { name: `${name} is already used` })
}

function create({ store, body }: SandboxRequest): SandboxAnswer {
  const table = attributeTable(store)
  const save = (row: Body): Row => {
    const { values, errors } = readFields(RULES, row)
    refuseIfAny({ ...complaintsAboutMissing(['name', 'type'], row), ...errors })
    refuseTaken(store, values.name)
    if (table.count() >= MOST) refuse(422, `A store can have at most ${MOST} customer attributes`)
    return table.insert({ ...values, date_created: customerTime(), date_modified: customerTime() })
  }
  return store.transaction(() => ok(listBody(body).map(save)))
}

/** An attribute cannot change its type. */
function update({ store, body }: SandboxRequest): SandboxAnswer {
  const table = attributeTable(store)
  const save = (row: Body): Row => {
    const own = Number.isInteger(row.id) ? table.get(Number(row.id)) : undefined
    if (!own) return refuse(422, 'The attribute does not exist', { id: 'no such attribute' })
    const { values, errors } = readFields({ name: RULES.name as FieldRules[string] }, row)
    refuseIfAny({ ...complaintsAboutMissing(['name'], row), ...errors })
    refuseTaken(store, values.name, own.id)
    return table.update(own.id, { ...values, date_modified: customerTime() })
  }
  return store.transaction(() => ok(listBody(body).map(save)))
}

function remove({ store, query }: SandboxRequest): SandboxAnswer {
  const ids = numbersIn(query, 'id:in')
  if (!ids) return refuse(422, 'A filter must be supplied with the endpoint.', { 'id:in': 'id:in is required' })
  store.transaction(() => {
    for (const id of ids) {
      deleteRows(attributeValueTable(store), { attribute_id: id })
      attributeTable(store).delete(id)
    }
  })
  return noContent()
}

export const customerAttributes: SandboxResource = {
  key: 'customer-attributes',
  routes: [
    { method: 'GET', path: PATH, scope: SCOPE, latency: 'read', handle: listAttributes },
    { method: 'POST', path: PATH, scope: SCOPE, latency: 'write', cap: 3, handle: create },
    { method: 'PUT', path: PATH, scope: SCOPE, latency: 'write', cap: 3, handle: update },
    { method: 'DELETE', path: PATH, scope: SCOPE, latency: 'write', handle: remove },
  ],
}
