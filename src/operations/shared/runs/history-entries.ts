import type { HistoryEntry } from '../../../contract/history.ts'
import { isLive } from '../../../contract/status.ts'
import type { Database } from '../../../db/core/database.ts'
import type { HistoryRow } from '../../../db/reports/run-history.ts'
import { countOpenFailures, listCounts, type RunRow } from '../../../db/runs/runs.ts'
import { listHistoryLines } from '../../../db/runs/snapshots.ts'
import { type HistoryLine, historyEntryOf, historyLineOf } from '../../../model/history-entry.ts'

/** Runs as the history lists them. For those that have ended, the entry comes from the snapshot (F3). */
export async function entriesOf(
  database: Database,
  runs: (RunRow & Pick<HistoryRow, 'createdByName' | 'workedSoFarMs'>)[],
): Promise<HistoryEntry[]> {
  const ended = runs.filter(({ status }) => !isLive(status))
  const lines = await listHistoryLines(
    database,
    ended.map(({ id }) => id),
  )
  for (const [id, line] of await readLines(
    database,
    runs.filter(({ id }) => !lines.has(id)),
  ))
    lines.set(id, line)
  return runs.flatMap((run) => {
    const line = lines.get(run.id)
    return line ? [historyEntryOf(run, line)] : []
  })
}

async function readLines(database: Database, runs: RunRow[]): Promise<Map<string, HistoryLine>> {
  if (runs.length === 0) return new Map()
  const ids = runs.map(({ id }) => id)
  const [counts, failures] = await Promise.all([listCounts(database, ids), countOpenFailures(database, ids)])
  return new Map(runs.map((run) => [run.id, historyLineOf(run, counts.get(run.id) ?? [], failures.get(run.id) ?? 0)]))
}
