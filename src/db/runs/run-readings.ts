import { sql } from 'kysely'
import type { RunReading } from '../../model/migration-detail.ts'
import type { ComponentCount } from '../../model/run-facts.ts'
import type { Database } from '../core/database.ts'
import type { StoredReading } from '../core/stored-types.ts'
import { openFailures, type RunRow, rateWindowMs, runColumns, runsWithStores, terminalItems, workedMs } from './runs.ts'

/** A run with everything that its detail is computed from. */
export interface FoundRun extends Omit<RunReading, 'run' | 'counts'> {
  run: RunRow
  /** Of every component in scope, in order; null if the engine has forgotten the run. */
  counts: ComponentCount[] | null
}

/** In the order of the request. Writing whole rows as JSON takes PostgreSQL less time than one value after another. */
const countsOfRun = sql`(
  select json_agg(count) from (
    select phase, component, expected, discovered, created, updated, matched, skipped, failed, cancelled, pruned, errors,
      warnings, exceptions, widgets, progressed_at as "progressedAt"
    from run_counters where run_id = run.id order by position) count)`

const readColumns = sql`${runColumns}, ${countsOfRun} as counts, ${openFailures} as "failuresOpen",
  ${workedMs} as "workedSoFarMs", ${terminalItems}::bigint as "terminalItems",
  coalesce(greatest(0, extract(epoch from run.settles_until - now())), 0)::double precision as "settlingSeconds",
  (select sample from jsonb_array_elements(run.progress_samples) sample
    where (sample ->> 0)::bigint <= ${workedMs} - ${rateWindowMs}::bigint
    order by (sample ->> 0)::bigint desc limit 1) as past`

interface ReadRow extends RunRow {
  counts: StoredReading['counts'] | null
  failuresOpen: number
  workedSoFarMs: number
  terminalItems: number
  settlingSeconds: number
  /** The latest sample that is at least as old as the window: working time in ms, and terminal items. */
  past: [number, number] | null
}

type RunKey = Pick<RunRow, 'organisationId' | 'id'>

/** Runs as their rows say, whatever their status; one statement. Those that are not of their organisation are absent. */
export async function readRuns(database: Database, keys: readonly RunKey[]): Promise<FoundRun[]> {
  const [first, ...others] = keys
  if (!first) return []
  if (others.length === 0) return [await readOneRun(database, first)].filter((found) => found !== undefined)
  const ids = keys.map(({ id }) => id)
  const organisationIds = keys.map(({ organisationId }) => organisationId)
  const { rows } = await sql<ReadRow>`
    select ${readColumns} from ${runsWithStores}
    where (run.organisation_id, run.id) in (select * from unnest(${organisationIds}::uuid[], ${ids}::uuid[]))`.execute(
    database,
  )
  return rows.map(foundRun)
}

/** The same for one run. PostgreSQL would plan the statement for several anew each time, which takes longer than this. */
export async function readOneRun(database: Database, { organisationId, id }: RunKey): Promise<FoundRun | undefined> {
  const { rows } = await sql<ReadRow>`
    /* kept: run-reading */ select ${readColumns} from ${runsWithStores}
    where run.organisation_id = ${organisationId} and run.id = ${id}`.execute(database)
  return rows[0] && foundRun(rows[0])
}

function foundRun(row: ReadRow): FoundRun {
  const { counts, failuresOpen, workedSoFarMs, terminalItems: items, settlingSeconds, past, ...run } = row
  return {
    run,
    counts: counts?.map(withMoment) ?? null,
    failuresOpen,
    pace: {
      ratePerSec: ratePerSecond({ ms: workedSoFarMs, items }, past),
      workedSeconds: workedSoFarMs / 1000,
      percentReached: run.percentReached,
      settlingSeconds,
    },
  }
}

/** JSON turned its moment into text. */
export function withMoment(count: StoredReading['counts'][number]): ComponentCount {
  return { ...count, progressedAt: count.progressedAt === null ? null : new Date(count.progressedAt) }
}

/** The rate since the sample; since the start if the run is younger than any. */
function ratePerSecond(present: { ms: number; items: number }, past: ReadRow['past']): number {
  const [pastMs, pastItems] = past ?? [0, 0]
  const seconds = (present.ms - pastMs) / 1000
  return seconds > 0 ? Math.max(0, present.items - pastItems) / seconds : 0
}
