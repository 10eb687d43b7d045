import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { seedOf } from './random.ts'
import type { Page, Row, SandboxStore, Table } from './store.ts'

type Scalar = string | number | boolean | null
type Where = Record<string, Scalar | (string | number)[]>
type SqlValue = string | number | null

interface PageOptions {
  where?: Where
  minId?: number
  maxId?: number
  offset: number
  limit: number
}

/** Every table starts its ids somewhere else in every store, so that an id of one store never works in the other. */
const FIRST_ID_RANGE = 90_000

const isKey = (column: string) => column.endsWith('_key')

/** An index value as SQLite keeps it. Lists and objects cannot be asked for and count as null. */
function sqlValue(column: string, value: unknown): SqlValue {
  if (typeof value === 'string') return isKey(column) ? value.toLowerCase() : value
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  return null
}

/** The value under which a row is indexed: `name_key` is the row's `name` when it has no `name_key` of its own. */
function indexed(column: string, row: Record<string, unknown>): SqlValue {
  const field = isKey(column) && row[column] === undefined ? column.slice(0, -'_key'.length) : column
  return sqlValue(column, row[field])
}

class SqliteTable implements Table {
  #database: DatabaseSync
  #name: string
  #columns: string[]
  #insertSql = ''
  #updateSql = ''
  #statements = new Map<string, StatementSync>()
  /** Rows in the table; undefined when a rollback may have changed it. */
  #rowCount: number | undefined
  /** Changes with every write; a remembered count is good for one version only. */
  #version = 0
  /** The last counted range: a client that walks by id asks for the rest of the same rows again and again. */
  #counted: { key: string; version: number; minId: number; total: number } | undefined

  constructor(database: DatabaseSync, name: string, firstId: number) {
    this.#database = database
    this.#name = `"t_${name}"`
    const known = database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(`t_${name}`)
    if (!known) {
      database.exec(`CREATE TABLE ${this.#name} (id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL)`)
      database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(`t_${name}`, firstId - 1)
    }
    const columns = database.prepare(`SELECT name FROM pragma_table_info('t_${name}')`).all()
    this.#columns = columns.map((column) => String(column.name)).filter((column) => !['id', 'body'].includes(column))
    this.#writeSql()
  }

  #writeSql(): void {
    const columns = ['id', 'body', ...this.#columns].map((column) => `"${column}"`)
    this.#insertSql = `INSERT INTO ${this.#name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
    this.#updateSql = `UPDATE ${this.#name} SET ${columns.slice(1).join(' = ?, ')} = ? WHERE id = ?`
  }

  columns(): readonly string[] {
    return this.#columns
  }

  /** @returns whether the table changed its shape. */
  addIndexes(indexes: string[]): boolean {
    const fresh = indexes.filter((column) => column !== 'id' && !this.#columns.includes(column))
    if (fresh.length === 0) return false
    const plain = this.#name.slice(1, -1)
    for (const column of fresh) {
      this.#database.exec(`ALTER TABLE ${this.#name} ADD COLUMN "${column}"`)
      this.#database.exec(`CREATE INDEX "${plain}_${column}" ON ${this.#name} ("${column}")`)
      this.#columns.push(column)
    }
    this.#statements.clear()
    this.#writeSql()
    if (this.count() > 0) for (const row of this.find({})) this.update(row.id, {})
    return true
  }

  forgetCounts(): void {
    this.#rowCount = undefined
    this.#version++
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
    this.#version++
    if (this.#rowCount !== undefined) this.#rowCount += change
  }

  insert(row: Record<string, unknown>): Row {
    const { id, ...body } = row
    const values = this.#columns.map((column) => indexed(column, body))
    const result = this.#statement(this.#insertSql).run(
      typeof id === 'number' ? id : null,
      JSON.stringify(body),
      ...values,
    )
    this.#written(1)
    return { id: Number(result.lastInsertRowid), ...body }
  }

  get(id: number): Row | undefined {
    const found = this.#statement(`SELECT id, body FROM ${this.#name} WHERE id = ?`).get(id)
    return found && toRow(found)
  }

  update(id: number, fields: Record<string, unknown>): Row {
    const before = this.get(id)
    if (!before) throw new Error(`Table ${this.#name} has no row ${id}`)
    const row: Row = { ...before, ...fields, id }
    const { id: _id, ...body } = row
    const values = this.#columns.map((column) => indexed(column, body))
    this.#statement(this.#updateSql).run(JSON.stringify(body), ...values, id)
    this.#written(0)
    return row
  }

  delete(id: number): boolean {
    const deleted = this.#statement(`DELETE FROM ${this.#name} WHERE id = ?`).run(id).changes > 0
    if (deleted) this.#written(-1)
    return deleted
  }

  find(where: Where): Row[] {
    const condition = this.#condition(where)
    const sql = `SELECT id, body FROM ${this.#name}${condition.sql} ORDER BY id`
    return this.#statement(sql)
      .all(...condition.values)
      .map(toRow)
  }

  page(options: PageOptions): Page {
    const { offset, limit } = options
    const range = { minId: finite(options.minId), maxId: finite(options.maxId) }
    const condition = this.#condition(options.where ?? {}, range)
    const sql = `SELECT id, body FROM ${this.#name}${condition.sql} ORDER BY id LIMIT ? OFFSET ?`
    const rows = this.#statement(sql)
      .all(...condition.values, limit, offset)
      .map(toRow)
    return { rows, total: this.#total(options.where ?? {}, range, offset, limit, rows.length) }
  }

  count(where: Where = {}): number {
    return this.#total(where, {}, 0, 0, 0)
  }

  /** A short page tells the total by itself; everything else is counted, the remembered range only where it shrank. */
  #total(where: Where, range: IdRange, offset: number, limit: number, got: number): number {
    if (got > 0 && got < limit) return offset + got
    const everything = Object.keys(where).length === 0 && range.minId === undefined && range.maxId === undefined
    if (everything) {
      this.#rowCount ??= this.#countRows(where, range)
      return this.#rowCount
    }
    const key = JSON.stringify([where, range.maxId])
    const minId = range.minId ?? Number.MIN_SAFE_INTEGER
    const last = this.#counted
    const total =
      last && last.key === key && last.version === this.#version && last.minId <= minId
        ? last.total - (last.minId === minId ? 0 : this.#countRows(where, { minId: last.minId, maxId: minId - 1 }))
        : this.#countRows(where, range)
    this.#counted = { key, version: this.#version, minId, total }
    return total
  }

  #countRows(where: Where, range: IdRange): number {
    const condition = this.#condition(where, range)
    const found = this.#statement(`SELECT count(*) AS n FROM ${this.#name}${condition.sql}`).get(...condition.values)
    return Number(found?.n)
  }

  #condition(where: Where, range: IdRange = {}): { sql: string; values: SqlValue[] } {
    const parts: string[] = []
    const values: SqlValue[] = []
    for (const [column, value] of Object.entries(where)) {
      if (column !== 'id' && !this.#columns.includes(column)) {
        throw new Error(`Table ${this.#name} has no index on ${column}; it has ${this.#columns.join(', ')}`)
      }
      if (Array.isArray(value)) {
        parts.push(`"${column}" IN (SELECT value FROM json_each(?))`)
        values.push(JSON.stringify(value.map((one) => sqlValue(column, one))))
      } else {
        parts.push(`"${column}" IS ?`)
        values.push(sqlValue(column, value))
      }
    }
    if (range.minId !== undefined) {
      parts.push('id >= ?')
      values.push(range.minId)
    }
    if (range.maxId !== undefined) {
      parts.push('id <= ?')
      values.push(range.maxId)
    }
    return { sql: parts.length > 0 ? ` WHERE ${parts.join(' AND ')}` : '', values }
  }
}

interface IdRange {
  minId?: number | undefined
  maxId?: number | undefined
}

function finite(bound: number | undefined): number | undefined {
  return bound !== undefined && Number.isFinite(bound) ? bound : undefined
}

function toRow(found: Record<string, unknown>): Row {
  return { id: Number(found.id), ...JSON.parse(String(found.body)) }
}

export interface StoreSettings {
  name: string
  hash: string
  /** A file, or `:memory:`. */
  file: string
  switches: Record<string, unknown>
}

export class SqliteStore implements SandboxStore {
  name: string
  hash: string
  /** Set when the port is known. */
  imageBase = ''
  switches: Record<string, unknown>
  #database: DatabaseSync
  #tables = new Map<string, SqliteTable>()
  #depth = 0
  /** Whether the running transaction made a table or an index. */
  #shapeChanged = false

  constructor(settings: StoreSettings) {
    this.name = settings.name
    this.hash = settings.hash
    this.switches = settings.switches
    this.#database = new DatabaseSync(settings.file)
    // A sandbox may lose its last writes when the machine stops; it must not when its process does.
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY')
    this.#database.exec('CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, value TEXT NOT NULL)')
    for (const name of this.#storedTables()) this.table(name)
  }

  #storedTables(): string[] {
    const rows = this.#database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 't\\_%' ESCAPE '\\'")
      .all()
    return rows.map((row) => String(row.name).slice(2))
  }

  table(name: string, indexes: string[] = []): SqliteTable {
    let table = this.#tables.get(name)
    if (!table) {
      if (!/^[a-z_]+$/.test(name)) throw new Error(`"${name}" cannot name a table`)
      table = new SqliteTable(this.#database, name, 1 + (seedOf(`${this.name} ${name}`) % FIRST_ID_RANGE))
      this.#tables.set(name, table)
      this.#shapeChanged ||= this.#depth > 0
    }
    if (table.addIndexes(indexes)) this.#shapeChanged ||= this.#depth > 0
    return table
  }

  tableNames(): string[] {
    return [...this.#tables.keys()].sort()
  }

  transaction<T>(change: () => T): T {
    const depth = this.#depth++
    this.#database.exec(depth === 0 ? 'BEGIN' : `SAVEPOINT s${depth}`)
    try {
      const result = change()
      this.#database.exec(depth === 0 ? 'COMMIT' : `RELEASE s${depth}`)
      return result
    } catch (error) {
      this.#database.exec(depth === 0 ? 'ROLLBACK' : `ROLLBACK TO s${depth}; RELEASE s${depth}`)
      this.#afterRollback()
      throw error
    } finally {
      this.#depth--
      if (this.#depth === 0) this.#shapeChanged = false
    }
  }

  /** Counts are stale; a table or an index made inside the transaction is gone and will be made again when asked for. */
  #afterRollback(): void {
    for (const table of this.#tables.values()) table.forgetCounts()
    if (!this.#shapeChanged) return
    this.#tables.clear()
    for (const name of this.#storedTables()) this.table(name)
  }

  /** A small text the store itself remembers, such as its token. */
  note(name: string): string | undefined {
    const row = this.#database.prepare('SELECT value FROM notes WHERE name = ?').get(name)
    return row && String(row.value)
  }

  setNote(name: string, value: string): void {
    this.#database
      .prepare('INSERT INTO notes VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value')
      .run(name, value)
  }

  close(): void {
    this.#database.close()
  }
}
