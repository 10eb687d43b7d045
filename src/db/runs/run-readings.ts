import { sql } from 'kysely'
import type { RunReading } from '../../model/migration-detail.ts'
import { sumOf, terminalItems } from '../../model/results.ts'
import type { ComponentCount, RunFacts, RunPhase } from '../../model/run-facts.ts'
import type { Database } from '../core/database.ts'
import type { StoredReading } from '../core/stored-types.ts'
import { factColumns, openFailures, type RunRow, rateWindowMs, runColumns, runsWithStores, workedMs } from './runs.ts'

/** A run with everything that its detail is computed from. */
export interface FoundRun<Run extends RunFacts = FactsRead> extends Omit<RunReading, 'run' | 'counts'> {
  run: Run
  /** Of every component in scope, in order; null if the engine has forgotten the run. */
  counts: ComponentCount[] | null
}

type FactsRead = RunFacts & Pick<RunRow, 'organisationId' | 'percentReached'>

/** What no number of a component is, in place of null. */
const none = -1

/** As the text of rows, `(0,12,-1)(1,0,3)`: PostgreSQL writes an array in twice the time, and JSON in three times. */
const countsOfRun = sql`(
  select string_agg(row(position, coalesce(expected, ${sql.lit(none)}), discovered, created, updated, matched, skipped, failed,
    cancelled, pruned, coalesce(errors, ${sql.lit(none)}), warnings, exceptions, widgets,
    coalesce((date_part('epoch', date_trunc('milliseconds', progressed_at)) * 1000)::bigint, ${sql.lit(none)}))::text, '')
  from run_counters where run_id = run.id)`

/** The counters of one component, in the order of the row above. */
type Counted = [
  position: number,
  expected: number,
  discovered: number,
  created: number,
  updated: number,
  matched: number,
  skipped: number,
  failed: number,
  cancelled: number,
  pruned: number,
  errors: number,
  warnings: number,
  exceptions: number,
  widgets: number,
  progressedMs: number,
]

/** In two parts, because whole items and children have an index each. A run that only plans deletions makes none. */
const deletionsLeft = sql`(case when run.conflict_strategy = 'replace' and run.mode = 'full' and run.finished_at is null then
  (select count(*) from deletions where run_id = run.id and root_id = '' and state = 'planned')
  + (select count(*) from deletions where run_id = run.id and root_id <> '' and state = 'planned') else 0 end)::integer`

const measures = sql`${countsOfRun} as counts, ${openFailures} as "failuresOpen", ${workedMs} as "workedSoFarMs",
  coalesce(greatest(0, extract(epoch from run.settles_until - now())), 0)::double precision as "settlingSeconds",
  ${deletionsLeft} as "deletionsLeft", run.progress_samples as samples`

interface Measures {
  /** The Counted of every component. */
  counts: string | null
  failuresOpen: number
  workedSoFarMs: number
  settlingSeconds: number
  deletionsLeft: number
  /** Oldest first. */
  samples: Sample[]
}

/** Terminal items after a working time in ms. */
type Sample = [ms: number, items: number]

/** All in one column: for each column of an answer, the driver takes longer to read its description than its value. */
const factsRead = sql`(select row_to_json(facts) from (
  select ${factColumns}, run.organisation_id as "organisationId", run.percent_reached as "percentReached", ${measures}) facts)`

/** JSON has turned moments into text. */
export type AsText<Read> = {
  [Name in keyof Read]: Date extends Read[Name] ? Exclude<Read[Name], Date> | string : Read[Name]
}

type FactsText = Measures & AsText<FactsRead>

export type RunKey = Pick<RunRow, 'organisationId' | 'id'>

/** Undefined when the organisation has no such run. */
export async function readFacts(database: Database, { organisationId, id }: RunKey): Promise<FoundRun | undefined> {
  const { rows } = await sql<{ facts: FactsText }>`
    /* kept: run-facts */ select ${factsRead} as facts from ${runsWithStores}
    where run.organisation_id = ${organisationId} and run.id = ${id}`.execute(database)
  return rows[0] && foundFacts(rows[0].facts)
}

/** The same with its whole row. */
export async function readOneRun(
  database: Database,
  { organisationId, id }: RunKey,
): Promise<FoundRun<RunRow> | undefined> {
  const { rows } = await sql<RunRow & Measures>`
    /* kept: run-reading */ select ${runColumns}, ${measures} from ${runsWithStores}
    where run.organisation_id = ${organisationId} and run.id = ${id}`.execute(database)
  return rows[0] && foundRun(rows[0])
}

function foundFacts(facts: FactsText): FoundRun {
  return foundRun({ ...facts, ...momentsOf(facts) })
}

type Moments = Pick<RunFacts, 'createdAt' | 'startedAt' | 'updatedAt' | 'lastProgressAt' | 'waitingSince'>

export function momentsOf(read: AsText<Moments>): Moments {
  const { createdAt, startedAt, updatedAt, lastProgressAt, waitingSince } = read
  return {
    createdAt: new Date(createdAt),
    startedAt: startedAt === null ? null : new Date(startedAt),
    updatedAt: new Date(updatedAt),
    lastProgressAt: new Date(lastProgressAt),
    waitingSince: waitingSince === null ? null : new Date(waitingSince),
  }
}

function foundRun<Run extends FactsRead>(row: Run & Measures): FoundRun<Run> {
  const { counts: written, failuresOpen, workedSoFarMs, settlingSeconds, deletionsLeft, samples } = row
  const counts = written === null ? null : countsOf(row.phases, countedIn(written))
  const items = terminalItems(sumOf(counts ?? []))
  return {
    run: row,
    counts,
    failuresOpen,
    pace: {
      ratePerSec: ratePerSecond([workedSoFarMs, items], samples),
      workedSeconds: workedSoFarMs / 1000,
      percentReached: row.percentReached,
      settlingSeconds,
      deletionsLeft,
    },
  }
}

function countedIn(rows: string): Counted[] {
  return JSON.parse(`[[${rows.slice(1, -1).replaceAll(')(', '],[')}]]`)
}

function unlessNone(number: number): number | null {
  return number === none ? null : number
}

/** The positions are those of the components in the phases, which are fixed when the run is created. */
function countsOf(phases: RunPhase[], rows: Counted[]): ComponentCount[] {
  const components = phases.flatMap((phase) =>
    phase.components.map(({ key }) => ({ phase: phase.key, component: key })),
  )
  const rowAt = new Map(rows.map((row) => [row[0], row]))
  return components.flatMap((component, position) => {
    const row = rowAt.get(position)
    return row ? [countOf(component, row)] : []
  })
}

function countOf({ phase, component }: Pick<ComponentCount, 'phase' | 'component'>, counted: Counted): ComponentCount {
  const [, expected, discovered, created, updated, matched, skipped, failed, cancelled, pruned, ...others] = counted
  const [errors, warnings, exceptions, widgets, progressedMs] = others
  return {
    phase,
    component,
    expected: unlessNone(expected),
    discovered,
    created,
    updated,
    matched,
    skipped,
    failed,
    cancelled,
    pruned,
    errors: unlessNone(errors),
    warnings,
    exceptions,
    widgets,
    progressedAt: progressedMs === none ? null : new Date(progressedMs),
  }
}

/** JSON turned its moment into text. */
export function withMoment(count: StoredReading['counts'][number]): ComponentCount {
  return { ...count, progressedAt: count.progressedAt === null ? null : new Date(count.progressedAt) }
}

/** The rate since the latest sample that is at least as old as the window; since the start if there is none. */
function ratePerSecond([ms, items]: Sample, samples: Sample[]): number {
  const [pastMs, pastItems] = samples.findLast(([sampledMs]) => sampledMs <= ms - rateWindowMs) ?? [0, 0]
  const seconds = (ms - pastMs) / 1000
  return seconds > 0 ? Math.max(0, items - pastItems) / seconds : 0
}
