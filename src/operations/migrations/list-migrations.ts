import { z } from 'zod'
import { historyPage, listMigrationsInput } from '../../contract/history.ts'
import { knownHashes } from '../../db/accounts/stores.ts'
import type { Database } from '../../db/core/database.ts'
import { listRuns } from '../../db/reports/run-history.ts'
import { endPage, openCursor } from '../shared/list-cursor.ts'
import { Answer, defineOperation, StoredJson } from '../shared/operation.ts'
import { entryTextsOf } from '../shared/runs/history-entries.ts'
import { refuseIfAny } from '../shared/runs/run-scope.ts'

const position = z.strictObject({ rank: z.int(), id: z.string() })

export const listMigrations = defineOperation({
  name: 'list-migrations',
  summary: 'The history of the organisation, newest first by default.',
  input: listMigrationsInput,
  output: historyPage,
  isLong: ({ text }) => text !== undefined,
  async run({ limit, cursor, sort, ...filters }, { organisationId }, { database, keyring }) {
    const cursorScope = { list: 'migrations', organisationId, filters: { ...filters, sort } }
    const after = openCursor(keyring, cursorScope, position, cursor)
    // One row more than requested tells whether there is another page.
    const rows = await listRuns(database, organisationId, filters, { after, limit: limit + 1, sort })
    if (rows.length === 0) await refuseUnknownStores(database, organisationId, filters)
    const { shown, nextCursor } = endPage(keyring, cursorScope, rows, {
      limit,
      positionOf: ({ rank, id }) => ({ rank, id }),
    })
    const items = await entryTextsOf(database, shown)
    return new Answer(new StoredJson(`{"items":[${items.join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`))
  },
})

type Named = Partial<Record<'store' | 'source' | 'destination', string | undefined>>

/** Under a misspelled hash, an empty list would say that nothing was copied. */
async function refuseUnknownStores(
  database: Database,
  organisationId: string,
  { store, source, destination }: Named,
): Promise<void> {
  const named = Object.entries({ store, source, destination }).flatMap(([field, hash]) =>
    hash ? [{ field, hash }] : [],
  )
  if (named.length === 0) return
  const known = await knownHashes(
    database,
    organisationId,
    named.map(({ hash }) => hash),
  )
  const unknown = named.filter(({ hash }) => !known.includes(hash))
  const message = 'Your organisation has never had this store; GET /v2/stores lists those that are connected.'
  refuseIfAny(Object.fromEntries(unknown.map(({ field }) => [field, [message]])))
}
