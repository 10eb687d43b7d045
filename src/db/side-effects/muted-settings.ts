import { sql } from 'kysely'
import { systemClock } from '../../clock.ts'
import type { Columns, Renamed } from '../core/columns.ts'
import { type Database, type InTransaction, idleInTransactionMs } from '../core/database.ts'
import type { Tables } from '../core/tables.ts'
import type { StorePair } from '../ledger/store-pair.ts'
import { hasLetGo } from '../ledger/waiting.ts'

export type SettingValues = Tables['muted_settings']['original']

/** A setting that is switched off, as the merchant had it and as we left it. */
type MutedSetting = Columns<'muted_settings', 'setting' | 'original' | 'ours'>

/** With the run that switched it off last, and whether an issue of that run reports it. */
type KnownMuted = MutedSetting & Columns<'muted_settings', 'organisationId' | 'runId'> & { reported: boolean }

/** Left behind by a run that no longer holds the destination. */
export type LeftMuted = Columns<'muted_settings', 'organisationId' | 'runId'> &
  Renamed<'muted_settings', { destinationHash: 'storeHash' }>

export type OverdueMuted = LeftMuted & {
  settings: string[]
  /** False when the store was disconnected, which leaves it as it is. */
  connected: boolean
}

/** Another host may try again after so long. */
const triedAgainAfter = sql`interval '1 minute'`
const overdueAfter = sql`interval '15 minutes'`

const connected = sql`exists (
  select from stores where stores.organisation_id = muted.organisation_id and stores.id = muted.destination_store_id
    and stores.disconnected_at is null)`

const unheld = sql`not exists (
  select from destination_leases lease join runs holder on holder.id = lease.run_id
  where lease.platform = muted.platform and lease.store_hash = muted.store_hash and not ${hasLetGo(sql`holder`)})`

/** One process at a time switches settings of a store: a run that begins and a host that cleans up may coincide. */
export async function withMailLock<T>(database: Database, storeHash: string, work: () => Promise<T>): Promise<T> {
  return database.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('mail settings', 0) # hashtextextended(${storeHash}, 1))`.execute(
      tx,
    )
    const over = new AbortController()
    const held = keepHeld(tx, over.signal)
    try {
      return await work()
    } finally {
      over.abort()
      await held
    }
  })
}

/** The database ends a transaction without queries for `idleInTransactionMs`, and stores may take longer to answer. */
async function keepHeld(tx: InTransaction, over: AbortSignal): Promise<void> {
  for (;;) {
    await systemClock.sleep(idleInTransactionMs / 4, over).catch(() => undefined)
    if (over.aborted) return
    // A lost connection fails the end of the transaction.
    await sql`select 1`.execute(tx).catch(() => undefined)
  }
}

export async function mutedSettings(database: Database, storeHash: string): Promise<KnownMuted[]> {
  const { rows } = await sql<KnownMuted>`
    select setting, original, ours, organisation_id as "organisationId", run_id as "runId", told_at is not null as reported
    from muted_settings
    where platform = 'BC' and store_hash = ${storeHash} order by setting`.execute(database)
  return rows
}

/** Committed before the setting is changed, so that a process that dies in between leaves a row to find. */
export async function saveMuted(
  database: Database,
  { organisationId, destinationStoreId }: StorePair,
  of: { storeHash: string; runId: string },
  { setting, original, ours }: MutedSetting,
): Promise<void> {
  await sql`
    insert into muted_settings (platform, store_hash, setting, organisation_id, destination_store_id, run_id, original, ours)
    values ('BC', ${of.storeHash}, ${setting}, ${organisationId}, ${destinationStoreId}, ${of.runId},
      ${JSON.stringify(original)}::jsonb, ${JSON.stringify(ours)}::jsonb)
    on conflict (platform, store_hash, setting) do update set
      original = excluded.original, ours = excluded.ours, organisation_id = excluded.organisation_id,
      destination_store_id = excluded.destination_store_id, run_id = excluded.run_id, told_at = null`.execute(database)
}

export async function endMuted(database: Database, storeHash: string, setting: string): Promise<void> {
  await sql`
    delete from muted_settings where platform = 'BC' and store_hash = ${storeHash} and setting = ${setting}`.execute(
    database,
  )
}

/** Stores with settings still off that no run writes to; no other host tries for a minute. */
export async function takeLeftMuted(database: Database, limit: number): Promise<LeftMuted[]> {
  const { rows } = await sql<LeftMuted>`
    with stores_left as (
      select distinct store_hash from muted_settings muted
      where ${unheld} and ${connected} and tried_at < now() - ${triedAgainAfter} order by store_hash limit ${limit}),
    taken as (
      update muted_settings muted set tried_at = now() from stores_left
      where muted.store_hash = stores_left.store_hash
      returning muted.organisation_id, muted.store_hash, muted.run_id)
    select distinct on (store_hash) organisation_id as "organisationId", store_hash as "destinationHash",
      run_id as "runId" from taken order by store_hash`.execute(database)
  return rows
}

/** The last check before anything is put back: a run may have begun since. */
export async function isLeftMuted(database: Database, storeHash: string): Promise<boolean> {
  const { rows } = await sql`select from muted_settings muted where store_hash = ${storeHash} and ${unheld}`.execute(
    database,
  )
  return rows.length > 0
}

/** Unreported settings that have been off for 15 minutes, or for ever because their store was disconnected. */
export async function takeOverdueMuted(tx: InTransaction): Promise<OverdueMuted[]> {
  const { rows } = await sql<OverdueMuted>`
    with taken as (
      update muted_settings muted set told_at = now()
      where told_at is null and ${unheld} and (not ${connected} or since < now() - ${overdueAfter}
        and exists (select from runs where runs.organisation_id = muted.organisation_id and runs.id = muted.run_id
          and coalesce(runs.finished_at, runs.updated_at) < now() - ${overdueAfter}))
      returning organisation_id, store_hash, run_id, setting, ${connected} as connected)
    select organisation_id as "organisationId", store_hash as "destinationHash", run_id as "runId",
      array_agg(setting order by setting) as settings, bool_and(connected) as connected
    from taken group by organisation_id, store_hash, run_id`.execute(tx)
  return rows
}
