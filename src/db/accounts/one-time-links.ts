import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import type { Tables } from '../core/tables.ts'

export type LinkPurpose = Tables['one_time_links']['purpose']

/** Hosts that start at once, and people who click at once, wait for each other here; next to the lock of `migrate`. */
const firstAdministratorLock = 7_302_003

/** Held until the transaction ends: there is one first administrator, however many links were printed. */
export async function lockFirstAdministrator(database: InTransaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(${firstAdministratorLock})`.execute(database)
}

export async function insertLink(
  database: Database | InTransaction,
  link: { tokenHash: Buffer; purpose: LinkPurpose; userId: string | null; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into one_time_links (token_hash, purpose, user_id, expires_at)
    values (${link.tokenHash}, ${link.purpose}, ${link.userId}, ${link.expiresAt})`.execute(database)
}

/** Before work is done for whoever holds one. */
export async function linkCounts(
  database: Database,
  link: { tokenHash: Buffer; purpose: LinkPurpose; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from one_time_links
    where token_hash = ${link.tokenHash} and purpose = ${link.purpose} and expires_at > ${link.at}`.execute(database)
  return rows.length === 1
}

/** Consumes a link, and forgets those that expired. @returns undefined when it never was, was used, or is too old. */
export async function takeLink(
  database: InTransaction,
  link: { tokenHash: Buffer; purpose: LinkPurpose; at: Date },
): Promise<Columns<'one_time_links', 'userId'> | undefined> {
  await sql`delete from one_time_links where expires_at <= ${link.at}`.execute(database)
  const { rows } = await sql<Columns<'one_time_links', 'userId'>>`
    delete from one_time_links where token_hash = ${link.tokenHash} and purpose = ${link.purpose}
    returning user_id as "userId"`.execute(database)
  return rows[0]
}

/** A new link takes the place of those that were made before. */
export async function deleteLinksOfUser(database: InTransaction, userId: string): Promise<void> {
  await sql`delete from one_time_links where user_id = ${userId}`.execute(database)
}
