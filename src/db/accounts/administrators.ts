import { sql } from 'kysely'
import type { Columns, Renamed } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

/** Whether the service has an administrator. */
export async function administratorExists(database: Database | InTransaction): Promise<boolean> {
  const { rows } = await sql`select 1 from users where is_administrator and active limit 1`.execute(database)
  return rows.length > 0
}

export type AdministratorRow = Renamed<'users', { userId: 'id' }> &
  Columns<'users', 'firstName' | 'lastName' | 'email' | 'createdAt'> & { invited: boolean }

/** Ordered by email. */
export async function listAdministrators(database: Database): Promise<AdministratorRow[]> {
  const { rows } = await sql<AdministratorRow>`
    select id as "userId", first_name as "firstName", last_name as "lastName", email, created_at as "createdAt",
      password_hash is null as invited
    from users where is_administrator and active order by email_key`.execute(database)
  return rows
}

/** Whether the user is an administrator with this session. Locks both until the transaction ends. */
export async function holdAdministrator(
  database: InTransaction,
  { userId, sessionHash }: { userId: string; sessionHash: Buffer },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from users person join sessions session on session.user_id = person.id and session.id_hash = ${sessionHash}
    where person.id = ${userId} and person.active and person.is_administrator
    for share of person
    for key share of session`.execute(database)
  return rows.length > 0
}
