import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type Condition, conditionOf, isKey, namedBy, type SqlValue, sqlValue } from './sql-condition.ts'
import type { Filter, Link, Page, PageOptions, Row, Table, Where } from './store.ts'

/** Rows read at a time in a scan, so that a table of a million rows does not fill the memory. */
const SCAN_STEP = 1_000
/** Rows read first in a scan. Enough for most callers that stop early. */
const FIRST_SCAN_STEP = 100

/**
 * If another table contains this many ids or more, each row is checked against it. Fewer ids are listed in a
 * millisecond or two, while checking a million rows would take a second if only a few of them match.
 */
const BROAD_LINK = 20_000

/** How many counts are remembered: more than the lists read at the same time. An entry takes a few bytes. */
const MOST_COUNTED = 1_000

/** A smaller table is read faster than its indexes are built. In most test stores, no table is larger. */
const INDEXED_FROM = 200

/** Index statistics are renewed once the table has grown by this factor. */
const ANALYSED_AFTER_GROWTH = 4

/** Computes the indexed value from a row. */
type IndexValue = (row: Record<string, unknown>) => SqlValue

function indexValueOf(column: string): IndexValue {
  const source = column.replace(/_(key|ms)$/, '')
  if (isKey(column)) return (row) => sqlValue(column, row[column] === undefined ? row[source] : row[column])
  if (column.endsWith('_ms')) return (row) => sqlValue(column, row[source] ? Date.parse(String(row[source])) : null)
  return (row) => sqlValue(column, row[column])
}

/** State shared by the tables of one store. */
export interface StoreChanges {
  /** Increases with every write to any table. */
  version: number
}

export class SqliteTable implements Table {
  readonly sqlName: string
  #database: DatabaseSync
  #name: string
  #columns: string[]
  #isIndexed = new Set<string>()
  #indexValues: IndexValue[] = []
  #insertSql = ''
  #updateSql = ''
  #statements = new Map<string, StatementSync>()
  /** Number of rows; undefined if a rollback may have changed it. */
  #rowCount: number | undefined
  #changes: StoreChanges
  /** Counts since the last write, because a client that pages through a list needs the same count for every page. */
  #counted = new Map<string, { minId: number; total: number }>()
  #countedVersion = -1

  #indexes: 'not yet' | 'made' | 'held back' = 'not yet'
  /** The number of rows at the last analysis. */
  #analysedAt = 0

  /** @param stored the columns of a table that the database already has */
  constructor(
    database: DatabaseSync,
    name: string,
    { firstId, columns, stored }: { firstId: number; columns: string[]; stored: string[] | undefined },
    changes: StoreChanges,
  ) {
    this.#database = database
    this.#changes = changes
    this.#name = `t_${name}`
    this.sqlName = `"t_${name}"`
    if (!stored) this.#create(firstId, columns)
    this.#columns = (stored ?? columns).filter((column) => !['id', 'body'].includes(column))
    this.#columnsChanged()
    // Also covers a table that a killed process had been filling.
    this.#indexWhenLarge()
  }

  #create(firstId: number, columns: string[]): void {
    const more = columns.map((column) => `, "${column}"`).join('')
    this.#database.exec(
      `CREATE TABLE ${this.sqlName} (id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL${more})`,
    )
    this.setNextId(firstId)
  }

  #columnsChanged(): void {
    const columns = ['id', 'body', ...this.#columns].map((column) => `"${column}"`)
    this.#isIndexed = new Set(['id', ...this.#columns])
    this.#indexValues = this.#columns.map(indexValueOf)
    this.#insertSql = `INSERT INTO ${this.sqlName} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
    this.#updateSql = `UPDATE ${this.sqlName} SET ${columns.slice(1).join(' = ?, ')} = ? WHERE id = ?`
    this.#statements.clear()
  }

  columns(): readonly string[] {
    return this.#columns
  }

  /** @returns whether the table got new columns */
  addIndexes(indexes: string[]): boolean {
    if (indexes.every((column) => this.#isIndexed.has(column))) return false
    const fresh = indexes.filter((column) => !this.#isIndexed.has(column))
    this.#database.exec('SAVEPOINT shape')
    for (const column of fresh) this.#database.exec(`ALTER TABLE ${this.sqlName} ADD COLUMN "${column}"`)
    this.#columns.push(...fresh)
    this.#columnsChanged()
    if (this.count() > 0) for (const row of this.scan()) this.update(row.id, {})
    if (this.#indexes === 'made') this.#createIndexes()
    this.#database.exec('RELEASE shape')
    return true
  }

  /**
   * Includes an index on ids alone. It is small compared to the rows, so ids are counted and skipped without reading
   * rows.
   */
  #createIndexes(): void {
    this.#indexes = 'made'
    for (const column of ['id', ...this.#columns]) {
      this.#database.exec(`CREATE INDEX IF NOT EXISTS "${this.#name}_${column}" ON ${this.sqlName} ("${column}")`)
    }
  }

  #indexWhenLarge(): void {
    if (this.#indexes === 'not yet' && this.count() >= INDEXED_FROM) this.#createIndexes()
    if (this.#indexes === 'made' && this.count() >= ANALYSED_AFTER_GROWTH * this.#analysedAt) this.#analyse()
  }

  /**
   * Without statistics, SQLite may pick a useless index, such as the one on locations, where each location has nearly
   * all rows.
   */
  #analyse(): void {
    this.#analysedAt = Math.max(this.count(), INDEXED_FROM)
    this.#database.exec(`PRAGMA analysis_limit = 400; ANALYZE ${this.sqlName}`)
  }

  /**
   * Called for an empty table that is about to be filled: sorting all values once is faster than inserting them one by
   * one.
   */
  holdIndexesBack(): void {
    this.#indexes = 'held back'
    for (const column of ['id', ...this.#columns]) this.#database.exec(`DROP INDEX IF EXISTS "${this.#name}_${column}"`)
  }

  allowIndexes(): void {
    this.#indexes = 'not yet'
    this.#indexWhenLarge()
  }

  /** The counts and indexes of the transaction are gone. */
  rolledBack(): void {
    this.#rowCount = undefined
    if (this.#indexes === 'made') this.#indexes = 'not yet'
    this.#changes.version++
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  #written(change: number): void {
    this.#changes.version++
    if (this.#rowCount !== undefined) this.#rowCount += change
  }

  nextId(): number {
    const found = this.#statement('SELECT seq FROM sqlite_sequence WHERE name = ?').get(this.#name)
    return Number(found?.seq ?? 0) + 1
  }

  setNextId(id: number): void {
    this.#database.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(this.#name)
    this.#database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(this.#name, id - 1)
  }

  insert(row: Record<string, unknown>): Row {
    const { id, ...body } = row
    return { id: this.#add(id, body), ...body }
  }

  /** Inserts a row without returning it. */
  add(row: Record<string, unknown>): void {
    const { id, ...body } = row
    this.#add(id, body)
  }

  #add(id: unknown, body: Record<string, unknown>): number {
    const values = this.#indexValues.map((read) => read(body))
    const given = typeof id === 'number' ? id : null
    const result = this.#statement(this.#insertSql).run(given, JSON.stringify(body), ...values)
    this.#written(1)
    this.#indexWhenLarge()
    return Number(result.lastInsertRowid)
  }

  get(id: number): Row | undefined {
    const found = this.#statement(`SELECT id, body FROM ${this.sqlName} WHERE id = ?`).get(id)
    return found && toRow(found)
  }

  update(id: number, fields: Record<string, unknown>): Row {
    const before = this.get(id)
    if (!before) throw new Error(`Table ${this.#name} has no row ${id}`)
    const row: Row = { ...before, ...fields, id }
    const { id: _id, ...body } = row
    const values = this.#indexValues.map((read) => read(body))
    this.#statement(this.#updateSql).run(JSON.stringify(body), ...values, id)
    this.#written(0)
    return row
  }

  delete(id: number): boolean {
    const deleted = this.#statement(`DELETE FROM ${this.sqlName} WHERE id = ?`).run(id).changes > 0
    if (deleted) this.#written(-1)
    return deleted
  }

  find(where: Where): Row[] {
    const { sql, values } = conditionOf(this, { where })
    const found = this.#statement(`SELECT id, body FROM ${this.sqlName}${sql} ORDER BY id`).all(...values)
    return found.map(toRow)
  }

  page(options: PageOptions): Page {
    const { offset, limit, orderBy = 'id', descending = false } = options
    this.refuseUnindexed(orderBy)
    const condition = conditionOf(this, options)
    const direction = descending ? ' DESC' : ''
    const order = orderBy === 'id' ? `id${direction}` : `"${orderBy}"${direction}, id${direction}`
    const rows = this.#rowsAt(condition, order, limit, offset)
    return { rows, total: this.#total(options, condition, offset, limit, rows.length) }
  }

  /** Finds the ids in the indexes first, so that only the rows of the page are read and sorted. */
  #rowsAt({ sql, values }: Condition, order: string, limit: number, offset: number): Row[] {
    const page = `ORDER BY ${order} LIMIT ? OFFSET ?`
    // The first page is at the start of the table anyway.
    if (sql === '' && offset === 0 && order === 'id') {
      return this.#statement(`SELECT id, body FROM ${this.sqlName} ${page}`).all(limit, offset).map(toRow)
    }
    const ids = `SELECT id FROM ${this.sqlName}${sql} ${page}`
    return this.#statement(`SELECT id, body FROM ${this.sqlName} WHERE id IN (${ids}) ORDER BY ${order}`)
      .all(...values, limit, offset)
      .map(toRow)
  }

  *scan(filter: Filter = {}, descending = false): Generator<Row> {
    let rest = filter
    let step = FIRST_SCAN_STEP
    while (true) {
      const condition = conditionOf(this, rest)
      const rows = this.#rowsAt(condition, `id${descending ? ' DESC' : ''}`, step, 0)
      yield* rows
      const last = rows.at(-1)
      if (!last || rows.length < step) return
      step = SCAN_STEP
      rest = descending ? { ...rest, maxId: last.id - 1 } : { ...rest, minId: last.id + 1 }
    }
  }

  count(where: Where = {}): number {
    return this.#total({ where }, conditionOf(this, { where }), 0, 0, 0)
  }

  sums(field: string, per: string, where: Where): Map<unknown, number> {
    for (const column of [field, per]) this.refuseUnindexed(column)
    const { sql, values } = conditionOf(this, { where })
    const found = this.#statement(`SELECT "${per}" AS per, sum("${field}") AS n FROM ${this.sqlName}${sql} GROUP BY 1`)
    return new Map(found.all(...values).map(({ per: value, n }) => [value, Number(n ?? 0)]))
  }

  /**
   * If the page is short, it gives the total. Otherwise the rows are counted once, and again only where a bound on the
   * id has cut the list.
   */
  #total(filter: Filter, condition: Condition, offset: number, limit: number, got: number): number {
    if (got > 0 && got < limit) return offset + got
    if (condition.sql === '') {
      this.#rowCount ??= this.#countRows(condition)
      return this.#rowCount
    }
    if (this.#countedVersion !== this.#changes.version || this.#counted.size >= MOST_COUNTED) this.#counted.clear()
    this.#countedVersion = this.#changes.version
    const { where, spans, not, links, maxId } = filter
    const key = JSON.stringify([where, spans, not, links, maxId])
    const minId = filter.minId ?? Number.MIN_SAFE_INTEGER
    const before = this.#counted.get(key)
    const total = before && before.minId <= minId ? this.#shrunk(filter, before, minId) : this.#countRows(condition)
    this.#counted.set(key, { minId, total })
    return total
  }

  #shrunk(filter: Filter, before: { minId: number; total: number }, minId: number): number {
    if (before.minId === minId) return before.total
    return before.total - this.#countRows(conditionOf(this, { ...filter, minId: before.minId, maxId: minId - 1 }))
  }

  #countRows({ sql, values }: Condition): number {
    return Number(this.#statement(`SELECT count(*) AS n FROM ${this.sqlName}${sql}`).get(...values)?.n)
  }

  refuseUnindexed(column: string): void {
    if (this.#isIndexed.has(column)) return
    throw new Error(`Table ${this.#name} has no index on ${column}; it has ${this.#columns.join(', ')}`)
  }

  isBroad(link: Link): boolean {
    const { sql, values } = namedBy(link, false)
    const named = this.#statement(`SELECT count(*) AS n FROM (SELECT 1 FROM ${sql} LIMIT ${BROAD_LINK})`)
    return Number(named.get(...values)?.n) >= BROAD_LINK
  }
}

/** Inserts the id into the text, because copying an object of fifty fields takes longer than parsing it. */
function toRow(found: Record<string, unknown>): Row {
  const body = String(found.body)
  return JSON.parse(`{"id":${found.id}${body === '{}' ? '' : ','}${body.slice(1)}`)
}
