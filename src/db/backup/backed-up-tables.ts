import { sql } from 'kysely'
import type { InTransaction } from '../core/database.ts'

/**
 * Tables that are not part of a backup. A restored database starts without sessions, tokens, grants, links and signing keys, so nothing
 * of before the restore opens it (S6). It does not send what was sent before, either; the others are about processes that do not exist
 * any more.
 */
const leftOut = new Set([
  'schema_migrations',
  'sessions',
  'bearer_tokens',
  'signing_keys',
  'oauth_connections',
  'oauth_records',
  'oauth_registrations',
  'one_time_links',
  'login_failures',
  'notification_events',
  'notification_deliveries',
  'notification_tries',
  'worker_hosts',
  'quota_shares',
  'used_up_windows',
  'endpoint_slots',
])

interface TableNames {
  backedUp: string[]
  /** Except the list of migrations. */
  leftOut: string[]
}

export async function listTables(tx: InTransaction): Promise<TableNames> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' order by table_name`.execute(tx)
  const names = rows.map(({ name }) => name)
  return {
    backedUp: names.filter((name) => !leftOut.has(name)),
    leftOut: names.filter((name) => leftOut.has(name) && name !== 'schema_migrations'),
  }
}

export async function listMigrations(tx: InTransaction): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from schema_migrations order by name`.execute(tx)
  return rows.map(({ name }) => name)
}

/** Values are written and read as text, which these settings shape. A slow disk must not end the transaction. */
export async function prepareCopying(tx: InTransaction): Promise<void> {
  await sql`
    select set_config('datestyle', 'ISO, YMD', true), set_config('intervalstyle', 'postgres', true),
      set_config('timezone', 'UTC', true), set_config('bytea_output', 'hex', true),
      set_config('extra_float_digits', '3', true), set_config('idle_in_transaction_session_timeout', '0', true)`.execute(
    tx,
  )
}
