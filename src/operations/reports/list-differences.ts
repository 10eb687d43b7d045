import { z } from 'zod'
import { type Difference, differencePage, listDifferencesInput } from '../../contract/differences.ts'
import { type DifferenceRow, listDifferences as listDifferenceRows } from '../../db/reports/run-findings.ts'
import { findRun } from '../../db/runs/runs.ts'
import { orNotFound } from '../shared/find-migration.ts'
import { endPage, openCursor } from '../shared/list-cursor.ts'
import { defineOperation } from '../shared/operation.ts'
import { openRowId, sealRowId } from '../shared/row-ids.ts'
import { refuseUnknownParts } from '../shared/runs/known-parts.ts'
import { repairOf } from './repair-of.ts'

export const listDifferences = defineOperation({
  name: 'list-differences',
  summary: 'The differences that a verify run found, or what a dry run would do.',
  input: listDifferencesInput,
  output: differencePage,
  isLong: () => true,
  async run({ id, limit, cursor, ...filters }, { organisationId }, { database, keyring }) {
    const run = orNotFound(await findRun(database, organisationId, id), id)
    const ids = `differences of ${run.id}`
    const idOf = (row: DifferenceRow) => sealRowId(keyring, ids, row.id)
    const cursorScope = { list: ids, organisationId, filters }
    const last = openCursor(keyring, cursorScope, z.string(), cursor)
    const after = last === null ? null : (openRowId(keyring, ids, last) ?? null)
    const rows = await listDifferenceRows(database, { organisationId, runId: run.id }, filters, {
      after,
      limit: limit + 1,
    })
    if (rows.length === 0) refuseUnknownParts(filters, run.phases)
    const { shown, nextCursor } = endPage(keyring, cursorScope, rows, { limit, positionOf: idOf })
    return { items: shown.map((row) => ({ ...differenceOf(row), id: idOf(row) })), nextCursor }
  },
})

function differenceOf(row: DifferenceRow): Omit<Difference, 'id'> {
  const { name = null, sku = null, path = null } = row.item
  return {
    phase: row.phase,
    component: row.component,
    kind: row.kind,
    item: { sourceId: row.sourceId || null, name, sku, path },
    destinationId: row.destinationId || null,
    // Both keys are always present: a field that one store does not have is null there.
    fields: row.fields.map(({ path: field, source = null, destination = null, names }) => ({
      path: field,
      source,
      destination,
      ...(names && { names }),
    })),
    living: row.living,
    kept: row.kept,
    changedMeanwhile: row.changedMeanwhile,
    state: row.state,
    repairedBy: repairOf(row),
  }
}
