import { noContent, ok, refuse } from '../../http/answers.ts'
import { cursorList } from '../../http/cursor-list.ts'
import { numbersIn, type Where } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row } from '../../store/store.ts'
import {
  deletePriceList,
  keepAll,
  namedPriceList,
  priceListTable,
  priceTime,
  rangesIn,
  PRICE_SCOPE as SCOPE,
} from '../../tables/price-tables.ts'
import { numberParam, objectBody, refuseIfAny } from '../../validation/body-checks.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'

const LISTS = '/v3/pricelists'
const LIST = `${LISTS}/:priceListId`

const RULES: FieldRules = {
  name: { kind: 'text', min: 1, max: 255 },
  active: { kind: 'boolean' },
}

function filters(query: URLSearchParams): Where {
  const ids = numbersIn(query, 'id:in')
  const name = query.get('name')
  return { ...(ids ? { id: ids } : {}), ...(name === null ? {} : { name_key: name }) }
}

function listLists(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  const like = query.get('name:like')?.toLowerCase()
  const named = like === undefined ? [] : [(row: Row) => String(row.name).toLowerCase().includes(like)]
  const ranges = rangesIn(query, [], ['date_created', 'date_modified'])
  return cursorList(request, priceListTable(store), { where: filters(query), ...keepAll([...named, ...ranges]) })
}

function save({ store, body }: SandboxRequest, own?: Row): SandboxAnswer {
  const table = priceListTable(store)
  const given = objectBody(body)
  const { values, errors } = readFields(RULES, given)
  refuseIfAny({ ...(own ? {} : complaintsAboutMissing(['name'], given)), ...errors })
  const holder = values.name === undefined ? undefined : table.find({ name_key: String(values.name) })[0]
  if (holder && holder.id !== own?.id) {
    refuse(409, 'The price list is a duplicate', { name: `The name ${String(values.name)} is already used` })
  }
  if (own) return ok(table.update(own.id, { ...values, date_modified: priceTime() }))
  return ok(table.insert({ date_created: priceTime(), date_modified: priceTime(), active: true, ...values }))
}

/** Without a filter all price lists are deleted, because the documentation calls the filters optional. */
function removeMany({ store, query }: SandboxRequest): SandboxAnswer {
  store.transaction(() => {
    for (const { id } of priceListTable(store).find(filters(query))) deletePriceList(store, id)
  })
  return noContent()
}

/** Deleting an unknown price list is no error. */
function removeOne(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  store.transaction(() => deletePriceList(store, numberParam(request, 'priceListId')))
  return noContent()
}

const read = { scope: SCOPE, latency: 'read' } as const
const write = { scope: SCOPE, latency: 'write' } as const

export const priceLists: SandboxResource = {
  key: 'price-lists',
  routes: [
    { method: 'GET', path: LISTS, ...read, handle: listLists },
    { method: 'POST', path: LISTS, ...write, handle: (request) => save(request) },
    { method: 'DELETE', path: LISTS, ...write, handle: removeMany },
    { method: 'GET', path: LIST, ...read, handle: (request) => ok(namedPriceList(request)) },
    { method: 'PUT', path: LIST, ...write, handle: (request) => save(request, namedPriceList(request)) },
    // Source: the limit of this call in the published price lists specification.
    { method: 'DELETE', path: LIST, ...write, cap: 1, handle: removeOne },
  ],
}
