import type { HistoryEntry } from '../../../contract/history.ts'
import type { Database } from '../../../db/core/database.ts'
import type { NamedHistoryRow } from '../../../db/reports/run-history.ts'
import { readLiveLines } from '../../../db/runs/live-lines.ts'
import { detailOf, findHead } from '../../../db/runs/snapshots.ts'
import { historyEntryText, lineFrom } from '../../../model/history-entry.ts'

/** Runs as the history lists them. */
export async function entriesOf(database: Database, runs: readonly NamedHistoryRow[]): Promise<HistoryEntry[]> {
  return (await entryTextsOf(database, runs)).map((text) => JSON.parse(text) as HistoryEntry)
}

/** The same, each as JSON. For runs that have ended, the entry comes from the snapshot (F3). */
export async function entryTextsOf(database: Database, runs: readonly NamedHistoryRow[]): Promise<string[]> {
  const stored = runs.map(storedLine)
  const others = runs.filter((_, at) => stored[at] === undefined)
  const lines = await readLiveLines(database, others)
  // Their lines are missing or out of date, or they have ended in the meantime.
  for (const { organisationId, id } of others.filter(({ id }) => !lines.has(id))) {
    const head = await findHead(database, organisationId, id)
    if (head) lines.set(id, lineFrom(await detailOf(database, head)))
  }
  return runs.flatMap((run, at) => {
    const line = stored[at] ?? lines.get(run.id)
    // One that was erased in the meantime is left out.
    if (line === undefined) return []
    return [historyEntryText(run, typeof line === 'string' ? line : JSON.stringify(line).slice(1))]
  })
}

/** What follows the revision. */
function storedLine({ line, revision }: NamedHistoryRow): string | undefined {
  const begin = `{"revision":${revision},`
  return line?.startsWith(begin) ? line.slice(begin.length) : undefined
}
