import { z } from 'zod'
import { type Deletion, deletionPage, listDeletionsInput } from '../../contract/deletions.ts'
import { type DeletionRow, listDeletions as listDeletionRows } from '../../db/ledger/deletions.ts'
import { findRun } from '../../db/runs/runs.ts'
import { componentOf } from '../../entities/registry.ts'
import { orNotFound } from '../shared/find-migration.ts'
import { endPage, openCursor } from '../shared/list-cursor.ts'
import { defineOperation } from '../shared/operation.ts'
import { openRowId, sealRowId } from '../shared/row-ids.ts'
import { refuseUnknownParts } from '../shared/runs/known-parts.ts'

export const listDeletions = defineOperation({
  name: 'list-deletions',
  summary: 'What a `replace` deletes: planned, deleted or kept, with the reason.',
  input: listDeletionsInput,
  output: deletionPage,
  isLong: () => true,
  async run({ id, limit, cursor, ...filters }, { organisationId }, { database, keyring }) {
    const run = orNotFound(await findRun(database, organisationId, id), id)
    const ids = `deletions of ${run.id}`
    const idOf = (row: DeletionRow) => sealRowId(keyring, ids, row.id)
    const cursorScope = { list: ids, organisationId, filters }
    const last = openCursor(keyring, cursorScope, z.string(), cursor)
    const after = last === null ? null : (openRowId(keyring, ids, last) ?? null)
    const page = { after, limit: limit + 1 }
    const rows = await listDeletionRows(database, { organisationId, runId: run.id }, filters, page)
    if (rows.length === 0) refuseUnknownParts(filters, run.phases)
    const { shown, nextCursor } = endPage(keyring, cursorScope, rows, { limit, positionOf: idOf })
    return { items: shown.map((row) => ({ ...deletionOf(row), id: idOf(row) })), nextCursor }
  },
})

function deletionOf({ id: _, component, item, parentId, at, ...row }: DeletionRow): Omit<Deletion, 'id'> {
  const { name = null, sku = null, path = null } = item
  return {
    ...row,
    component,
    label: componentOf(component).label,
    item: { name, sku, path },
    parentId: parentId || null,
    at: at.toISOString(),
  }
}
