import { z } from 'zod'
import { type HistoryEntry, historyPage, listMigrationsInput } from '../../contract/history.ts'
import type { Database } from '../../db/core/database.ts'
import { type HistoryRow, listRuns } from '../../db/reports/run-history.ts'
import { countOpenFailures, listCounts } from '../../db/runs/runs.ts'
import { historyEntryOf } from '../../model/history-entry.ts'
import type { ComponentCount } from '../../model/run-facts.ts'
import { endPage, openCursor } from '../shared/list-cursor.ts'
import { defineOperation } from '../shared/operation.ts'

const position = z.strictObject({ rank: z.int(), id: z.string() })

export const listMigrations = defineOperation({
  name: 'list-migrations',
  summary: 'The history of the organisation, newest first by default.',
  input: listMigrationsInput,
  output: historyPage,
  async run({ limit, cursor, sort, ...filters }, { organisationId }, { database, keyring }) {
    const cursorScope = { list: 'migrations', organisationId, filters: { ...filters, sort } }
    const after = openCursor(keyring, cursorScope, position, cursor)
    // One more row than requested shows whether there is another page.
    const rows = await listRuns(database, organisationId, filters, { after, limit: limit + 1, sort })
    const { shown, nextCursor } = endPage(keyring, cursorScope, rows, {
      limit,
      positionOf: ({ rank, id }) => ({ rank, id }),
    })
    return { items: await entriesOf(database, shown), nextCursor }
  },
})

export async function entriesOf(database: Database, runs: HistoryRow[]): Promise<HistoryEntry[]> {
  const ids = runs.map(({ id }) => id)
  const [counts, failures] = await Promise.all([listCounts(database, ids), countOpenFailures(database, ids)])
  const none: ComponentCount[] = []
  return runs.map((run) => historyEntryOf(run, counts.get(run.id) ?? none, failures.get(run.id) ?? 0))
}
