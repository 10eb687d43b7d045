import { sql } from 'kysely'
import type { LeftAtStore } from '../accounts/stores.ts'
import type { Columns } from '../core/columns.ts'
import type { InTransaction } from '../core/database.ts'

/**
 * Keeps everyone from changing anything of an organisation until the transaction ends: every write of a member waits for
 * its row, and no run is admitted.
 *
 * Others lock a person, the credential, a webhook, a store or a run, and then write what refers to the organisation, for which they
 * lock its row. So that none of them waits for us while we wait for it, the row is locked twice: first in a way that
 * lets them finish, and fully once we hold all of these, in the order in which others lock them.
 *
 * @returns runs that a process works on or is about to; undefined when there is no such organisation any more.
 */
export async function holdOrganisation(tx: InTransaction, organisationId: string): Promise<string[] | undefined> {
  const held = await sql`select id from organisations where id = ${organisationId} for no key update`.execute(tx)
  if (held.rows.length === 0) return undefined
  await lockPeopleOnlyHere(tx, organisationId)
  await sql`select from api_credentials where organisation_id = ${organisationId} for no key update`.execute(tx)
  for (const table of ['webhooks', 'stores'])
    await sql`
      select from ${sql.table(table)} where organisation_id = ${organisationId} order by id for no key update`.execute(
      tx,
    )
  const { rows } = await sql<Columns<'runs', 'id'> & { active: boolean }>`
    select id, status in ('queued', 'in_progress') as active from runs
    where organisation_id = ${organisationId} order by id for no key update`.execute(tx)
  await sql`select from organisations where id = ${organisationId} for update`.execute(tx)
  return rows.filter(({ active }) => active).map(({ id }) => id)
}

/** Locked, so that none of them becomes a member elsewhere meanwhile. */
export async function lockPeopleOnlyHere(tx: InTransaction, organisationId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select person.id from users person join memberships member on member.user_id = person.id
    where member.organisation_id = ${organisationId} and not person.is_administrator and not exists (
      select from memberships elsewhere
      where elsewhere.user_id = person.id and elsewhere.organisation_id <> ${organisationId})
    order by person.id for no key update of person`.execute(tx)
  return rows.map(({ id }) => id)
}

/** What migrations of the organisation have left to do or to put back at shops. */
export async function listSideEffects(tx: InTransaction, organisationId: string): Promise<LeftAtStore[]> {
  const { rows } = await sql<LeftAtStore>`
    select kind, count(*) as count, array_agg(store_hash order by store_hash) as subjects from side_effects
    where organisation_id = ${organisationId} group by kind order by kind`.execute(tx)
  return rows
}
