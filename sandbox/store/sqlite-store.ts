import { renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { seedOf } from './random.ts'
import { SqliteTable } from './sqlite-table.ts'
import type { Row, SandboxStore } from './store.ts'

/** Every table of every store starts its ids at a different number, so that no id exists in two stores. */
const FIRST_ID_RANGE = 90_000

/** Rows per transaction of a bulk load. Fewer make the whole load slower; more hold up other calls for longer. */
const LOAD_STEP = 5_000

const IN_MEMORY = ':memory:'

export interface StoreSettings {
  name: string
  hash: string
  /** A path, or `:memory:`. */
  file: string
  switches: Record<string, unknown>
}

export class SqliteStore implements SandboxStore {
  name: string
  hash: string
  /** Set once the port is known. */
  imageBase = ''
  switches: Record<string, unknown>
  #file: string
  #database: DatabaseSync
  #tables = new Map<string, SqliteTable>()
  #changes = { version: 0 }
  #found = new Map<string, { version: number; value: unknown }>()
  #depth = 0
  /** Whether the current transaction created a table or an index. */
  #shapeChanged = false

  constructor(settings: StoreSettings) {
    this.name = settings.name
    this.hash = settings.hash
    this.switches = settings.switches
    this.#file = settings.file
    this.#database = openDatabase(settings.file)
    this.#openTables()
  }

  #openTables(): void {
    this.#tables.clear()
    for (const [name, columns] of this.#storedTables()) this.#open(name, [], columns)
  }

  /** The names and columns of the tables in the database. */
  #storedTables(): Map<string, string[]> {
    const rows = this.#database
      .prepare(
        `SELECT substr(tables.name, 3) AS name, columns.name AS "column"
        FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
        WHERE tables.type = 'table' AND tables.name LIKE 't\\_%' ESCAPE '\\'`,
      )
      .all()
    const byTable = Map.groupBy(rows, ({ name }) => String(name))
    return new Map([...byTable].map(([name, columns]) => [name, columns.map(({ column }) => String(column))]))
  }

  #open(name: string, columns: string[], stored?: string[]): SqliteTable {
    const firstId = 1 + (seedOf(`${this.name} ${name}`) % FIRST_ID_RANGE)
    const table = new SqliteTable(this.#database, name, { firstId, columns, stored }, this.#changes)
    this.#tables.set(name, table)
    return table
  }

  table(name: string, indexes: string[] = []): SqliteTable {
    let table = this.#tables.get(name)
    if (!table) {
      if (!/^[a-z_]+$/.test(name)) throw new Error(`"${name}" cannot name a table`)
      table = this.#open(name, indexes)
      this.#shapeChanged ||= this.#depth > 0
    }
    if (table.addIndexes(indexes)) this.#shapeChanged ||= this.#depth > 0
    return table
  }

  tableNames(): string[] {
    return [...this.#tables.keys()].sort()
  }

  load(name: string, rows: Iterable<Record<string, unknown>>): number {
    const table = this.table(name)
    // Inside a transaction of the caller, indexes stay: other calls may run before it ends.
    const isNew = this.#depth === 0 && table.count() === 0
    if (isNew) table.holdIndexesBack()
    try {
      return this.#loadInSteps(table, rows[Symbol.iterator]())
    } finally {
      if (isNew) table.allowIndexes()
    }
  }

  #loadInSteps(table: SqliteTable, rows: Iterator<Record<string, unknown>>): number {
    let loaded = 0
    let step: number
    do {
      step = this.transaction(() => addSome(table, rows))
      loaded += step
    } while (step === LOAD_STEP)
    return loaded
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

  /**
   * Counts may be wrong, and tables and indexes created in the transaction are gone. They are created again when
   * needed.
   */
  #afterRollback(): void {
    for (const table of this.#tables.values()) table.rolledBack()
    if (this.#shapeChanged) this.#openTables()
  }

  /** A small value that the store keeps about itself, such as its token. */
  note(name: string): string | undefined {
    const row = this.#database.prepare('SELECT value FROM notes WHERE name = ?').get(name)
    return row && String(row.value)
  }

  setNote(name: string, value: string): void {
    this.#database
      .prepare('INSERT INTO notes VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value')
      .run(name, value)
  }

  ask(sql: string): Record<string, unknown> {
    return this.#database.prepare(sql).get() ?? {}
  }

  untilChanged<T>(name: string, find: () => T): T {
    const before = this.#found.get(name)
    // Each name is only used with one type.
    if (before?.version === this.#changes.version) return before.value as T
    const value = find()
    this.#found.set(name, { version: this.#changes.version, value })
    return value
  }

  get isInMemory(): boolean {
    return this.#file === IN_MEMORY
  }

  /**
   * The store as it is now, in a database that later writes do not change. Close it with `release`.
   *
   * @param folder where a store in memory is written for as long as the snapshot exists
   */
  snapshot(folder: string): { database: DatabaseSync; release: () => void } {
    const copy = this.isInMemory ? `${folder}/${this.hash}-${process.pid}-${++snapshots}.sqlite` : undefined
    if (copy !== undefined) this.copyTo(copy)
    const database = new DatabaseSync(copy ?? this.#file, { readOnly: true })
    // The snapshot begins with the first read.
    database.exec('BEGIN; SELECT count(*) FROM sqlite_master')
    return {
      database,
      release: () => {
        database.close()
        if (copy !== undefined) rmSync(copy)
      },
    }
  }

  /** Writes the whole store to a new file. */
  copyTo(file: string): void {
    this.#database.prepare('VACUUM INTO ?').run(file)
  }

  /** A store with the same name, to be filled and then adopted. Empty, or a copy of another store's file. */
  blank(copyOf?: SqliteStore): SqliteStore {
    const file = this.isInMemory ? IN_MEMORY : `${this.#file}.new`
    // A file that a killed process left behind.
    if (!this.isInMemory) removeDatabase(file)
    copyOf?.copyTo(file)
    return new SqliteStore({ name: this.name, hash: this.hash, file, switches: this.switches })
  }

  /**
   * Replaces its rows with those of the other store in one step. It stays the same store, because its accounts are in
   * its notes.
   */
  adopt(other: SqliteStore): void {
    const notes = this.#database.prepare("SELECT name, value FROM notes WHERE name <> 'seed'").all()
    other.#database.exec("DELETE FROM notes WHERE name <> 'seed'")
    for (const { name, value } of notes) other.setNote(String(name), String(value))
    this.#database.close()
    if (this.isInMemory) this.#database = other.#database
    else {
      other.close()
      removeDatabase(this.#file)
      renameSync(other.#file, this.#file)
      this.#database = openDatabase(this.#file)
    }
    this.#changes.version++
    this.#openTables()
  }

  /** Rows whose JSON contains this text. Reads the whole table. */
  *rowsMentioning(table: string, text: string): Generator<Row> {
    const ids = this.#database.prepare(`SELECT id FROM "t_${table}" WHERE instr(body, ?) > 0`).all(text)
    for (const { id } of ids) {
      const row = this.table(table).get(Number(id))
      if (row) yield row
    }
  }

  close(): void {
    this.#database.close()
  }

  /** Closes the store and deletes its file. */
  discard(): void {
    this.close()
    if (!this.isInMemory) removeDatabase(this.#file)
  }
}

let snapshots = 0

function addSome(table: SqliteTable, rows: Iterator<Record<string, unknown>>): number {
  for (let added = 0; added < LOAD_STEP; added++) {
    const { done, value } = rows.next()
    if (done) return added
    table.add(value)
  }
  return LOAD_STEP
}

function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  // The last writes may be lost if the machine stops, but not if just the process does.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY')
  database.exec('CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, value TEXT NOT NULL)')
  return database
}

function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
}
