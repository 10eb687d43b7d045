import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

export type DeletionToWrite = Columns<'deletions', 'phase' | 'component' | 'destinationId' | 'parentId' | 'reason'> & {
  item: { name: string | null; sku: string | null; path: string | null }
}

interface RunOf {
  id: string
  organisationId: string
}

/** Forgets what an earlier attempt planned and did not do; the set is found anew. */
export async function forgetPlannedDeletions(tx: InTransaction, run: RunOf): Promise<void> {
  await sql`
    delete from deletions where organisation_id = ${run.organisationId} and run_id = ${run.id} and state <> 'deleted'`.execute(
    tx,
  )
}

/** Plans deletions, or records what is kept. What was deleted before stays so. */
export async function saveDeletions(
  tx: InTransaction,
  run: RunOf,
  deletions: DeletionToWrite[],
  state: 'planned' | 'kept',
): Promise<void> {
  if (deletions.length === 0) return
  await sql`
    insert into deletions (organisation_id, run_id, phase, component, destination_id, parent_id, item, reason, state)
    select ${run.organisationId}, ${run.id}, d."phase", d."component", d."destinationId", d."parentId", d."item", d."reason",
      ${state}
    from jsonb_to_recordset(${JSON.stringify(deletions)}::jsonb) as d("phase" text, "component" text, "destinationId" text,
      "parentId" text, "item" jsonb, "reason" text)
    on conflict (run_id, component, destination_id) do nothing`.execute(tx)
}

export async function settleDeletions(
  tx: InTransaction,
  run: RunOf,
  component: string,
  destinationIds: string[],
  state: 'deleted' | 'kept',
): Promise<void> {
  await sql`
    update deletions set state = ${state}, at = now()
    where organisation_id = ${run.organisationId} and run_id = ${run.id} and component = ${component}
      and destination_id = any(${destinationIds})`.execute(tx)
}

export type DeletionRow = Columns<
  'deletions',
  'id' | 'phase' | 'component' | 'destinationId' | 'parentId' | 'item' | 'reason' | 'state' | 'at'
>

/** In the order of the plan, the page after the deletion `after`. */
export async function listDeletions(
  database: Database,
  run: { organisationId: string; runId: string },
  { component, state }: { component?: string | undefined; state?: string | undefined },
  page: { after: string | null; limit: number },
): Promise<DeletionRow[]> {
  const { rows } = await sql<DeletionRow>`
    select id, phase, component, destination_id as "destinationId", parent_id as "parentId", item, reason, state, at
    from deletions
    where organisation_id = ${run.organisationId} and run_id = ${run.runId}
      and (${page.after}::bigint is null or id > ${page.after}::bigint)
      and (${component ?? null}::text is null or component = ${component ?? null})
      and (${state ?? null}::text is null or state = ${state ?? null})
    order by id limit ${page.limit}`.execute(database)
  return rows
}
