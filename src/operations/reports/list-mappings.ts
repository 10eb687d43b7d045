import { z } from 'zod'
import { listMappingsInput, mappingPage } from '../../contract/mappings.ts'
import { listMappingRows } from '../../db/ledger/mapping-pages.ts'
import { findRun } from '../../db/runs/runs.ts'
import { orNotFound } from '../shared/find-migration.ts'
import { endPage, openCursor } from '../shared/list-cursor.ts'
import { defineOperation } from '../shared/operation.ts'
import { refuseUnknownParts } from '../shared/runs/known-parts.ts'

const position = z.strictObject({ scope: z.string(), component: z.string(), sourceId: z.string() })

/** Contains names of catalogue data only, because mappings have no names of people (S9). */
export const listMappings = defineOperation({
  name: 'list-mappings',
  summary: 'Which source item became which destination item, for the components of this migration.',
  input: listMappingsInput,
  output: mappingPage,
  isLong: () => true,
  async run({ id, limit, cursor, ...filters }, { organisationId }, { database, keyring }) {
    const run = orNotFound(await findRun(database, organisationId, id), id)
    const cursorScope = { list: `mappings of ${run.id}`, organisationId, filters }
    const after = openCursor(keyring, cursorScope, position, cursor)
    const inScope = run.phases.flatMap((phase) => phase.components.map(({ key }) => key))
    const components = inScope.filter((key) => filters.component === undefined || key === filters.component)
    const rows = await listMappingRows(database, run, { ...filters, components }, { after, limit: limit + 1 })
    if (rows.length === 0) refuseUnknownParts(filters, run.phases)
    const { shown, nextCursor } = endPage(keyring, cursorScope, rows, {
      limit,
      positionOf: ({ scope, component, sourceId }) => ({ scope, component, sourceId }),
    })
    return {
      items: shown.map(({ scope, name, sku, ...row }) => ({ ...row, storefronts: scope, item: { name, sku } })),
      nextCursor,
    }
  },
})
