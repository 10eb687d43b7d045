import { z } from 'zod'
import { historyPage, listMigrationsInput } from '../../contract/history.ts'
import { listRuns } from '../../db/reports/run-history.ts'
import { endPage, openCursor } from '../shared/list-cursor.ts'
import { Answer, defineOperation, StoredJson } from '../shared/operation.ts'
import { entryTextsOf } from '../shared/runs/history-entries.ts'

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
    const items = await entryTextsOf(database, shown)
    return new Answer(new StoredJson(`{"items":[${items.join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`))
  },
})
