import { noContent, ok } from '../../http/answers.ts'
import { cursorList } from '../../http/cursor-list.ts'
import { numbersIn, textsIn, type Where } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import { namesAreEqual } from '../../store/name-case.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { keepAll, namedPriceList, rangesIn, PRICE_SCOPE as SCOPE } from '../../tables/price-tables.ts'
import { priceRecordTable, variantTable } from '../../tables/product-tables.ts'
import { deleteRows } from '../../tables/rows.ts'
import {
  listBody,
  numberParam,
  objectBody,
  refuseIfAny,
  refuseOversize,
  rowOr404,
} from '../../validation/body-checks.ts'
import { PRICE_FIELDS, type RecordError, recordAnswer, recordOf, saveRecord } from './price-record-rows.ts'

const EVERY_LIST = '/v3/pricelists/records'
const RECORDS = '/v3/pricelists/:priceListId/records'
const OF_VARIANT = `${RECORDS}/:variantId`
const RECORD = `${OF_VARIANT}/:currency`

const LARGEST_UPSERT = 1_000
const LARGEST_CREATE = 100

function includesOf(query: URLSearchParams): string[] {
  return textsIn(query, 'include') ?? []
}

function variantIdsOf(store: SandboxStore, query: URLSearchParams): number[] | undefined {
  const ids = numbersIn(query, 'variant_id:in')
  const skus = textsIn(query, 'sku:in') ?? textsIn(query, 'sku')
  if (!skus) return ids
  const named = variantTable(store)
    .find({ sku_key: skus })
    .filter(({ sku }) => skus.some((one) => namesAreEqual(store, one, sku)))
  return named.map((variant) => variant.id).filter((id) => ids?.includes(id) ?? true)
}

function filters({ store, query }: SandboxRequest): Where {
  const variantIds = variantIdsOf(store, query)
  const productIds = numbersIn(query, 'product_id:in')
  const currencies = textsIn(query, 'currency:in') ?? textsIn(query, 'currency')
  return {
    ...(variantIds ? { variant_id: variantIds } : {}),
    ...(productIds ? { product_id: productIds } : {}),
    ...(currencies ? { currency_key: currencies } : {}),
  }
}

function page(request: SandboxRequest, where: Where): SandboxAnswer {
  const { store, query } = request
  const includes = includesOf(query)
  const ranges = rangesIn(query, [...PRICE_FIELDS, 'calculated_price'], ['date_created', 'date_modified'])
  const show = (row: Row) => recordAnswer(store, row, includes)
  return cursorList(request, priceRecordTable(store), { where, show, ...keepAll(ranges) })
}

function listRecords(request: SandboxRequest): SandboxAnswer {
  return page(request, { ...filters(request), price_list_id: namedPriceList(request).id })
}

function listOfVariant(request: SandboxRequest): SandboxAnswer {
  return page(request, { price_list_id: namedPriceList(request).id, variant_id: numberParam(request, 'variantId') })
}

/** Saves the valid rows whatever happens to the others. Source: "non-strict mode" of the published record calls. */
function saveRows(request: SandboxRequest, mayExist: boolean, listId?: number): RecordError[] {
  const { store } = request
  const rows = listBody(request.body)
  refuseOversize(rows, mayExist ? LARGEST_UPSERT : LARGEST_CREATE)
  return store.transaction(() =>
    rows.flatMap((row) => saveRecord(store, listId ?? Number(row.price_list_id), row, mayExist) ?? []),
  )
}

function saveInList(request: SandboxRequest, mayExist: boolean): SandboxAnswer {
  const batch_errors = saveRows(request, mayExist, namedPriceList(request).id)
  return batch_errors.length > 0 ? { status: 422, body: { batch_errors } } : ok({})
}

/** Only one error is reported, because the published answer for several lists has room for just one. */
function saveInEveryList(request: SandboxRequest, mayExist: boolean): SandboxAnswer {
  const [error] = saveRows(request, mayExist)
  return error ? { status: 422, body: error } : ok({})
}

function removeRecords(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const where = { ...filters(request), price_list_id: namedPriceList(request).id }
  store.transaction(() => deleteRows(priceRecordTable(store), where))
  return noContent()
}

function found(request: SandboxRequest): Row | undefined {
  const { store, params } = request
  return recordOf(store, namedPriceList(request).id, numberParam(request, 'variantId'), String(params.currency))
}

function oneRecord(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  const row = found(request) ?? rowOr404(priceRecordTable(store), Number.NaN)
  return ok(recordAnswer(store, row, includesOf(query)))
}

function saveOne(request: SandboxRequest): SandboxAnswer {
  const { store, params, body } = request
  const row = { ...objectBody(body), variant_id: numberParam(request, 'variantId'), currency: params.currency }
  const error = store.transaction(() => saveRecord(store, namedPriceList(request).id, row, true))
  if (error) refuseIfAny(error.field_errors)
  const saved = found(request) ?? rowOr404(priceRecordTable(store), Number.NaN)
  return ok(recordAnswer(store, saved, ['bulk_pricing_tiers']))
}

function removeOne(request: SandboxRequest): SandboxAnswer {
  const row = found(request)
  if (row) priceRecordTable(request.store).delete(row.id)
  return noContent()
}

const read = { scope: SCOPE, latency: 'read' } as const
const write = { scope: SCOPE, latency: 'write' } as const

/** The source of each `cap` is a limit in the published price lists specification. */
export const priceRecords: SandboxResource = {
  key: 'price-records',
  routes: [
    { method: 'POST', path: EVERY_LIST, ...write, cap: 10, handle: (request) => saveInEveryList(request, false) },
    { method: 'PUT', path: EVERY_LIST, ...write, cap: 1, handle: (request) => saveInEveryList(request, true) },
    { method: 'GET', path: RECORDS, ...read, cap: 10, handle: listRecords },
    { method: 'POST', path: RECORDS, ...write, cap: 10, handle: (request) => saveInList(request, false) },
    { method: 'PUT', path: RECORDS, ...write, cap: 2, handle: (request) => saveInList(request, true) },
    { method: 'DELETE', path: RECORDS, ...write, handle: removeRecords },
    { method: 'GET', path: OF_VARIANT, ...read, cap: 40, handle: listOfVariant },
    { method: 'GET', path: RECORD, ...read, cap: 50, handle: oneRecord },
    { method: 'PUT', path: RECORD, ...write, cap: 40, handle: saveOne },
    { method: 'DELETE', path: RECORD, ...write, cap: 25, handle: removeOne },
  ],
}
