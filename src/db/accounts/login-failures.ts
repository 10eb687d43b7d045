import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

export type LoginFailure = Columns<'login_failures', 'address' | 'clientIdHash'>

/** Login attempts that count against the limit: failures, and in `open` those that are still being checked. */
export interface LoginTryCounts {
  fromAddress: number
  oldestFromAddress: Date | null
  openFromAddress: number
  withClient: number
  oldestWithClient: Date | null
  newestWithClient: Date | null
  openWithClient: number
}

/** Makes attempts from one address wait for each other, until the transaction ends (S34). */
export async function lockLoginAddress(database: InTransaction, address: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`logins from ${address}`}, 0))`.execute(database)
}

/** Attempts since the given time, from the address, and from that address with the same client id (S5). */
export async function countLoginTries(
  database: InTransaction,
  failure: LoginFailure,
  since: Date,
): Promise<LoginTryCounts> {
  const { rows } = await sql<LoginTryCounts>`
    select count(*) filter (where settled)::integer as "fromAddress",
      min(at) filter (where settled) as "oldestFromAddress",
      count(*) filter (where not settled)::integer as "openFromAddress",
      count(*) filter (where settled and same_client)::integer as "withClient",
      min(at) filter (where settled and same_client) as "oldestWithClient",
      max(at) filter (where settled and same_client) as "newestWithClient",
      count(*) filter (where not settled and same_client)::integer as "openWithClient"
    from (
      select at, settled, client_id_hash = ${failure.clientIdHash} as same_client
      from login_failures where address = ${failure.address} and at > ${since}
    ) tries`.execute(database)
  // An aggregate without "group by" always returns one row.
  return rows[0] as LoginTryCounts
}

/** Records an attempt before it is checked, and deletes those too old to count. @returns its id. */
export async function insertLoginTry(
  database: InTransaction,
  failure: LoginFailure & { at: Date },
  forgetBefore: Date,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with forgotten as (delete from login_failures where at <= ${forgetBefore})
    insert into login_failures (address, client_id_hash, at, settled)
    values (${failure.address}, ${failure.clientIdHash}, ${failure.at}, false)
    returning id`.execute(database)
  return (rows[0] as { id: string }).id
}

/** For an attempt that succeeded or was never checked. */
export async function deleteLoginTry(database: Database, id: string): Promise<void> {
  await sql`delete from login_failures where id = ${id}`.execute(database)
}

export async function settleLoginTry(database: InTransaction, id: string): Promise<void> {
  await sql`update login_failures set settled = true where id = ${id}`.execute(database)
}
