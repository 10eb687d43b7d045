import { sql } from 'kysely'
import type { LeftAtStore } from '../accounts/stores.ts'
import type { Columns } from '../core/columns.ts'
import type { InTransaction } from '../core/database.ts'

/**
 * Keeps everyone from changing anything of an organisation until the transaction ends: every write of a member waits for
 * its row, and no run is admitted.
 *
 * @returns runs that a process works on or is about to; undefined when there is no such organisation any more.
 */
export async function holdOrganisation(tx: InTransaction, organisationId: string): Promise<string[] | undefined> {
  const held = await sql`select id from organisations where id = ${organisationId} for update`.execute(tx)
  if (held.rows.length === 0) return undefined
  const { rows } = await sql<Columns<'runs', 'id'> & { active: boolean }>`
    select id, status in ('queued', 'in_progress') as active from runs
    where organisation_id = ${organisationId} order by created_at, id for update`.execute(tx)
  return rows.filter(({ active }) => active).map(({ id }) => id)
}

/** What migrations of the organisation have left to do or to put back at shops. */
export async function listSideEffects(tx: InTransaction, organisationId: string): Promise<LeftAtStore[]> {
  const { rows } = await sql<LeftAtStore>`
    select kind, count(*) as count, array_agg(store_hash order by store_hash) as subjects from side_effects
    where organisation_id = ${organisationId} group by kind order by kind`.execute(tx)
  return rows
}
