import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from './database.ts'
import { lockNumbers } from './lock-numbers.ts'

const folder = new URL('./sql/', import.meta.url)

/** How a migration waits for tables that others work with. */
interface LockWaits {
  lockMs: number
  pauseMs: number
  tries: number
}

/**
 * Two minutes in all. Queries of a table wait behind the migration that waits for it, so with a longer `lockMs` an
 * upgrade would show as an outage; with a shorter one it would hardly ever find a busy table free.
 */
const usualWaits: LockWaits = { lockMs: 2_000, pauseMs: 3_000, tries: 24 }

interface Waiting {
  waits?: LockWaits
  /** Called once for each migration that has to wait. */
  onWait?(message: string): void
}

/**
 * Applies the numbered files in `sql/` that this database has not seen; forward only.
 *
 * @throws with what is in the way if the tables of one do not become free
 */
export async function migrate(connectionString: string, waiting: Waiting = {}): Promise<void> {
  const client = new pg.Client({ connectionString, application_name: 'storeferry migrate' })
  await client.connect()
  try {
    // Hosts that start at the same time wait for each other.
    await client.query('select pg_advisory_lock($1)', [lockNumbers.migration])
    await client.query(
      'create table if not exists schema_migrations (name text primary key, at timestamptz not null default now())',
    )
    const applied = new Set(
      (await client.query<{ name: string }>('select name from schema_migrations')).rows.map((row) => row.name),
    )
    const files = await migrations()
    for (const file of files) if (!applied.has(file)) await applyInTime({ client, connectionString }, file, waiting)
    refuseNewerDatabase(applied, files)
  } finally {
    await client.end()
  }
}

/** Whether the database has every migration of this version. It may have later ones, from a version that replaces this one. */
export async function isSchemaCurrent(database: Database): Promise<boolean> {
  const { rows } = await sql<{ missing: number }>`
    select count(*)::integer as missing from unnest(${await migrations()}::text[]) as file
    where not exists (select from schema_migrations where name = file)`.execute(database)
  return rows[0]?.missing === 0
}

async function migrations(): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
}

interface Connected {
  client: pg.Client
  connectionString: string
}

async function applyInTime({ client, connectionString }: Connected, file: string, waiting: Waiting): Promise<void> {
  const { waits = usualWaits, onWait } = waiting
  const apply = () => tryToApply(client, file, waits.lockMs)
  if (await apply()) return
  onWait?.(`Database migration ${file} waits for tables that are in use.`)
  const pid = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0
  const watch = new pg.Client({ connectionString, application_name: 'storeferry migrate' })
  await watch.connect()
  try {
    let blockers: Blocker[] = []
    for (let left = waits.tries - 1; left > 0; left--) {
      await watch.query('select pg_sleep($1)', [waits.pauseMs / 1000])
      const [isApplied, seen] = await Promise.all([apply(), blockersOf(watch, pid, waits.lockMs)])
      if (isApplied) return
      if (seen.length > 0) blockers = seen
    }
    throw stillInUse(file, waits, blockers)
  } finally {
    await watch.end()
  }
}

/** A session that has locked what the migration needs. What the user of DATABASE_URL may not see of it is null. */
interface Blocker {
  pid: number
  name: string | null
  seconds: number | null
}

/** Looks while the migration waits. */
async function blockersOf(watch: pg.Client, waitingPid: number, lockMs: number): Promise<Blocker[]> {
  await watch.query('select pg_sleep($1)', [lockMs / 2000])
  const { rows } = await watch.query<Blocker>(
    `select pid, nullif(application_name, '') as name, extract(epoch from now() - xact_start)::integer as seconds
      from pg_stat_activity where pid = any(pg_blocking_pids($1)) order by xact_start`,
    [waitingPid],
  )
  return rows
}

function stillInUse(file: string, { lockMs, pauseMs, tries }: LockWaits, blockers: Blocker[]): Error {
  const waited = Math.round(((lockMs + pauseMs) * tries) / 1000)
  const found = blockers.map(
    ({ pid, name, seconds }) =>
      `process ${pid}${name === null ? '' : ` (${name})`}${seconds === null ? '' : `, in a transaction for ${seconds} s`}`,
  )
  const who = found.length > 0 ? `: ${found.join('; ')}` : ''
  const end = blockers.map(({ pid }) => `select pg_terminate_backend(${pid})`).join('; ')
  return new Error(
    `Database migration ${file} was not applied, because its tables were in use for ${waited} s${who}. Wait until that has ended${end === '' ? '' : `, or end it in PostgreSQL (${end})`}; then start again.`,
  )
}

/** SQLSTATE lock_not_available and deadlock_detected: others work with the tables. */
const inUse = ['55P03', '40P01']

/** @returns false when it was rolled back, because its tables are in use */
async function tryToApply(client: pg.Client, file: string, lockMs: number): Promise<boolean> {
  const statements = await readFile(new URL(file, folder), 'utf8')
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockMs}`)
    await client.query(statements)
    await client.query('insert into schema_migrations (name) values ($1)', [file])
    await client.query('commit')
    return true
  } catch (error) {
    await client.query('rollback')
    if (inUse.includes(String((error as { code?: unknown }).code))) return false
    throw new Error(`Database migration ${file} failed and was rolled back.`, { cause: error })
  }
}

function refuseNewerDatabase(applied: Set<string>, files: string[]): void {
  const unknown = [...applied].filter((name) => !files.includes(name))
  if (unknown.length > 0)
    throw new Error(
      `The database was migrated by a newer Storeferry (${unknown.join(', ')}); start that version or a later one.`,
    )
}
