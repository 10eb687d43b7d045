import type { HistoryEntry } from '../contract/history.ts'
import type { MigrationDetail } from '../contract/migration.ts'
import { timestampsOf } from './migration-detail.ts'
import { percentDone } from './progress.ts'
import { countersOf, type Tally, terminalItems } from './results.ts'
import type { ComponentCount, RunFacts } from './run-facts.ts'
import { type SummarisedRun, summaryLine } from './summary-line.ts'

/** The part of a detail that the history shows. */
export type HistoryLine = Pick<
  MigrationDetail,
  'source' | 'destination' | 'status' | 'counters' | 'failuresOpen' | 'timestamps' | 'summaryLine'
>

/** The line of a run, taken from its detail. */
export function lineFrom(detail: MigrationDetail): HistoryLine {
  const { source, destination, status, counters, failuresOpen, timestamps, summaryLine: summary } = detail
  return { source, destination, status, counters, failuresOpen, timestamps, summaryLine: summary }
}

/** A run that has not ended, with the sums over its components. */
export interface LiveReading
  extends Tally,
    Pick<ComponentCount, 'progressedAt'>,
    Pick<RunFacts, 'source' | 'destination' | 'mode' | 'createdAt' | 'startedAt' | 'updatedAt' | 'lastProgressAt'>,
    SummarisedRun {
  /** Items as in `totalsOf`. */
  total: number
  percentReached: number
  failuresOpen: number
}

/** The line of a run that has not ended, with the same numbers as its detail. */
export function liveLine(run: LiveReading): HistoryLine {
  const { source, destination, status, total, failed, failuresOpen, pruned } = run
  const percent = percentDone(terminalItems(run), total, run.percentReached)
  return {
    source,
    destination,
    status,
    counters: countersOf([run]),
    failuresOpen,
    timestamps: timestampsOf(run, [run]),
    summaryLine: summaryLine({ run, phases: [], counts: [], failed, failuresOpen, pruned, percent }),
  }
}

/** A run in the history, as JSON. The line is not parsed, because a page has many. */
export function historyEntryText(
  run: Pick<RunFacts, 'id' | 'mode' | 'conflictStrategy' | 'selective'> & {
    label: string | null
    createdBy: string | null
    createdByName: string | null
    workedSoFarMs: number
    tryingAgain: boolean
  },
  /** A HistoryLine as JSON, without its first brace. */
  line: string,
): string {
  const own: Omit<HistoryEntry, keyof HistoryLine> = {
    requestId: run.id,
    label: run.label,
    mode: run.mode,
    conflictStrategy: run.conflictStrategy,
    selective: run.selective,
    workedSeconds: Math.round(run.workedSoFarMs / 1000),
    tryingAgain: run.tryingAgain,
    createdBy:
      run.createdBy !== null && run.createdByName !== null ? { id: run.createdBy, name: run.createdByName } : null,
  }
  return `${JSON.stringify(own).slice(0, -1)},${line}`
}
