import { sql } from 'kysely'
import type { Role } from '../contract/permissions.ts'
import type { Database, InTransaction } from './database.ts'

export interface UserRow {
  id: string
  firstName: string
  lastName: string
  email: string
}

/** @returns whether it was created; false when the e-mail key is taken. */
export async function insertUser(
  database: InTransaction,
  user: UserRow & { emailKey: string; passwordHash: string; isAdministrator: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    insert into users (id, first_name, last_name, email, email_key, password_hash, is_administrator)
    values (${user.id}, ${user.firstName}, ${user.lastName}, ${user.email}, ${user.emailKey}, ${user.passwordHash},
      ${user.isAdministrator})
    on conflict (email_key) do nothing
    returning id`.execute(database)
  return rows.length === 1
}

export async function insertMembership(
  database: InTransaction,
  membership: { organisationId: string; userId: string; role: Role },
): Promise<void> {
  await sql`
    insert into memberships (organisation_id, user_id, role)
    values (${membership.organisationId}, ${membership.userId}, ${membership.role})`.execute(database)
}

/** The member with this e-mail whose user and membership are both active. */
export async function findActiveMember(
  database: Database,
  organisationId: string,
  emailKey: string,
): Promise<UserRow | undefined> {
  const { rows } = await sql<UserRow>`
    select u.id, u.first_name as "firstName", u.last_name as "lastName", u.email
    from users u join memberships m on m.user_id = u.id
    where m.organisation_id = ${organisationId} and u.email_key = ${emailKey} and u.active and m.active`.execute(
    database,
  )
  return rows[0]
}
