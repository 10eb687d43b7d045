import { type RawBuilder, sql } from 'kysely'
import type { InTransaction } from '../core/database.ts'

/** A table with rows of organisations, by the column that says whose they are. */
export interface OrganisationTable {
  name: string
  by: 'organisation_id' | 'run_id'
}

/**
 * Read from the catalog, so that no table can be forgotten: every table that names an organisation or a run. A test lists
 * the others, and with them what they may contain.
 */
export async function listOrganisationTables(tx: InTransaction): Promise<OrganisationTable[]> {
  const { rows } = await sql<OrganisationTable>`
    select table_name as name, min(column_name) as by from information_schema.columns
      join information_schema.tables using (table_schema, table_name)
    where table_schema = current_schema() and table_type = 'BASE TABLE' and column_name in ('organisation_id', 'run_id')
    group by table_name order by table_name`.execute(tx)
  return rows
}

/** The condition for an organisation's rows. */
export function rowsOf(organisationId: string, { by }: OrganisationTable): RawBuilder<unknown> {
  return by === 'organisation_id'
    ? sql`organisation_id = ${organisationId}`
    : sql`run_id in (select id from runs where organisation_id = ${organisationId})`
}
