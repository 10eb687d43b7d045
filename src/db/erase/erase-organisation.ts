import { sql } from 'kysely'
import type { InTransaction } from '../core/database.ts'
import { lockPeopleOnlyHere } from './hold-organisation.ts'
import { listOrganisationTables, type OrganisationTable, rowsOf } from './organisation-tables.ts'

export interface OrganisationRows {
  /** Rows deleted, by table. */
  rows: Record<string, number>
  /** For the search index. */
  runIds: string[]
  /** Accounts of people who belonged to no other organisation. */
  people: number
}

/**
 * Deletes everything of an organisation, whose row the transaction has locked. Members of other organisations, too, and
 * administrators keep their accounts.
 */
export async function deleteOrganisation(tx: InTransaction, organisationId: string): Promise<OrganisationRows> {
  const rows: Record<string, number> = {}
  const counted = (table: string, deleted: { numAffectedRows?: bigint | undefined }) => {
    const count = Number(deleted.numAffectedRows ?? 0)
    if (count > 0) rows[table] = (rows[table] ?? 0) + count
  }
  const runIds = await idsOfRuns(tx, organisationId)
  const people = await lockPeopleOnlyHere(tx, organisationId)
  counted('queue', await deleteJobs(tx, runIds))
  counted('oauth_records', await deleteGrants(tx, organisationId, people))
  for (const [table, deleted] of await deleteOfShops(tx, organisationId)) counted(table, deleted)
  for (const table of inOrder(await listOrganisationTables(tx)))
    counted(
      table.name,
      await sql`delete from ${sql.table(table.name)} where ${rowsOf(organisationId, table)}`.execute(tx),
    )
  for (const [table, deleted] of await deletePeople(tx, people)) counted(table, deleted)
  counted('organisations', await sql`delete from organisations where id = ${organisationId}`.execute(tx))
  return { rows, runIds, people: people.length }
}

/** What refers to runs comes before them, and what refers to stores before these. */
function inOrder(tables: OrganisationTable[]): OrganisationTable[] {
  const last = ['runs', 'stores']
  const ofRuns = tables.filter(({ by }) => by === 'run_id')
  const others = tables.filter(({ by, name }) => by === 'organisation_id' && !last.includes(name))
  return [...ofRuns, ...others, ...last.flatMap((name) => tables.filter((table) => table.name === name))]
}

async function idsOfRuns(tx: InTransaction, organisationId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from runs where organisation_id = ${organisationId} order by id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Of the queue, which names runs only. Its schema exists once a worker has started. */
async function deleteJobs(tx: InTransaction, runIds: string[]) {
  const { rows } = await sql<{ found: boolean }>`select to_regclass('pgboss.job') is not null as found`.execute(tx)
  if (!rows[0]?.found) return {}
  return sql`delete from pgboss.job where data ->> 'runId' = any(${runIds})`.execute(tx)
}

/** Tokens and codes of what members allowed assistants to do here, and whatever the people who go have there. */
function deleteGrants(tx: InTransaction, organisationId: string, people: string[]) {
  return sql`
    with granted as (select grant_id from oauth_connections where organisation_id = ${organisationId})
    delete from oauth_records where grant_id in (select grant_id from granted)
      or (model = 'Grant' and id_hash in (select sha256(convert_to(grant_id, 'UTF8')) from granted))
      or payload ->> 'accountId' = any(${people})`.execute(tx)
}

/** What belongs to a shop, whatever organisation writes to it; kept where another organisation has connected it. */
async function deleteOfShops(tx: InTransaction, organisationId: string) {
  const deleted: [string, { numAffectedRows?: bigint | undefined }][] = []
  for (const table of ['quota_shares', 'used_up_windows', 'endpoint_slots', 'stock_before'])
    deleted.push([
      table,
      await sql`
        delete from ${sql.table(table)} of_shop using stores
        where stores.organisation_id = ${organisationId} and stores.platform = of_shop.platform
          and stores.hash = of_shop.store_hash and not exists (
            select from stores other where other.platform = stores.platform and other.hash = stores.hash
              and other.organisation_id <> ${organisationId})`.execute(tx),
    ])
  return deleted
}

async function deletePeople(tx: InTransaction, people: string[]) {
  const ofPeople = sql`= any(${people}::uuid[])`
  // What was recorded of them outside of any organisation, such as a changed name.
  const audit = await sql`
    delete from audit where organisation_id is null and (actor_user_id ${ofPeople} or details ->> 'userId' = any(${people}))`.execute(
    tx,
  )
  await sql`update audit set actor_user_id = null where actor_user_id ${ofPeople}`.execute(tx)
  const deleted: [string, { numAffectedRows?: bigint | undefined }][] = [['audit', audit]]
  for (const table of ['sessions', 'one_time_links', 'second_steps'])
    deleted.push([table, await sql`delete from ${sql.table(table)} where user_id ${ofPeople}`.execute(tx)])
  deleted.push(['users', await sql`delete from users where id ${ofPeople}`.execute(tx)])
  return deleted
}
