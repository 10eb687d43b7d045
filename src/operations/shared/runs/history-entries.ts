import type { HistoryEntry } from '../../../contract/history.ts'
import type { Database } from '../../../db/core/database.ts'
import type { NamedHistoryRow } from '../../../db/reports/run-history.ts'
import { readRuns } from '../../../db/runs/run-readings.ts'
import { historyEntryOf, historyLineOf, isTryingAgain } from '../../../model/history-entry.ts'

/** Runs as the history lists them. For those that have ended, the entry comes from the snapshot (F3). */
export async function entriesOf(database: Database, runs: readonly NamedHistoryRow[]): Promise<HistoryEntry[]> {
  const others = await readRuns(
    database,
    runs.filter(({ line }) => line === null),
  )
  const live = new Map(
    others.map(({ run, counts, failuresOpen }) => [
      run.id,
      { line: historyLineOf(run, counts ?? [], failuresOpen), tryingAgain: isTryingAgain(run) },
    ]),
  )
  return runs.flatMap((run) => {
    const one = run.line ? { line: run.line, tryingAgain: false } : live.get(run.id)
    return one ? [historyEntryOf(run, one.line, one.tryingAgain)] : []
  })
}
