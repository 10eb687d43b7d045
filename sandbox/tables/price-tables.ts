import { refuse } from '../http/answers.ts'
import type { SandboxRequest } from '../http/resource.ts'
import type { Row, SandboxStore, Table } from '../store/store.ts'
import { numberParam, rowOr404 } from '../validation/body-checks.ts'
import { priceRecordTable } from './product-tables.ts'
import { deleteRows } from './rows.ts'

export const PRICE_SCOPE = 'store_v2_products'

export function priceListTable(store: SandboxStore): Table {
  return store.table('price_lists', ['name_key'])
}

export function priceAssignmentTable(store: SandboxStore): Table {
  return store.table('price_list_assignments', ['price_list_id', 'customer_group_id', 'channel_id'])
}

export function namedPriceList(request: SandboxRequest): Row {
  return rowOr404(priceListTable(request.store), numberParam(request, 'priceListId'))
}

/** Deletes a price list with its prices and assignments. */
export function deletePriceList(store: SandboxStore, id: number): void {
  deleteRows(priceRecordTable(store), { price_list_id: id })
  deleteRows(priceAssignmentTable(store), { price_list_id: id })
  priceListTable(store).delete(id)
}

export function priceTime(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z')
}

type Condition = (row: Row) => boolean

/**
 * Conditions for `field`, `field:min` and `field:max` of each field. Dates are compared as times, all else as numbers.
 */
export function rangesIn(query: URLSearchParams, numbers: readonly string[], dates: readonly string[]): Condition[] {
  const conditions = [
    ...numbers.flatMap((field) => rangeOf(query, field, Number)),
    ...dates.flatMap((field) => rangeOf(query, field, (value) => Date.parse(String(value)))),
  ]
  return conditions
}

function rangeOf(query: URLSearchParams, field: string, read: (value: unknown) => number): Condition[] {
  const bounds: [string, (value: number, bound: number) => boolean][] = [
    ['', (value, bound) => value === bound],
    [':min', (value, bound) => value >= bound],
    [':max', (value, bound) => value <= bound],
  ]
  return bounds.flatMap(([ending, holds]) => {
    const text = query.get(`${field}${ending}`)
    if (text === null) return []
    const bound = read(text)
    if (Number.isNaN(bound)) refuse(422, `The filter ${field}${ending} cannot be read: ${text}`)
    return [(row: Row) => holds(read(row[field] ?? Number.NaN), bound)]
  })
}

export function keepAll(conditions: Condition[]): { keep?: Condition } {
  return conditions.length === 0 ? {} : { keep: (row) => conditions.every((holds) => holds(row)) }
}
