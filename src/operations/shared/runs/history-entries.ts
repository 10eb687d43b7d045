import type { HistoryEntry } from '../../../contract/history.ts'
import type { Database } from '../../../db/core/database.ts'
import type { NamedHistoryRow } from '../../../db/reports/run-history.ts'
import { readRuns } from '../../../db/runs/run-readings.ts'
import { historyEntryOf, historyLineOf } from '../../../model/history-entry.ts'

/** Runs as the history lists them. For those that have ended, the entry comes from the snapshot (F3). */
export async function entriesOf(database: Database, runs: readonly NamedHistoryRow[]): Promise<HistoryEntry[]> {
  const others = await readRuns(
    database,
    runs.filter(({ line }) => line === null),
  )
  const lines = new Map(
    others.map(({ run, counts, failuresOpen }) => [run.id, historyLineOf(run, counts ?? [], failuresOpen)]),
  )
  return runs.flatMap((run) => {
    const line = run.line ?? lines.get(run.id)
    return line ? [historyEntryOf(run, line)] : []
  })
}
