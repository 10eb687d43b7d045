import { sql } from 'kysely'
import type { Columns, OrNull, Renamed } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

export type OrganisationRow = Columns<'organisations', 'id' | 'name' | 'storeMigrationEnabled'>

/** @returns whether it was created; false when the name key is taken. */
export async function insertOrganisation(
  database: Database | InTransaction,
  organisation: { id: string; name: string; nameKey: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into organisations (id, name, name_key)
    values (${organisation.id}, ${organisation.name}, ${organisation.nameKey})
    on conflict (name_key) do nothing
    returning id`.execute(database)
  return rows.length === 1
}

export async function findOrganisationByNameKey(
  database: Database | InTransaction,
  nameKey: string,
): Promise<OrganisationRow | undefined> {
  const { rows } = await sql<OrganisationRow>`
    select id, name, store_migration_enabled as "storeMigrationEnabled"
    from organisations where name_key = ${nameKey}`.execute(database)
  return rows[0]
}

export async function findOrganisationById(
  database: Database | InTransaction,
  id: string,
): Promise<OrganisationRow | undefined> {
  const { rows } = await sql<OrganisationRow>`
    select id, name, store_migration_enabled as "storeMigrationEnabled" from organisations where id = ${id}`.execute(
    database,
  )
  return rows[0]
}

/**
 * Keeps an organisation from being erased until the transaction ends, and waits for an erasure that has begun.
 *
 * @returns whether there still is such an organisation
 */
export async function keepOrganisation(database: InTransaction, id: string): Promise<boolean> {
  const { rows } = await sql`select 1 from organisations where id = ${id} for share`.execute(database)
  return rows.length > 0
}

/** Waits for writes that members have already begun. @returns whether it was enabled before. */
export async function disableStoreMigration(database: InTransaction, organisationId: string): Promise<boolean> {
  const { rows } = await sql`
    update organisations set store_migration_enabled = false
    where id = ${organisationId} and store_migration_enabled returning id`.execute(database)
  return rows.length === 1
}

export async function enableStoreMigration(database: InTransaction, organisationId: string): Promise<void> {
  await sql`update organisations set store_migration_enabled = true where id = ${organisationId}`.execute(database)
}

export type OrganisationOverview = OrganisationRow &
  Columns<'organisations', 'nameKey' | 'createdAt'> &
  OrNull<Columns<'api_credentials', 'clientId' | 'lastFour'>> &
  OrNull<Renamed<'api_credentials', { secretVersion: 'version'; credentialEnabled: 'enabled' }>> & { stores: number }

export interface OrganisationFilters {
  id?: string
  text?: string
  storeMigration?: 'enabled' | 'disabled'
}

/** Ordered by name, with the details administrators see. Covers all organisations: for administrators only. */
export async function listOrganisations(
  database: Database,
  { id, text, storeMigration }: OrganisationFilters,
  { after, limit }: { after: string | null; limit: number },
): Promise<OrganisationOverview[]> {
  const enabled = storeMigration === undefined ? null : storeMigration === 'enabled'
  const { rows } = await sql<OrganisationOverview>`
    select o.id, o.name, o.name_key as "nameKey", o.store_migration_enabled as "storeMigrationEnabled", o.created_at as "createdAt",
      (select count(*)::integer from stores s where s.organisation_id = o.id and s.disconnected_at is null) as stores,
      c.client_id as "clientId", c.last_four as "lastFour", c.version as "secretVersion", c.enabled as "credentialEnabled"
    from organisations o left join api_credentials c on c.organisation_id = o.id
    where (${id ?? null}::uuid is null or o.id = ${id ?? null})
      and (${after}::text is null or o.name_key > ${after})
      and (${enabled}::boolean is null or o.store_migration_enabled = ${enabled})
      and (${text ?? null}::text is null or position(${text ?? null} in o.name_key) > 0)
    order by o.name_key limit ${limit}`.execute(database)
  return rows
}
