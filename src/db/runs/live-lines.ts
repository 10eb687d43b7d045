import { sql } from 'kysely'
import { isLive } from '../../contract/status.ts'
import { type HistoryLine, type LiveReading, liveLine } from '../../model/history-entry.ts'
import type { Database } from '../core/database.ts'
import { type AsText, momentsOf, type RunKey } from './run-readings.ts'
import { lineColumns, openFailures, runsWithStores } from './runs.ts'

/** The items of a component as in `totalsOf`: positions are in the order of the phases. */
const totalOfComponent = sql`greatest(discovered, case when run.mode <> 'counts'
  and position < (select min(position) from run_counters where run_id = run.id and phase = run.phase)
  then 0 else expected end)`

/** The sums over the components, which PostgreSQL makes in a fraction of the time that writing all of them takes. */
const sums = sql`(
  select coalesce(sum(discovered), 0) as discovered, coalesce(sum(created), 0) as created,
    coalesce(sum(updated), 0) as updated, coalesce(sum(matched), 0) as matched, coalesce(sum(skipped), 0) as skipped,
    coalesce(sum(failed), 0) as failed, coalesce(sum(cancelled), 0) as cancelled, coalesce(sum(pruned), 0) as pruned,
    coalesce(sum(warnings), 0) as warnings, coalesce(sum(exceptions), 0) as exceptions,
    coalesce(sum(${totalOfComponent}), 0) as total, max(progressed_at) as "progressedAt"
  from run_counters where run_id = run.id) sums`

/**
 * By id, what the history shows of those of these runs that have not ended. The subqueries hide how many there are, so
 * that PostgreSQL makes one plan for any number.
 */
export async function readLiveLines(database: Database, keys: readonly RunKey[]): Promise<Map<string, HistoryLine>> {
  if (keys.length === 0) return new Map()
  const ids = keys.map(({ id }) => id)
  const organisationIds = keys.map(({ organisationId }) => organisationId)
  const { rows } = await sql<{ line: AsText<LiveReading> & { id: string } }>`
    /* kept: live-lines */ select (select row_to_json(line) from (
      select ${lineColumns}, run.percent_reached as "percentReached", ${openFailures} as "failuresOpen", sums.*
      from ${sums}) line) as line
    from ${runsWithStores}
    where run.organisation_id = any(array(select unnest(${organisationIds}::uuid[])))
      and run.id = any(array(select unnest(${ids}::uuid[])))`.execute(database)
  const live = rows.filter(({ line }) => isLive(line.status))
  return new Map(live.map(({ line }) => [line.id, liveLine(readingOf(line))]))
}

function readingOf(line: AsText<LiveReading>): LiveReading {
  const progressedAt = line.progressedAt === null ? null : new Date(line.progressedAt)
  return { ...line, ...momentsOf(line), progressedAt }
}
