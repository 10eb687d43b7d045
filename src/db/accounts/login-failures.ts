import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database } from '../core/database.ts'

export type LoginFailure = Columns<'login_failures', 'address' | 'clientIdHash'>

export interface LoginFailureCounts {
  fromAddress: number
  oldestFromAddress: Date | null
  withClient: number
  oldestWithClient: Date | null
  newestWithClient: Date | null
}

/** Failures since a moment, of the address and of the client id from that address (S5). */
export async function countLoginFailures(
  database: Database,
  failure: LoginFailure,
  since: Date,
): Promise<LoginFailureCounts> {
  const { rows } = await sql<LoginFailureCounts>`
    select count(*)::integer as "fromAddress", min(at) as "oldestFromAddress",
      count(*) filter (where client_id_hash = ${failure.clientIdHash})::integer as "withClient",
      min(at) filter (where client_id_hash = ${failure.clientIdHash}) as "oldestWithClient",
      max(at) filter (where client_id_hash = ${failure.clientIdHash}) as "newestWithClient"
    from login_failures where address = ${failure.address} and at > ${since}`.execute(database)
  // An aggregate without "group by" always returns one row.
  return rows[0] as LoginFailureCounts
}

/** Records a failure and deletes those that are too old to count. */
export async function recordLoginFailure(
  database: Database,
  failure: LoginFailure & { at: Date },
  forgetBefore: Date,
): Promise<void> {
  await sql`delete from login_failures where at <= ${forgetBefore}`.execute(database)
  await sql`
    insert into login_failures (address, client_id_hash, at)
    values (${failure.address}, ${failure.clientIdHash}, ${failure.at})`.execute(database)
}
