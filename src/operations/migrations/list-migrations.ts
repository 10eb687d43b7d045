import { z } from 'zod'
import { historyPage, listMigrationsInput } from '../../contract/history.ts'
import { listRuns } from '../../db/reports/run-history.ts'
import { endPage, openCursor } from '../shared/list-cursor.ts'
import { defineOperation } from '../shared/operation.ts'
import { entriesOf } from '../shared/runs/history-entries.ts'

const position = z.strictObject({ rank: z.int(), id: z.string() })

export const listMigrations = defineOperation({
  name: 'list-migrations',
  summary: 'The history of the organisation, newest first by default.',
  input: listMigrationsInput,
  output: historyPage,
  async run({ limit, cursor, sort, ...filters }, { organisationId }, { database, keyring }) {
    const cursorScope = { list: 'migrations', organisationId, filters: { ...filters, sort } }
    const after = openCursor(keyring, cursorScope, position, cursor)
    // One row more than requested tells whether there is another page.
    const rows = await listRuns(database, organisationId, filters, { after, limit: limit + 1, sort })
    const { shown, nextCursor } = endPage(keyring, cursorScope, rows, {
      limit,
      positionOf: ({ rank, id }) => ({ rank, id }),
    })
    return { items: await entriesOf(database, shown), nextCursor }
  },
})
