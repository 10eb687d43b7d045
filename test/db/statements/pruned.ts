import { sql } from 'kysely'
import { type Database, openDatabase } from '../../../src/db/core/database.ts'
import {
  countDeletions,
  countListed,
  type PlannedItem,
  plannedItems,
  plannedSet,
  saveDeletions,
  settleDeletions,
} from '../../../src/db/ledger/deletions.ts'
import { recordPruned } from '../../../src/db/ledger/ledger.ts'
import { forgetMappings } from '../../../src/db/ledger/mappings.ts'
import { candidatesAfter, findCandidates } from '../../../src/db/ledger/prune.ts'
import { inNewSet, type ManyRows } from './many-rows.ts'

/** Lists items of a component that the source does not have: every second one is the copy of one that is gone. */
export async function fillDoomed(url: string, many: ManyRows, component: string, count: number): Promise<void> {
  const { pair, runId } = many
  const items = `from generate_series(1, ${count}) n`
  const database = openDatabase(url, { connections: 1 })
  try {
    for (const statement of [
      'set session_replication_role = replica',
      `insert into destination_items (run_id, component, destination_id, body)
       select '${runId}', '${component}', n::text, '{"item": {"name": "x"}}' ${items}`,
      `insert into destination_keys (run_id, component, key, destination_id)
       select '${runId}', '${component}', kind || n, n::text ${items}, (values ('name:'), ('sku:')) kinds (kind)`,
      `${inNewSet(pair, component, 'run_id')}
       select id, 's' || n, n::text, 'created', '${runId}' from new_set, generate_series(1, ${count}) n where n % 2 = 0`,
      'vacuum (analyze)',
    ])
      await sql.raw(statement).execute(database)
  } finally {
    await database.destroy()
  }
}

/** Finds and records all deletions of a component as `replace` does, without the calls. @returns how many. */
export async function pruneAll(database: Database, many: ManyRows, component: string): Promise<number> {
  await findAll(database, many, component)
  await countDeletions(database, many.runId)
  await countListed(database, many.runId)
  for await (const _page of plannedSet(database, many.runId));
  let deleted = 0
  for (let after: { position: number; id: number } | null = null; ; ) {
    const page: PlannedItem[] = await plannedItems(
      database,
      many.runId,
      { pass: component, component },
      { after, limit: 50 },
    )
    const last = page.at(-1)
    if (!last) return deleted
    after = { position: last.position, id: last.id }
    await recordDeleted(database, many, component, page)
    deleted += page.length
  }
}

async function findAll(database: Database, { pair, runId }: ManyRows, component: string): Promise<void> {
  const run = { id: runId, organisationId: pair.organisationId }
  await findCandidates(database, pair, { runId, scope: 'store', component })
  for (let after = ''; ; ) {
    const found = await candidatesAfter(database, { runId, component, after, limit: 500 })
    const last = found.at(-1)
    if (!last) return
    after = last.destinationId
    const deletions = found.map(({ destinationId, sourceId }) => ({
      phase: component,
      component,
      destinationId,
      parentId: '',
      parentName: null,
      item: { name: 'x', sku: null, path: null },
      reason: sourceId === null ? ('destination_only' as const) : ('source_deleted' as const),
      sourceId,
      above: null,
    }))
    await database.transaction().execute((tx) => saveDeletions(tx, run, component, deletions, 'planned'))
  }
}

async function recordDeleted(
  database: Database,
  { pair, runId }: ManyRows,
  component: string,
  page: PlannedItem[],
): Promise<void> {
  const run = { id: runId, organisationId: pair.organisationId }
  const ids = page.map(({ destinationId }) => destinationId)
  const copies = page.flatMap(({ sourceId }) => (sourceId === null ? [] : [{ scope: 'store', component, sourceId }]))
  await database.transaction().execute(async (tx) => {
    await forgetMappings(tx, pair, copies)
    await settleDeletions(tx, run, component, ids, 'deleted')
    await recordPruned(
      tx,
      runId,
      { pass: component, rootId: '' },
      ids.map((destinationId) => ({ component, destinationId })),
    )
  })
}
