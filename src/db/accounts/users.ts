import { sql } from 'kysely'
import type { Role } from '../../contract/accounts/permissions.ts'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

export type UserRow = Columns<'users', 'id' | 'firstName' | 'lastName' | 'email'>

/** @returns whether it was created; false when the email key is taken. */
export async function insertUser(
  database: InTransaction,
  user: UserRow & { emailKey: string; passwordHash: string | null; isAdministrator: boolean },
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

export type MemberForLogin = UserRow & Columns<'users', 'tokensSince' | 'generation'>

/** The member with this email, if both user and membership are active. */
export async function findActiveMember(
  database: Database,
  organisationId: string,
  emailKey: string,
): Promise<MemberForLogin | undefined> {
  const { rows } = await sql<MemberForLogin>`
    select u.id, u.first_name as "firstName", u.last_name as "lastName", u.email, u.tokens_since as "tokensSince",
      u.generation
    from users u join memberships m on m.user_id = u.id
    where m.organisation_id = ${organisationId} and u.email_key = ${emailKey} and u.active and m.active`.execute(
    database,
  )
  return rows[0]
}

/** The password hash is null until an invitation is accepted. */
export type SignInRow = UserRow & Columns<'users', 'passwordHash'>

/** An active user by email, in any organisation. */
export async function findUserForSignIn(database: Database, emailKey: string): Promise<SignInRow | undefined> {
  const { rows } = await sql<SignInRow>`
    select id, first_name as "firstName", last_name as "lastName", email, password_hash as "passwordHash"
    from users where email_key = ${emailKey} and active`.execute(database)
  return rows[0]
}

/**
 * Locks an active user.
 *
 * @returns the hash of the current password; undefined when the user is gone or inactive.
 */
export async function lockPassword(
  database: InTransaction,
  userId: string,
): Promise<Columns<'users', 'passwordHash'> | undefined> {
  const { rows } = await sql<Columns<'users', 'passwordHash'>>`
    select password_hash as "passwordHash" from users where id = ${userId} and active for update`.execute(database)
  return rows[0]
}

/** The names of a person and of their organisations (S33). */
export async function findNamesOfUser(
  database: Database,
  userId: string,
): Promise<(Columns<'users', 'firstName' | 'lastName' | 'email'> & { organisations: string[] }) | undefined> {
  const { rows } = await sql<Columns<'users', 'firstName' | 'lastName' | 'email'> & { organisations: string[] }>`
    select u.first_name as "firstName", u.last_name as "lastName", u.email, array(
      select o.name from memberships m join organisations o on o.id = m.organisation_id
      where m.user_id = u.id and m.active) as organisations
    from users u where u.id = ${userId}`.execute(database)
  return rows[0]
}

export async function saveName(
  database: InTransaction,
  { id, firstName, lastName }: Columns<'users', 'id' | 'firstName' | 'lastName'>,
): Promise<void> {
  await sql`update users set first_name = ${firstName}, last_name = ${lastName} where id = ${id}`.execute(database)
}

/** Makes bearer tokens and grants from before `at` void. */
export async function savePassword(
  database: InTransaction,
  user: { id: string; passwordHash: string; at: Date },
): Promise<void> {
  await sql`
    update users set password_hash = ${user.passwordHash}, tokens_since = ${user.at} where id = ${user.id}`.execute(
    database,
  )
}
