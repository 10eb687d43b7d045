import { z } from 'zod'
import { actorOf } from '../../accounts/api-credentials.ts'
import type { Administrator } from '../../accounts/caller.ts'
import { allMigrationsInput, allMigrationsPage } from '../../contract/administration.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { listRunsOfAll, type RunOfAll } from '../../db/reports/run-history.ts'
import { countOpenFailures, listCounts } from '../../db/runs/runs.ts'
import { historyEntryOf } from '../../model/history-entry.ts'
import { endPage, openCursor } from '../shared/list-cursor.ts'
import { type Deps, defineOperation } from '../shared/operation.ts'
import { requireOrganisation } from '../shared/registered-organisation.ts'

type Input = z.infer<typeof allMigrationsInput>
type Page = z.infer<typeof allMigrationsPage>
const position = z.strictObject({ rank: z.int(), id: z.string() })

/** A read across organisations: runs without their items, and audited each time (S18). */
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
    return { items: await entriesOf(shown, deps), nextCursor }
  },
})

async function entriesOf(runs: RunOfAll[], { database }: Deps): Promise<Page['items']> {
  const ids = runs.map(({ id }) => id)
  const [counts, failures] = await Promise.all([listCounts(database, ids), countOpenFailures(database, ids)])
  return runs.map((run) => {
    const entryOf = historyEntryOf({ ...run, createdByName: null }, counts.get(run.id) ?? [], failures.get(run.id) ?? 0)
    const { createdBy: _, ...entry } = entryOf
    return { ...entry, organisation: { id: run.organisationId, name: run.organisationName } }
  })
}
