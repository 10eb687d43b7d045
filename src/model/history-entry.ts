import type { HistoryEntry } from '../contract/history.ts'
import type { MigrationDetail } from '../contract/migration.ts'
import { timestampsOf } from './migration-detail.ts'
import { percentOf } from './progress.ts'
import { countersOf, phaseResults, sumOf } from './results.ts'
import type { ComponentCount, RunFacts } from './run-facts.ts'
import { summaryLine } from './summary-line.ts'

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

/** The line of a run without a snapshot, with the same numbers as the run's detail. */
export function historyLineOf(
  run: RunFacts & { percentReached: number },
  counts: readonly ComponentCount[],
  failuresOpen: number,
): HistoryLine {
  const phases = phaseResults(run, counts)
  const percent = percentOf(run, counts, run.percentReached)
  return {
    source: run.source,
    destination: run.destination,
    status: run.status,
    counters: countersOf(counts),
    failuresOpen,
    timestamps: timestampsOf(run, counts),
    summaryLine: summaryLine({ run, phases, counts, failuresOpen, pruned: sumOf(counts).pruned, percent }),
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
  /** A HistoryLine as JSON, or a StoredLine, which begins with its revision. */
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
  const rest = line.startsWith('{"revision":') ? line.slice(line.indexOf(',') + 1) : line.slice(1)
  return `${JSON.stringify(own).slice(0, -1)},${rest}`
}
