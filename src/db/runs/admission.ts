import { sql } from 'kysely'
import type { HostRoom, RunSize } from '../../model/forecast/capacity.ts'
import type { Columns, Renamed } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import { lockNumbers } from '../core/lock-numbers.ts'
import { isResting } from '../ledger/waiting.ts'
import { readHosts } from './worker-hosts.ts'

export type QueuedRun = Columns<'runs', 'id' | 'organisationId' | 'tier' | 'memMiB'> &
  Renamed<'stores', { sourceHash: 'hash'; destinationHash: 'hash' }> & { writes: boolean }

export interface Occupation {
  inProgressByTier: Map<string, number>
  inProgressByOrganisation: Map<string, number>
  /** Shops that an admitted run writes to. */
  destinations: Set<string>
  /** Shops that an admitted run reads from. */
  sources: Set<string>
  /** Live hosts and their runs. */
  hosts: HostRoom[]
  /** Admitted runs that no live host is working on right now. */
  unplaced: RunSize[]
  /** By organisation; a higher number is a later turn. */
  lastTurns: Map<string, number>
}

/** Only one admission is decided at a time, on whatever host (A1). */
export async function lockAdmission(tx: InTransaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockNumbers.admission})`.execute(tx)
}

const queuedColumns = sql`run.id, run.organisation_id as "organisationId", run.tier, run.mem_mib as "memMiB",
  run.mode = 'full' as writes, src.hash as "sourceHash", dst.hash as "destinationHash"`
const queuedWithStores = sql`runs run
  join stores src on src.id = run.source_store_id join stores dst on dst.id = run.destination_store_id
  join organisations org on org.id = run.organisation_id and org.store_migration_enabled`
/** The forecast decides how much memory a run gets. Even if its stores do not answer, it has one after 10 s. */
const isPriced = sql`(run.forecast is not null or run.created_at < now() - interval '15 seconds')`

export async function queuedRuns(tx: InTransaction): Promise<QueuedRun[]> {
  const { rows } = await sql<QueuedRun>`
    select ${queuedColumns} from ${queuedWithStores} where run.status = 'queued' and ${isPriced}
    order by run.created_at, run.id for update of run skip locked`.execute(tx)
  return rows
}

export type WaitingRun = QueuedRun &
  Columns<'runs', 'label' | 'mode'> &
  Renamed<'runs', { since: 'updatedAt' }> &
  Renamed<'stores', { sourceLabel: 'label'; destinationLabel: 'label' }> &
  Renamed<'organisations', { organisationName: 'name' }> & { priced: boolean }

/** Queued runs of all organisations in the order they were requested; only to look at, not to admit. */
export async function waitingRuns(tx: InTransaction): Promise<WaitingRun[]> {
  const { rows } = await sql<WaitingRun>`
    select ${queuedColumns}, run.label, run.mode, run.updated_at as since, src.label as "sourceLabel", dst.label as "destinationLabel",
      org.name as "organisationName", ${isPriced} as priced
    from ${queuedWithStores} where run.status = 'queued' order by run.created_at, run.id`.execute(tx)
  return rows
}

export async function occupation(tx: InTransaction): Promise<Occupation> {
  type Admitted = Columns<'runs', 'tier' | 'organisationId'> &
    Renamed<'stores', { source: 'hash' }> & { resting: boolean }
  const { rows } = await sql<Admitted>`
    select run.tier, run.organisation_id as "organisationId", src.hash as source, ${isResting(sql`run`)} as resting
    from runs run join stores src on src.id = run.source_store_id where run.status = 'in_progress'`.execute(tx)
  const working = rows.filter(({ resting }) => !resting)
  const leases = await sql<Columns<'destination_leases', 'storeHash'>>`
    select store_hash as "storeHash" from destination_leases`.execute(tx)
  return {
    inProgressByTier: countBy(working.map((row) => row.tier)),
    inProgressByOrganisation: countBy(working.map((row) => row.organisationId)),
    destinations: new Set(leases.rows.map((row) => row.storeHash)),
    sources: new Set(rows.map((row) => row.source)),
    ...(await readHosts(tx)),
    lastTurns: await lastTurns(tx),
  }
}

/** For organisations with queued runs. */
async function lastTurns(tx: InTransaction): Promise<Map<string, number>> {
  const { rows } = await sql<Columns<'admissions', 'organisationId' | 'turn'>>`
    select waiting.organisation_id as "organisationId", last.turn
    from (select distinct organisation_id from runs where status = 'queued') waiting cross join lateral (
      select turn from admissions where organisation_id = waiting.organisation_id order by turn desc limit 1) last`.execute(
    tx,
  )
  return new Map(rows.map(({ organisationId, turn }) => [organisationId, turn]))
}

function countBy(keys: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

export async function admitRun(tx: InTransaction, run: QueuedRun): Promise<void> {
  if (run.writes)
    await sql`insert into destination_leases (platform, store_hash, run_id) values ('BC', ${run.destinationHash}, ${run.id})`.execute(
      tx,
    )
  await sql`
    update runs set status = 'in_progress', started_at = coalesce(started_at, now()), admitted_at = now(), updated_at = now(),
      asked = 'none', attempts_without_progress = 0, failure_code = null, failure_message = null
    where id = ${run.id}`.execute(tx)
  await sql`insert into admissions (organisation_id, run_id) values (${run.organisationId}, ${run.id})`.execute(tx)
}

/**
 * Admitted runs without a job: it was lost, the one before was still active when it was sent, or the run was waiting
 * for a system that can now be tried again. A waiting run gets a job early only if a control was requested.
 */
export async function runsWithoutJob(tx: InTransaction | Database): Promise<string[]> {
  const { rows } = await sql<Columns<'runs', 'id'>>`
    select run.id from runs run
    where run.status = 'in_progress' and (run.asked <> 'none' or not ${isResting(sql`run`)}) and not exists (
      select 1 from pgboss.job as job
      where job.name = 'runs' and job.singleton_key = run.id::text and job.state in ('created', 'retry', 'active'))`.execute(
    tx,
  )
  return rows.map((row) => row.id)
}
