import { z } from 'zod'
import { actorOf } from '../../accounts/api-credentials.ts'
import type { Administrator } from '../../accounts/caller.ts'
import { allMigrationsInput, allMigrationsPage } from '../../contract/accounts/administration.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import type { Database } from '../../db/core/database.ts'
import { listRunsOfAll, type RunOfAll } from '../../db/reports/run-history.ts'
import { endPage, openCursor } from '../shared/list-cursor.ts'
import { defineOperation } from '../shared/operation.ts'
import { requireOrganisation } from '../shared/registered-organisation.ts'
import { entriesOf } from '../shared/runs/history-entries.ts'

type Input = z.infer<typeof allMigrationsInput>
type Page = z.infer<typeof allMigrationsPage>
const position = z.strictObject({ rank: z.int(), id: z.string() })

/** Reads across organisations, so it returns runs without their items and is always audited (S18). */
export const listAllMigrations = defineOperation<Input, Page, Administrator>({
  name: 'list-all-migrations',
  summary: 'The migrations of all organisations, newest first by default; every call is audited.',
  input: allMigrationsInput,
  output: allMigrationsPage,
  async run({ limit, cursor, sort, organisation, ...given }, administrator, deps) {
    const { database, keyring, clock } = deps
    const named = organisation === undefined ? undefined : await requireOrganisation(database, organisation)
    const filters = { ...given, ...(named && { organisationId: named.id }) }
    const cursorScope = { list: 'all migrations', organisationId: '', filters: { ...filters, sort } }
    const after = openCursor(keyring, cursorScope, position, cursor)
    const entry = { action: 'migrations.read' as const, at: clock.now() }
    await recordAudit(database, { organisationId: named?.id ?? null, ...actorOf(administrator), ...entry })
    const rows = await listRunsOfAll(database, filters, { after, limit: limit + 1, sort })
    const { shown, nextCursor } = endPage(keyring, cursorScope, rows, {
      limit,
      positionOf: ({ rank, id }) => ({ rank, id }),
    })
    return { items: await withOrganisations(database, shown), nextCursor }
  },
})

async function withOrganisations(database: Database, runs: RunOfAll[]): Promise<Page['items']> {
  const entries = await entriesOf(
    database,
    runs.map((run) => ({ ...run, createdByName: null })),
  )
  const organisations = new Map(runs.map((run) => [run.id, { id: run.organisationId, name: run.organisationName }]))
  return entries.flatMap(({ createdBy: _, ...entry }) => {
    const organisation = organisations.get(entry.requestId)
    return organisation ? [{ ...entry, organisation }] : []
  })
}
