import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import { lockNumbers } from '../core/lock-numbers.ts'
import type { Tables } from '../core/tables.ts'

export type LinkPurpose = Tables['one_time_links']['purpose']

/** Locks until the transaction ends: several links may be printed, but only one may create the first administrator. */
export async function lockFirstAdministrator(database: InTransaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockNumbers.firstAdministrator})`.execute(database)
}

export async function insertLink(
  database: Database | InTransaction,
  link: Columns<'one_time_links', 'tokenHash' | 'purpose' | 'userId' | 'organisationId' | 'expiresAt'>,
): Promise<void> {
  const { tokenHash, purpose, userId, organisationId, expiresAt } = link
  await sql`
    insert into one_time_links (token_hash, purpose, user_id, organisation_id, expires_at)
    values (${tokenHash}, ${purpose}, ${userId}, ${organisationId}, ${expiresAt})`.execute(database)
}

/** A cheap check before the work that only a valid link justifies. */
export async function isLinkValid(
  database: Database,
  link: { tokenHash: Buffer; purpose: LinkPurpose; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from one_time_links
    where token_hash = ${link.tokenHash} and purpose = ${link.purpose} and expires_at > ${link.at}`.execute(database)
  return rows.length === 1
}

/** How many valid links of a kind a person has. */
export async function countLinks(
  database: InTransaction,
  { userId, purpose, at }: { userId: string; purpose: LinkPurpose; at: Date },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from one_time_links
    where user_id = ${userId} and purpose = ${purpose} and expires_at > ${at}`.execute(database)
  return rows[0]?.count ?? 0
}

/** The active person a link was made for. */
export async function findLinkUser(
  database: Database,
  link: { tokenHash: Buffer; purpose: LinkPurpose; at: Date },
): Promise<Columns<'users', 'id' | 'email'> | undefined> {
  const { rows } = await sql<Columns<'users', 'id' | 'email'>>`
    select person.id, person.email from one_time_links link join users person on person.id = link.user_id and person.active
    where link.token_hash = ${link.tokenHash} and link.purpose = ${link.purpose} and link.expires_at > ${link.at}`.execute(
    database,
  )
  return rows[0]
}

export type TakenLink = Columns<'one_time_links', 'userId' | 'organisationId'>

/**
 * Consumes a link, and deletes those that have expired, without those that another transaction is about to delete.
 * @returns undefined when it never existed, was used, or has expired.
 */
export async function takeLink(
  database: InTransaction,
  link: { tokenHash: Buffer; purpose: LinkPurpose; at: Date },
): Promise<TakenLink | undefined> {
  await sql`
    delete from one_time_links where token_hash in (
      select token_hash from one_time_links where expires_at <= ${link.at} for update skip locked)`.execute(database)
  const { rows } = await sql<TakenLink>`
    delete from one_time_links
    where token_hash = ${link.tokenHash} and purpose = ${link.purpose} and expires_at > ${link.at}
    returning user_id as "userId", organisation_id as "organisationId"`.execute(database)
  return rows[0]
}

/** A new link replaces earlier ones. */
export async function deleteLinksOfUser(database: InTransaction, userId: string): Promise<void> {
  await sql`delete from one_time_links where user_id = ${userId}`.execute(database)
}
