import type { HistoryEntry } from '../../../contract/history.ts'
import type { Database } from '../../../db/core/database.ts'
import type { NamedHistoryRow } from '../../../db/reports/run-history.ts'
import { readRuns } from '../../../db/runs/run-readings.ts'
import { historyEntryText, historyLineOf } from '../../../model/history-entry.ts'

/** Runs as the history lists them. */
export async function entriesOf(database: Database, runs: readonly NamedHistoryRow[]): Promise<HistoryEntry[]> {
  return (await entryTextsOf(database, runs)).map((text) => JSON.parse(text) as HistoryEntry)
}

/** The same, each as JSON. For runs that have ended, the entry comes from the snapshot (F3). */
export async function entryTextsOf(database: Database, runs: readonly NamedHistoryRow[]): Promise<string[]> {
  const others = await readRuns(
    database,
    runs.filter(({ line }) => line === null),
  )
  const lines = new Map(
    others.map(({ run, counts, failuresOpen }) => [
      run.id,
      JSON.stringify(historyLineOf(run, counts ?? [], failuresOpen)),
    ]),
  )
  return runs.flatMap((run) => {
    const line = run.line ?? lines.get(run.id)
    return line ? [historyEntryText(run, line)] : []
  })
}
