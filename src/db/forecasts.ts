import { sql } from 'kysely'
import type { Forecast } from '../contract/migration.ts'
import { isLive, type MigrationStatus } from '../contract/status.ts'
import type { Latencies } from '../model/forecast.ts'
import type { Database, InTransaction } from './database.ts'
import { writeSnapshot } from './snapshots.ts'

/** Components that announce how many items they have: they are what a store counts, one for one. */
const announced = ['categories', 'brands', 'products']

/**
 * Gives a run its price, once; a second one changes nothing. What the source counted becomes what its components expect,
 * and a run that was faster than its forecast gets its snapshot again.
 */
export async function saveForecast(
  tx: InTransaction,
  run: { organisationId: string; id: string },
  forecast: Forecast,
): Promise<void> {
  const priced = await sql<{ status: MigrationStatus }>`
    update runs set forecast = ${JSON.stringify(forecast)}::jsonb, tier = ${forecast.tier}, mem_mib = ${forecast.memMB},
      cpus = ${forecast.cpus}
    where organisation_id = ${run.organisationId} and id = ${run.id} and forecast is null returning status`.execute(tx)
  const status = priced.rows[0]?.status
  if (status === undefined) return
  await sql`
    insert into run_phase_times (run_id, phase, predicted_seconds)
    select ${run.id}, key, value::real from jsonb_each_text(${JSON.stringify(forecast.etaBreakdown)}::jsonb)
    on conflict (run_id, phase) do update set predicted_seconds = excluded.predicted_seconds`.execute(tx)
  if (forecast.basis === 'forecast') await expect(tx, run.id, forecast.counts)
  if (!isLive(status)) await writeSnapshot(tx, run.organisationId, run.id)
}

async function expect(tx: InTransaction, runId: string, counts: Record<string, number>): Promise<void> {
  await sql`
    update run_counters set expected = counted.value::integer
    from jsonb_each_text(${JSON.stringify(counts)}::jsonb) counted
    where run_id = ${runId} and component = counted.key and component = any(${announced}::text[])
      and expected is null`.execute(tx)
}

/** Runs that still have no price, because the process that was asking died; across organisations, for hosts only. */
export async function listUnpriced(
  database: Database,
  olderThanSeconds: number,
): Promise<{ organisationId: string; id: string }[]> {
  const found = await sql<{ organisationId: string; id: string }>`
    select organisation_id as "organisationId", id from runs
    where forecast is null and created_at < now() - ${olderThanSeconds} * interval '1 second'
      and status in ('queued', 'in_progress', 'paused')
    order by created_at limit 20`.execute(database)
  return found.rows
}

/** What calls to this pair of stores took in its latest runs; undefined before there are enough of each class. */
export async function findLatencies(
  database: Database,
  pair: { organisationId: string; sourceStoreId: string; destinationStoreId: string },
): Promise<Latencies | undefined> {
  const found = await sql<{ class: keyof Latencies; meanMs: number }>`
    select class, (sum(latency_ms) / sum(calls))::double precision as "meanMs"
    from run_calls where run_id in (
      select id from runs where organisation_id = ${pair.organisationId}
        and source_store_id = ${pair.sourceStoreId} and destination_store_id = ${pair.destinationStoreId}
      order by created_at desc limit 5)
    group by class having sum(calls) >= 20`.execute(database)
  const means = new Map(found.rows.map((row) => [row.class, Math.round(row.meanMs)]))
  const [read, write, heavy] = [means.get('read'), means.get('write'), means.get('heavy')]
  if (read === undefined || write === undefined || heavy === undefined) return undefined
  return { read, write, heavy }
}
