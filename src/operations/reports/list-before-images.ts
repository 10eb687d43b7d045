import { z } from 'zod'
import { beforeImagePage, listBeforeImagesInput } from '../../contract/before-images.ts'
import { type BeforeImageRow, listBeforeImageRows } from '../../db/ledger/before-image-pages.ts'
import { findRun } from '../../db/runs/runs.ts'
import { orNotFound } from '../shared/find-migration.ts'
import { endPage, openCursor } from '../shared/list-cursor.ts'
import { defineOperation } from '../shared/operation.ts'
import { refuseUnknownParts } from '../shared/runs/known-parts.ts'

const position = z.strictObject({
  component: z.string(),
  destinationId: z.string(),
  action: z.enum(['update', 'delete']),
})

/** Used to restore something by hand. Personal and secret data stay encrypted (S9). */
export const listBeforeImages = defineOperation({
  name: 'list-before-images',
  summary: 'What this migration overwrote or deleted at the destination, as it was before.',
  input: listBeforeImagesInput,
  output: beforeImagePage,
  isLong: () => true,
  async run({ id, limit, cursor, ...filters }, { organisationId }, { database, keyring }) {
    const run = orNotFound(await findRun(database, organisationId, id), id)
    const cursorScope = { list: `before-images of ${run.id}`, organisationId, filters }
    const after = openCursor(keyring, cursorScope, position, cursor)
    const rows = await listBeforeImageRows(database, run, filters, { after, limit: limit + 1 })
    if (rows.length === 0) refuseUnknownParts(filters, run.phases)
    const { shown, nextCursor } = endPage(keyring, cursorScope, rows, {
      limit,
      positionOf: ({ component, destinationId, action }) => ({ component, destinationId, action }),
    })
    return { items: shown.map(imageOf), nextCursor }
  },
})

function imageOf({ at, item, ...row }: BeforeImageRow) {
  const { name = null, sku = null, parent: parentName = null } = item ?? {}
  return { ...row, item: { name, sku, parentName }, at: at.toISOString() }
}
