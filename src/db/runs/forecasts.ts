import { sql } from 'kysely'
import type { Forecast } from '../../contract/migration.ts'
import { isLive } from '../../contract/status.ts'
import type { CallTotals } from '../../model/forecast/call-totals.ts'
import { compares } from '../../model/forecast/calls.ts'
import type { StoreLatencies } from '../../model/forecast/duration.ts'
import type { Price } from '../../model/forecast/forecast.ts'
import type { Scope } from '../../model/forecast/scope.ts'
import { keepOrganisation } from '../accounts/organisations.ts'
import type { Columns, Renamed } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import type { StorePair } from '../ledger/store-pair.ts'
import { saveBasis } from './plan-bases.ts'
import { writeSnapshot } from './snapshots.ts'

/**
 * Saves the forecast of a run; a second one changes nothing. The counts of the source become the expected counts of the
 * components, and a run that ended before its forecast arrived gets a new snapshot.
 *
 * @returns whether it was saved
 */
export async function saveForecast(
  tx: InTransaction,
  run: { organisationId: string; id: string },
  { forecast, calculatedSeconds, calls, basis, fallbackReason = null }: Price & { fallbackReason?: string | null },
): Promise<boolean> {
  // Before the run, as where its organisation is erased.
  await keepOrganisation(tx, run.organisationId)
  const priced = await sql<Columns<'runs', 'status' | 'mode'>>`
    update runs set forecast = ${JSON.stringify(forecast)}::json, tier = ${forecast.tier}, mem_mib = ${forecast.memMB},
      cpus = ${forecast.cpus}, fallback_reason = ${fallbackReason}
    where organisation_id = ${run.organisationId} and id = ${run.id} and forecast is null returning status, mode`.execute(
    tx,
  )
  if (!priced.rows[0]) return false
  const { status, mode } = priced.rows[0]
  await sql`
    insert into run_phase_times (run_id, phase, predicted_seconds, calculated_seconds)
    select ${run.id}, key, value::real, (${JSON.stringify(calculatedSeconds)}::jsonb ->> key)::real
    from jsonb_each_text(${JSON.stringify(forecast.etaBreakdown)}::jsonb)
    on conflict (run_id, phase) do update
      set predicted_seconds = excluded.predicted_seconds, calculated_seconds = excluded.calculated_seconds`.execute(tx)
  await predictCalls(tx, run.id, calls)
  if (mode === 'dry-run') await saveBasis(tx, run.id, basis)
  if (forecast.basis === 'forecast') await expect(tx, run.id, forecast.counts)
  if (!isLive(status)) await writeSnapshot(tx, run.organisationId, run.id)
  return true
}

/**
 * Replaces the forecast of a run that goes on with different work, such as a round of healing. Its memory stays the
 * same.
 */
export async function replaceForecast(
  tx: InTransaction,
  run: { organisationId: string; id: string },
  forecast: Forecast,
): Promise<void> {
  await sql`
    update runs set forecast = ${JSON.stringify(forecast)}::json
    where organisation_id = ${run.organisationId} and id = ${run.id}`.execute(tx)
}

async function predictCalls(tx: InTransaction, runId: string, calls: CallTotals): Promise<void> {
  const predicted = [
    { side: 'source', class: 'read', calls: Math.round(calls.sourceReads) },
    { side: 'destination', class: 'read', calls: Math.round(calls.destinationReads) },
    { side: 'destination', class: 'write', calls: Math.round(calls.writes) },
    { side: 'destination', class: 'heavy', calls: Math.round(calls.heavyWrites) },
  ]
  await sql`
    insert into run_calls (run_id, side, class, predicted)
    select ${runId}, p.side, p.class, p.calls
    from jsonb_to_recordset(${JSON.stringify(predicted)}::jsonb) as p(side text, class text, calls integer)
    on conflict (run_id, side, class) do update set predicted = excluded.predicted`.execute(tx)
}

async function expect(tx: InTransaction, runId: string, counts: Record<string, number>): Promise<void> {
  await sql`
    update run_counters set expected = counted.value::integer
    from jsonb_each_text(${JSON.stringify(counts)}::jsonb) counted
    where run_id = ${runId} and component = counted.key and expected is null`.execute(tx)
}

/** Runs without a forecast, because the process that calculated it died. Across organisations: for hosts only. */
export async function listUnpriced(
  database: Database,
  olderThanSeconds: number,
): Promise<Columns<'runs', 'organisationId' | 'id'>[]> {
  const found = await sql<Columns<'runs', 'organisationId' | 'id'>>`
    select organisation_id as "organisationId", id from runs
    where forecast is null and created_at < now() - ${olderThanSeconds} * interval '1 second'
      and status in ('queued', 'in_progress', 'paused')
    order by created_at limit 20`.execute(database)
  return found.rows
}

/** What earlier runs between two stores left of one component. */
export interface KnownPass {
  mapped: number
  /** How many of the mapped items have pending work that does not wait for a missing reference (C1). */
  owing: number
  /** How many of the mapped items lack the checksums that show changes (C2). */
  unsealed: number
  /** How many of the other mapped items may have children that the source does not have (G17). */
  withExtra: number
}

/** Mappings of the pair by component; a component without any is absent. */
export async function countMapped(database: Database, pair: StorePair): Promise<Map<string, KnownPass>> {
  const { rows } = await sql<KnownPass & Columns<'mapping_sets', 'component'>>`
    select component, count(*) as mapped,
      count(*) filter (where exists (select from unnest(owed) one where not starts_with(one, 'reference:'))) as owing,
      count(*) filter (where owed = '{}' and (draft_checksum is null or destination_checksum is null)) as unsealed,
      count(*) filter (where owed = '{}' and draft_checksum is not null and destination_checksum is not null
        and extra_children is distinct from false) as "withExtra"
    from mappings_of_pairs where organisation_id = ${pair.organisationId} and source_store_id = ${pair.sourceStoreId}
      and destination_store_id = ${pair.destinationStoreId}
    group by component`.execute(database)
  return new Map(rows.map(({ component, ...known }) => [component, known]))
}

const runsOfPair = (
  pair: Pick<StorePair, 'organisationId' | 'sourceStoreId' | 'destinationStoreId'>,
) => sql`organisation_id = ${pair.organisationId}
  and source_store_id = ${pair.sourceStoreId} and destination_store_id = ${pair.destinationStoreId}`

/** When the last run that wrote between these stores ended; later edits are not in the mappings. */
export async function lastCopiedAt(database: Database, pair: StorePair): Promise<Date | null> {
  const { rows } = await sql<Renamed<'runs', { at: 'finishedAt' }>>`
    select max(finished_at) as at from runs where ${runsOfPair(pair)} and mode = 'full'
      and status in ('completed', 'partial_completed')`.execute(database)
  return rows[0]?.at ?? null
}

/** Runs that currently use the quota of each shop, in all organisations (E4). */
export async function countRunsOnShops(database: Database, hashes: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<Renamed<'quota_shares', { hash: 'storeHash' }> & { runs: number }>`
    select store_hash as hash, count(*) as runs from quota_shares
    where store_hash = any(${hashes}) and expires_at > now() and starts_with(consumer, 'run ')
    group by store_hash`.execute(database)
  return new Map(rows.map(({ hash, runs }) => [hash, runs]))
}

/** Mean latencies of calls to these two stores in their latest runs; classes with too few calls are absent. */
export async function findLatencies(
  database: Database | InTransaction,
  pair: Pick<StorePair, 'organisationId' | 'sourceStoreId' | 'destinationStoreId'>,
): Promise<Partial<StoreLatencies>> {
  const { rows } = await sql<Columns<'run_calls', 'side' | 'class'> & { meanMs: number }>`
    select side, class, (sum(latency_ms) / sum(calls))::double precision as "meanMs"
    from run_calls where run_id in (
      select id from runs where ${runsOfPair(pair)} order by created_at desc limit 5)
    group by side, class having sum(calls) >= 20`.execute(database)
  const names: Record<string, keyof StoreLatencies> = {
    'source read': 'sourceRead',
    'destination read': 'destinationRead',
    'destination write': 'write',
    'destination heavy': 'heavy',
  }
  return Object.fromEntries(rows.map((row) => [names[`${row.side} ${row.class}`], Math.round(row.meanMs)]))
}

/** How many runs a correction is learned from, and how far it may change a forecast (decision 0009). */
const runsLearnedFrom = 5
const leastCorrection = 0.5
const mostCorrection = 2
/** A run with less work says more about its start than about the stores. */
const leastLearnedSeconds = 5

/**
 * Seconds that finished runs between these stores took per calculated second: the median of the latest ones with the
 * same mode and the same way of comparing existing items; 1 without any. Restarted runs are left out, because the work
 * of their first process is unknown.
 */
export async function findCorrection(
  database: Database,
  pair: StorePair,
  { mode, strategy }: Pick<Scope, 'mode' | 'strategy'>,
): Promise<number> {
  const { rows } = await sql<{ ratio: number }>`
    select sum(times.worked_seconds)::double precision / sum(times.calculated_seconds) as ratio
    from run_phase_times times join runs run on run.id = times.run_id
    where run.id in (
        select id from runs where ${runsOfPair(pair)} and mode = ${mode}
          and (conflict_strategy in ('update', 'replace')) = ${compares(strategy)} and status in ('completed', 'partial_completed')
          and not exists (select from restarts where restarts.run_id = runs.id)
        order by finished_at desc limit ${runsLearnedFrom})
      and times.finished_at is not null and times.calculated_seconds > 0
    group by run.id having sum(times.calculated_seconds) >= ${leastLearnedSeconds}
    order by ratio`.execute(database)
  const middle = rows[Math.floor(rows.length / 2)]?.ratio ?? 1
  return Math.min(mostCorrection, Math.max(leastCorrection, middle))
}
