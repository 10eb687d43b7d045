import type { HistoryEntry } from '../contract/history.ts'
import { timestampsOf } from './migration-detail.ts'
import { percentOf } from './progress.ts'
import { countersOf, phaseResults, sumOf } from './results.ts'
import type { ComponentCount, RunFacts } from './run-facts.ts'
import { summaryLine } from './summary-line.ts'

/** A run in the history, with the same numbers as its detail. */
export function historyEntryOf(
  run: RunFacts & {
    label: string | null
    createdBy: string | null
    createdByName: string | null
    percentReached: number
    workedSoFarMs: number
  },
  counts: readonly ComponentCount[],
  failuresOpen: number,
): HistoryEntry {
  const phases = phaseResults(run, counts)
  const percent = percentOf(run, counts, run.percentReached)
  return {
    requestId: run.id,
    label: run.label,
    source: run.source,
    destination: run.destination,
    mode: run.mode,
    conflictStrategy: run.conflictStrategy,
    status: run.status,
    selective: run.selective,
    counters: countersOf(counts),
    failuresOpen,
    timestamps: timestampsOf(run, counts),
    workedSeconds: Math.round(run.workedSoFarMs / 1000),
    summaryLine: summaryLine({ run, phases, failuresOpen, pruned: sumOf(counts).pruned, percent }),
    createdBy:
      run.createdBy !== null && run.createdByName !== null ? { id: run.createdBy, name: run.createdByName } : null,
  }
}
