import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { InTransaction } from '../core/database.ts'

/** An item at one of an organisation's stores. */
export interface ItemAtStore {
  storeId: string
  id: string
}

/**
 * The same items at every store of the organisation, followed through its mappings in both directions.
 *
 * @param known must belong to stores of the organisation
 */
export async function itemsAtAllStores(
  tx: InTransaction,
  organisationId: string,
  component: string,
  known: ItemAtStore[],
): Promise<ItemAtStore[]> {
  if (known.length === 0) return []
  const { rows } = await sql<ItemAtStore>`
    with recursive same (store_id, id) as (
      select k."storeId", k."id" from jsonb_to_recordset(${JSON.stringify(known)}::jsonb) as k("storeId" uuid, "id" text)
      union
      select other.store_id, other.id from same cross join lateral (
        select destination_store_id, destination_id from mappings_of_pairs
        where organisation_id = ${organisationId} and component = ${component} and source_store_id = same.store_id
          and source_id = same.id
        union all
        select source_store_id, source_id from mappings_of_pairs
        where organisation_id = ${organisationId} and component = ${component} and destination_store_id = same.store_id
          and destination_id = same.id) as other (store_id, id))
    select store_id as "storeId", id from same order by store_id, id`.execute(tx)
  return rows
}

/** Mappings of these items: they stay, so that later runs recognise the items and create none of them again (G12). */
export async function countMappings(
  tx: InTransaction,
  organisationId: string,
  component: string,
  items: ItemAtStore[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from mappings_of_pairs m
    where m.organisation_id = ${organisationId} and m.component = ${component} and exists (
      select from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as k("storeId" uuid, "id" text)
      where (k."storeId", k."id") in ((m.source_store_id, m.source_id), (m.destination_store_id, m.destination_id)))`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

/** Hashes of an organisation's stores by their ids, disconnected ones included. */
export async function storeIds(tx: InTransaction, organisationId: string): Promise<Map<string, string>> {
  const { rows } = await sql<Columns<'stores', 'id' | 'hash'>>`
    select id, hash from stores where organisation_id = ${organisationId} order by hash`.execute(tx)
  return new Map(rows.map(({ id, hash }) => [id, hash]))
}

/** Whether someone with this address is a member of the organisation, was one, or has been invited. */
export async function hasAccount(tx: InTransaction, organisationId: string, emailKey: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from users person join memberships member on member.user_id = person.id
    where member.organisation_id = ${organisationId} and person.email_key = ${emailKey}
    union all
    select 1 from invitations where organisation_id = ${organisationId} and email_key = ${emailKey}`.execute(tx)
  return rows.length > 0
}
