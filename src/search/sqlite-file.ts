import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { SearchStoreAway } from './search-store.ts'
import { schema, schemaVersion } from './sqlite-schema.ts'

/** SQLITE_BUSY: another process is writing. */
const busy = 5

/** Worth retrying at once, unlike other failures of the store. */
export class SearchFileBusy extends SearchStoreAway {
  override name = 'SearchFileBusy'
}

/**
 * Codes of a document that cannot be stored; any other code is a failure of the file or its disk. Source: SQLite
 * "Result and Error Codes".
 */
const ofDocument = new Set([18, 19, 20])
/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const unreadable = new Set([11, 26])

/** A statement that is prepared once as long as the file is open. Only for texts that are always the same. */
export type KeptStatement = (text: string) => StatementSync

/** The file of the index: opened when first needed, and again after it was deleted or replaced. */
export class SqliteFile {
  private readonly path: string
  /** How long SQLite waits for a writer in another process. It blocks this process in the meantime. */
  private readonly busyMs: number
  private readonly readOnly: boolean
  private open: { database: DatabaseSync; kept: KeptStatement; inode: number } | undefined

  /** @param options `readOnly`: never creates or changes the file, which another process makes sure of */
  constructor(path: string, { busyMs, readOnly = false }: { busyMs: number; readOnly?: boolean }) {
    this.path = path
    this.busyMs = busyMs
    this.readOnly = readOnly
  }

  /**
   * Runs `work` with the open file; a file that is not an index is replaced by an empty one.
   *
   * @param work may use kept statements for reads of one row, because preparing takes longer than reading
   * @throws SearchStoreAway when the file or its disk fails, SearchFileBusy when it is being written.
   */
  use<Result>(work: (database: DatabaseSync, kept: KeptStatement) => Result): Result {
    try {
      const { database, kept } = this.opened()
      return work(database, kept)
    } catch (error) {
      throw this.explained(error)
    }
  }

  /** The same for work that another process does with the file, which exists then. */
  async lend<Result>(work: () => Promise<Result>): Promise<Result> {
    this.use(() => undefined)
    const inode = this.inode()
    try {
      return await work()
    } catch (error) {
      // Whatever is wrong with the file that was read, this one may be good.
      if (this.inode() !== inode) throw new SearchStoreAway('The search index was replaced.', { cause: error })
      throw this.explained(error)
    }
  }

  close(): void {
    this.open?.database.close()
    this.open = undefined
  }

  private explained(error: unknown): unknown {
    const code = codeOf(error)
    if (code === undefined || ofDocument.has(code)) return error
    if (code === busy) return new SearchFileBusy('The search index is written by another process.', { cause: error })
    this.close()
    if (unreadable.has(code)) this.remove()
    return new SearchStoreAway('The search index cannot be used.', { cause: error })
  }

  /** The open file; throws the errors of SQLite and of the file system. */
  connect(): DatabaseSync {
    return this.opened().database
  }

  private opened(): { database: DatabaseSync; kept: KeptStatement } {
    if (this.open && this.open.inode !== this.inode()) this.close()
    if (!this.open) {
      const database = this.openDatabase()
      this.open = { database, kept: keepStatements(database), inode: this.inode() ?? 0 }
    }
    return this.open
  }

  private inode(): number | undefined {
    return statSync(this.path, { throwIfNoEntry: false })?.ino
  }

  private openDatabase(): DatabaseSync {
    if (this.readOnly) return new DatabaseSync(this.path, { timeout: this.busyMs, readOnly: true })
    // The remains of a deleted index do not belong to a new one.
    if (this.inode() === undefined) this.remove()
    // Readable by us alone; SQLite gives the files next to it the same mode.
    closeSync(openSync(this.path, 'a', 0o600))
    const database = new DatabaseSync(this.path, { timeout: this.busyMs })
    try {
      // Emptying the log blocks the process that writes, so another one does it (see `emptyLog`), long before 64 MB.
      database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 16000')
      prepareSchema(database)
      return database
    } catch (error) {
      database.close()
      throw error
    }
  }

  private remove(): void {
    for (const end of ['', '-wal', '-shm']) rmSync(`${this.path}${end}`, { force: true })
  }
}

function keepStatements(database: DatabaseSync): KeptStatement {
  const prepared = new Map<string, StatementSync>()
  return (text) => {
    const statement = prepared.get(text) ?? database.prepare(text)
    prepared.set(text, statement)
    return statement
  }
}

/** Two processes may open a new file at the same time. */
function prepareSchema(database: DatabaseSync): void {
  if (versionOf(database) === schemaVersion) return
  inTransaction(database, () => {
    if (versionOf(database) === schemaVersion) return
    for (const name of ['issue_texts', 'counts', 'issues', 'writings', 'runs', 'meta'])
      database.exec(`drop table if exists ${name}`)
    database.exec(schema)
  })
}

function versionOf(database: DatabaseSync): unknown {
  return database.prepare('pragma user_version').get()?.user_version
}

export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('begin immediate')
  try {
    const result = work()
    database.exec('commit')
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}

export function logBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
}

/**
 * Moves what was written from the log into the file. SQLite does it as well, but only at a moment when nothing is
 * read: beside searches that follow each other the log would grow for ever. This waits for those that have begun.
 *
 * @returns whether none of them took too long.
 */
export function emptyLog(database: DatabaseSync): boolean {
  return database.prepare('pragma wal_checkpoint(truncate)').get()?.busy === 0
}

/** SQLite's primary error code; 0, which no document causes, for an error of the file system. */
function codeOf(error: unknown): number | undefined {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  if (typeof errcode === 'number') return errcode & 0xff
  return typeof code === 'string' ? 0 : undefined
}
