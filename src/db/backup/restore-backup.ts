import { sql } from 'kysely'
import { recordAudit } from '../accounts/audit.ts'
import { recordRunAction } from '../accounts/run-audit.ts'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import { pauseQueued } from '../runs/run-controls.ts'
import { leaveInProgress } from '../runs/run-life.ts'
import { listMigrations, listTables, prepareCopying } from './backed-up-tables.ts'
import { type BackupHeader, damaged, format, readBackupFile } from './backup-file.ts'

export interface Restored {
  rows: number
  /** When the backup was written. */
  backedUpAt: Date
  /** Migrations that were queued or in progress at that time. */
  paused: number
}

/** Rows per statement, and their characters. Larger: more memory; smaller: more statements. Our choice. */
const rowsAtOnce = 500
const charactersAtOnce = 4_000_000

/**
 * Restores a backup into an empty database of the same schema, in one transaction: whatever it refuses leaves the database as it was.
 *
 * @param checkKey throws when the master key is not that of the backup
 * @throws with one line that says what to do
 */
export async function restoreBackup(
  database: Database,
  path: string,
  { at, checkKey }: { at: Date; checkKey: (tx: InTransaction) => Promise<unknown> },
): Promise<Restored> {
  const lines = readBackupFile(path)
  const restored = await database
    .transaction()
    .execute((tx) => restoreLines(tx, path, lines, { at, checkKey }))
    // Closes the file, even if nothing more was read of it.
    .finally(() => lines.return(undefined))
  // Until the server does so by itself, statements would be planned for empty tables.
  await sql`analyze`.execute(database)
  return restored
}

async function restoreLines(
  tx: InTransaction,
  path: string,
  lines: ReturnType<typeof readBackupFile>,
  { at, checkKey }: { at: Date; checkKey: (tx: InTransaction) => Promise<unknown> },
): Promise<Restored> {
  await prepareCopying(tx)
  const header = headerOf(path, (await lines.next()).value)
  refuseOtherSchema(header, await listMigrations(tx))
  const { backedUp, leftOut } = await listTables(tx)
  await emptied(tx, { backedUp, leftOut })
  const foreignKeys = await dropForeignKeys(tx)
  const rows = await insertRows(tx, lines, new Set(backedUp))
  for (const { name, value } of header.sequences)
    await sql`select setval(${name}::regclass, ${value}::bigint)`.execute(tx)
  for (const { table, name, definition } of foreignKeys)
    await sql`alter table ${sql.raw(table)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(tx)
  await checkKey(tx)
  const paused = await startOver(tx, { header, at })
  return { rows, backedUpAt: new Date(header.at), paused }
}

function headerOf(path: string, first: unknown): BackupHeader {
  const header = first as Partial<BackupHeader> | string | undefined
  if (typeof header !== 'object' || header.format !== format) throw damaged(path)
  return header as BackupHeader
}

function refuseOtherSchema({ version, migrations }: BackupHeader, known: string[]): void {
  if (migrations.some((name) => !known.includes(name)))
    throw new Error(
      `The backup was written by a newer Storeferry (${version}): restore it with that version or a later one with the same schema.`,
    )
  const newer = known.filter((name) => !migrations.includes(name))
  if (newer.length > 0)
    throw new Error(
      `The backup was written by Storeferry ${version}, before the schema changed (${newer.join(', ')}): restore it with that version, then start this one, which updates the database.`,
    )
}

/** SQLSTATEs: the lock was not available in time, or its holder waits for one of ours. */
const inUse = new Set<unknown>(['55P03', '40P01'])

/** Nothing that is in use may be replaced. Only what a start writes into an empty database is removed. */
async function emptied(
  tx: InTransaction,
  { backedUp, leftOut }: { backedUp: string[]; leftOut: string[] },
): Promise<void> {
  const all = [...backedUp, ...leftOut].map((name) => sql.table(name))
  await sql`set local lock_timeout = '10s'`.execute(tx)
  await sql`lock table ${sql.join(all)} in access exclusive mode`.execute(tx).catch((error: unknown) => {
    if (!inUse.has((error as { code?: unknown }).code)) throw error
    throw new Error('Another process uses the database: stop the service, then run this again.', { cause: error })
  })
  const filled: string[] = []
  for (const table of backedUp) {
    if (table === 'encryption_check') continue
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(tx)
    if (rows.length > 0) filled.push(table)
  }
  if (filled.length > 0)
    throw new Error(
      `The database is not empty (${filled.slice(0, 3).join(', ')}${filled.length > 3 ? ' ...' : ''}): restore into a new STOREFERRY_DATA, or a new database in DATABASE_URL.`,
    )
  for (const table of ['encryption_check', ...leftOut]) await sql`delete from ${sql.table(table)}`.execute(tx)
}

/** Rows may come before those that they refer to. All keys are checked when they are added again. */
async function dropForeignKeys(tx: InTransaction): Promise<{ table: string; name: string; definition: string }[]> {
  const { rows } = await sql<{ table: string; name: string; definition: string }>`
    select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace order by 1, 2`.execute(tx)
  for (const { table, name } of rows)
    await sql`alter table ${sql.raw(table)} drop constraint ${sql.id(name)}`.execute(tx)
  return rows
}

async function insertRows(
  tx: InTransaction,
  lines: ReturnType<typeof readBackupFile>,
  tables: Set<string>,
): Promise<number> {
  let table = ''
  let collected: string[] = []
  let characters = 0
  let rows = 0
  const insert = async () => {
    if (collected.length > 0) await insertInto(tx, table, collected)
    rows += collected.length
    collected = []
    characters = 0
  }
  for await (const line of lines) {
    if (typeof line === 'string') {
      collected.push(line)
      characters += line.length
      if (collected.length >= rowsAtOnce || characters >= charactersAtOnce) await insert()
    } else {
      await insert()
      table = 'table' in line ? line.table : ''
      if (!tables.has(table)) throw new Error(`The backup has a table "${table}" that this Storeferry does not know.`)
    }
  }
  await insert()
  return rows
}

async function insertInto(tx: InTransaction, table: string, rows: string[]): Promise<void> {
  const name = sql.table(table)
  await sql`
    insert into ${name} overriding system value
    select * from unnest(${rows}::${name}[])`.execute(tx)
}

/**
 * What may not go on as if nothing had happened: links to an invitation, which may have been used or withdrawn since, and runs, whose
 * destination may have changed. A paused run lists the destination again when it is resumed, and so finds what was copied after the backup.
 *
 * @returns how many runs were paused.
 */
async function startOver(tx: InTransaction, { header, at }: { header: BackupHeader; at: Date }): Promise<number> {
  await sql`update invitations set token_hash = null, expires_at = null`.execute(tx)
  // Those with a link; a claimed installation has none.
  await sql`delete from app_installations where claim_hash is not null`.execute(tx)
  const { rows: runs } = await sql<Columns<'runs', 'id' | 'organisationId' | 'status'>>`
    select id, organisation_id as "organisationId", status from runs
    where status in ('queued', 'in_progress') order by id`.execute(tx)
  for (const run of runs) {
    if (run.status === 'queued') await pauseQueued(tx, run)
    else await leaveInProgress(tx, run, 'paused')
    await recordRunAction(tx, {
      organisationId: run.organisationId,
      userId: null,
      actor: 'command line',
      action: 'migration.pause',
      runId: run.id,
      at,
    })
  }
  await recordAudit(tx, {
    organisationId: null,
    actorUserId: null,
    actor: 'command line',
    action: 'database.restore',
    details: { backedUpAt: header.at, version: header.version, paused: runs.length },
    at,
  })
  return runs.length
}
