import { tmpdir } from 'node:os'
import type { DatabaseSync } from 'node:sqlite'
import { plantSeed } from '../seeds/plant-seed.ts'
import { Accounts, MAIN_ACCOUNT } from '../server/accounts.ts'
import { SqliteStore } from '../store/sqlite-store.ts'
import { linesOf } from './file-lines.ts'
import { StoreFileError } from './store-file-error.ts'

/** The first line of a store file. Every other line is `{ table, row }`. */
interface Header {
  format: typeof FORMAT
  version: typeof VERSION
  store: { name: string; hash: string; clientId: string }
  /** The seed that first filled the store. */
  seed: string
  tables: HeaderTable[]
}

interface HeaderTable {
  name: string
  indexes: string[]
  nextId: number
  /** The number of rows, by which an import detects a truncated file. */
  rows: number
}

const FORMAT = 'sandbox-store'
const VERSION = 1

/** Exports are sent in chunks of this size. */
const EXPORT_STEP_CHARS = 256 * 1024

/** Exports the store as NDJSON, as it was at the first read. Later writes are not included. */
export async function* exportedStore(store: SqliteStore): AsyncGenerator<string> {
  const { database, release } = store.snapshot(tmpdir())
  try {
    const header = headerOf(store, database)
    let waiting = `${JSON.stringify(header)}\n`
    for (const { name } of header.tables) {
      for (const { id, body } of database.prepare(`SELECT id, body FROM "t_${name}" ORDER BY id`).iterate()) {
        waiting += rowLine(name, Number(id), String(body))
        if (waiting.length < EXPORT_STEP_CHARS) continue
        yield waiting
        waiting = ''
      }
    }
    yield waiting
  } finally {
    release()
  }
}

function headerOf(store: SqliteStore, database: DatabaseSync): Header {
  const count = (name: string) => database.prepare(`SELECT count(*) AS n FROM "t_${name}"`).get()?.n
  const next = database.prepare('SELECT seq + 1 AS id FROM sqlite_sequence WHERE name = ?')
  return {
    format: FORMAT,
    version: VERSION,
    store: { name: store.name, hash: store.hash, clientId: clientIdOf(store) },
    seed: store.note('seed') ?? 'empty',
    tables: store.tableNames().map((name) => ({
      name,
      indexes: [...store.table(name).columns()],
      nextId: Number(next.get(`t_${name}`)?.id ?? 1),
      rows: Number(count(name)),
    })),
  }
}

/** The stored row is JSON already, except for its id, which is in another column. */
function rowLine(table: string, id: number, body: string): string {
  return `{"table":"${table}","row":{"id":${id}${body === '{}' ? '' : ','}${body.slice(1)}}\n`
}

/**
 * Fills an empty store from an exported file, with all ids and the next ids. Nothing changes until the end, and then
 * everything at once.
 *
 * @throws StoreFileError if the store is not empty or the file is incomplete; the message names the line
 */
export async function importStore(store: SqliteStore, chunks: AsyncIterable<Uint8Array | string>): Promise<void> {
  await replace(store, (filling) => fill(filling, chunks))
}

/** Fills an empty store from another one. If both are files, the database copies itself, which is faster. */
export async function cloneStore(from: SqliteStore, to: SqliteStore): Promise<void> {
  if (from === to) throw new StoreFileError(409, 'A store cannot be cloned into itself')
  if (from.isInMemory || to.isInMemory) return importStore(to, exportedStore(from))
  await replace(to, async () => clientIdOf(from), from)
}

/** @param fill fills the new store and returns the client id of the source's main account */
async function replace(
  store: SqliteStore,
  fill: (filling: SqliteStore) => Promise<string>,
  copyOf?: SqliteStore,
): Promise<void> {
  refuseFilled(store)
  if (filled.has(store)) throw new StoreFileError(409, `Store ${store.name} is being filled already`)
  filled.add(store)
  const filling = store.blank(copyOf)
  try {
    giveRowsTo(filling, await fill(filling), clientIdOf(store))
    // A call may have written to the store in the meantime.
    refuseFilled(store)
    store.adopt(filling)
  } catch (error) {
    filling.discard()
    throw error
  } finally {
    filled.delete(store)
  }
}

/** Stores with an import in progress. */
const filled = new WeakSet<SqliteStore>()

/** A store counts as empty if it has only what every new store has. */
function refuseFilled(store: SqliteStore): void {
  const newborn = new SqliteStore({ name: store.name, hash: store.hash, file: ':memory:', switches: {} })
  plantSeed(newborn, 'empty')
  const tooMany = store.tableNames().find((name) => store.table(name).count() > newborn.table(name).count())
  newborn.close()
  if (tooMany === undefined) return
  throw new StoreFileError(409, `Store ${store.name} is not empty: it has ${tooMany} already. Give an empty store`)
}

/** @returns the client id in the header */
async function fill(store: SqliteStore, chunks: AsyncIterable<Uint8Array | string>): Promise<string> {
  let header: Header | undefined
  for await (const lines of linesOf(chunks)) {
    store.transaction(() => {
      for (const { line, text } of lines) {
        if (header) takeRow(store, text, line)
        else header = takeHeader(store, text)
      }
    })
  }
  if (!header) throw new StoreFileError(400, 'The file is empty')
  finish(store, header)
  return header.store.clientId
}

function takeHeader(store: SqliteStore, text: string): Header {
  const header = parsed(text, 1)
  if (header.format !== FORMAT || header.version !== VERSION) {
    throw new StoreFileError(400, `Line 1: expected a header with the format ${FORMAT} and the version ${VERSION}`)
  }
  if (!isHeader(header)) throw new StoreFileError(400, 'Line 1: the header has no store, seed or tables')
  for (const { name, indexes } of header.tables) store.table(name, indexes)
  store.setNote('seed', header.seed)
  return header
}

function isHeader(header: object): header is Header {
  const { store, seed, tables } = header as Partial<Header>
  return (
    typeof store?.clientId === 'string' &&
    typeof seed === 'string' &&
    Array.isArray(tables) &&
    tables.every(isHeaderTable)
  )
}

function isHeaderTable({ name, indexes, nextId, rows }: HeaderTable): boolean {
  const names = [name, ...(Array.isArray(indexes) ? indexes : [''])]
  return names.every((one) => /^[a-z_]+$/.test(one)) && Number.isInteger(nextId) && Number.isInteger(rows)
}

function takeRow(store: SqliteStore, text: string, line: number): void {
  const { table, row } = parsed(text, line) as { table?: unknown; row?: Record<string, unknown> }
  if (typeof table !== 'string' || !store.tableNames().includes(table)) {
    throw new StoreFileError(400, `Line ${line}: ${JSON.stringify(table)} is not a table of the header`)
  }
  if (typeof row !== 'object' || row === null || !Number.isInteger(row.id)) {
    throw new StoreFileError(400, `Line ${line}: expected a row with an id`)
  }
  try {
    store.table(table).add(row)
  } catch (cause) {
    throw new StoreFileError(400, `Line ${line}: ${table} ${row.id} cannot be saved: ${cause}`)
  }
}

function parsed(text: string, line: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return { ...value }
  } catch {
    // Falls through to the error below, which also covers JSON that is not an object.
  }
  throw new StoreFileError(400, `Line ${line} is not a JSON object`)
}

function finish(store: SqliteStore, { tables }: Header): void {
  for (const { name, nextId, rows } of tables) {
    const got = store.table(name).count()
    if (got !== rows) throw new StoreFileError(400, `The file ends early: it has ${got} of ${rows} rows of ${name}`)
    store.table(name).setNextId(nextId)
  }
}

/** Fields with the API account of a row. */
const OWNER_FIELDS = ['owner_client_id', 'client_id']

/** Gives rows of the source's main account to the main account of this store. Rows of other apps stay theirs. */
function giveRowsTo(store: SqliteStore, before: string, clientId: string): void {
  if (before === clientId) return
  store.transaction(() => {
    for (const name of store.tableNames()) {
      for (const row of store.rowsMentioning(name, JSON.stringify(before))) {
        const owned = OWNER_FIELDS.filter((field) => row[field] === before)
        if (owned.length > 0)
          store.table(name).update(row.id, Object.fromEntries(owned.map((field) => [field, clientId])))
      }
    }
  })
}

function clientIdOf(store: SqliteStore): string {
  return new Accounts(store, []).named(MAIN_ACCOUNT)?.clientId ?? ''
}
