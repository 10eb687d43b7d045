import type { Filter, Link, Scalar, Span } from './store.ts'

export type SqlValue = string | number | null

/** A WHERE clause with its values; an empty text if there is no condition. */
export interface Condition {
  sql: string
  values: SqlValue[]
}

/** What a condition needs to know about the table. */
export interface ConditionTable {
  /** Quoted. */
  readonly sqlName: string
  /** @throws if the table has no index for this field */
  refuseUnindexed(column: string): void
  /** Whether the other table contains so many ids that checking each row is faster than listing the ids. */
  isBroad(link: Link): boolean
}

export const isKey = (column: string) => column.endsWith('_key')

/** The value that SQLite has in an index. Lists, objects and NaN cannot be searched for, and become null. */
export function sqlValue(column: string, value: unknown): SqlValue {
  if (typeof value === 'string') return isKey(column) ? value.toLowerCase() : value
  if (typeof value === 'number') return Number.isNaN(value) ? null : value
  if (typeof value === 'boolean') return Number(value)
  return null
}

export function conditionOf(table: ConditionTable, filter: Filter): Condition {
  const { where = {}, spans = {}, not = {}, links = [] } = filter
  const ids = { atLeast: finite(filter.minId), atMost: finite(filter.maxId) }
  for (const column of [where, spans, not].flatMap(Object.keys)) table.refuseUnindexed(column)
  const parts = [
    ...Object.entries(where).map(([column, value]) => equals(`"${column}"`, column, value)),
    ...Object.entries({ ...spans, id: ids }).flatMap(([column, span]) => within(column, span)),
    ...Object.entries(not).map(([column, values]) => noneOf(column, values)),
    ...links.map((link) => linked(table, link)),
  ]
  if (parts.length === 0) return { sql: '', values: [] }
  return { sql: ` WHERE ${parts.map((part) => part.sql).join(' AND ')}`, values: parts.flatMap((part) => part.values) }
}

function equals(operand: string, column: string, value: Scalar | (string | number)[]): Condition {
  // SQLite looks up a single value twice as fast as a list with one value.
  const [only] = Array.isArray(value) && value.length === 1 ? value : []
  if (sqlValue(column, only) !== null && only !== undefined) return equals(operand, column, only)
  if (!Array.isArray(value)) return { sql: `${operand} IS ?`, values: [sqlValue(column, value)] }
  return { sql: `${operand} IN (SELECT value FROM json_each(?))`, values: [jsonList(column, value)] }
}

function within(column: string, { atLeast, atMost }: Span): Condition[] {
  return [
    ...(atLeast === undefined ? [] : [{ sql: `"${column}" >= ?`, values: [sqlValue(column, atLeast)] }]),
    ...(atMost === undefined ? [] : [{ sql: `"${column}" <= ?`, values: [sqlValue(column, atMost)] }]),
  ]
}

function noneOf(column: string, values: (string | number)[]): Condition {
  return {
    sql: `("${column}" IS NULL OR "${column}" NOT IN (SELECT value FROM json_each(?)))`,
    values: [jsonList(column, values)],
  }
}

/** Leaves out values that SQLite has as null: null equals nothing, and would make `NOT IN` neither true nor false. */
function jsonList(column: string, values: (string | number)[]): string {
  return JSON.stringify(values.map((value) => sqlValue(column, value)).filter((value) => value !== null))
}

/**
 * The list of linked ids is built once per page, which is fast for a category with some hundred products. For a channel
 * with all products, rows are checked one by one until the page is full.
 */
function linked(table: ConditionTable, link: Link): Condition {
  const isBroad = table.isBroad(link)
  const { sql: named, values } = namedBy(link, isBroad)
  if (!isBroad) return { sql: `id IN (SELECT "${link.field}" FROM ${named})`, values }
  // The plus sign keeps SQLite from comparing a bare id as a number, for which it could not use the index of `field`.
  return { sql: `EXISTS (SELECT 1 FROM ${named} AND "${link.field}" = +${table.sqlName}.id)`, values }
}

/**
 * The other table with its condition. `withoutIndex` leaves the index to another condition, because SQLite would pick
 * the wrong one here.
 */
export function namedBy({ table, where }: Link, withoutIndex: boolean): Condition {
  const plus = withoutIndex ? '+' : ''
  const parts = Object.entries(where).map(([column, value]) => equals(`${plus}"${column}"`, column, value))
  const sql = `"t_${table}" WHERE ${parts.map((part) => part.sql).join(' AND ')}`
  return { sql, values: parts.flatMap((part) => part.values) }
}

function finite(bound: number | undefined): number | undefined {
  return bound !== undefined && Number.isFinite(bound) ? bound : undefined
}
