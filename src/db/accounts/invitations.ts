import { sql } from 'kysely'
import type { Role } from '../../contract/accounts/permissions.ts'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

export type InvitationRow = Columns<
  'invitations',
  'id' | 'organisationId' | 'firstName' | 'lastName' | 'email' | 'emailKey' | 'role'
>

/** The hash of a link's token, and when the link expires. */
interface Link {
  tokenHash: Buffer
  expiresAt: Date
}

/** @returns whether it was created; false when the address has already been invited. */
export async function insertInvitation(database: InTransaction, invitation: InvitationRow & Link): Promise<boolean> {
  const { id, organisationId, firstName, lastName, email, emailKey, role, tokenHash, expiresAt } = invitation
  const { rows } = await sql`
    insert into invitations (id, organisation_id, first_name, last_name, email, email_key, role, token_hash, expires_at)
    values (${id}, ${organisationId}, ${firstName}, ${lastName}, ${email}, ${emailKey}, ${role}, ${tokenHash}, ${expiresAt})
    on conflict (organisation_id, email_key) do nothing returning 1`.execute(database)
  return rows.length === 1
}

/** Makes the earlier link void. */
export async function renewInvitation(
  database: InTransaction,
  organisationId: string,
  id: string,
  { tokenHash, expiresAt }: Link,
): Promise<void> {
  await sql`
    update invitations set token_hash = ${tokenHash}, expires_at = ${expiresAt}
    where organisation_id = ${organisationId} and id = ${id}`.execute(database)
}

export async function saveInvitedRole(
  database: InTransaction,
  organisationId: string,
  id: string,
  role: Role,
): Promise<void> {
  await sql`
    update invitations set role = ${role} where organisation_id = ${organisationId} and id = ${id}`.execute(database)
}

export async function deleteInvitation(database: InTransaction, organisationId: string, id: string): Promise<void> {
  await sql`delete from invitations where organisation_id = ${organisationId} and id = ${id}`.execute(database)
}

export async function deleteInvitationTo(
  database: InTransaction,
  organisationId: string,
  emailKey: string,
): Promise<void> {
  await sql`
    delete from invitations where organisation_id = ${organisationId} and email_key = ${emailKey}`.execute(database)
}

/**
 * The invitation behind a link. @returns undefined when there is none, or when the link has expired or was replaced.
 */
export async function findInvitation(
  database: Database | InTransaction,
  tokenHash: Buffer,
  at: Date,
): Promise<InvitationRow | undefined> {
  const { rows } = await sql<InvitationRow>`
    select id, organisation_id as "organisationId", first_name as "firstName", last_name as "lastName", email,
      email_key as "emailKey", role
    from invitations where token_hash = ${tokenHash} and expires_at > ${at}`.execute(database)
  return rows[0]
}

export interface InvitationOf {
  /** The address that was invited. */
  email: string
  /** Null for a platform administrator. */
  organization: string | null
  role: Role | null
  /** Null when a platform administrator sent the invitation. */
  invitedBy: string | null
  expiresAt: Date
}

/**
 * What a link invites to, even after it has expired. @returns undefined when it was used or replaced, or never existed.
 */
export async function findInvitationOf(database: Database, tokenHash: Buffer): Promise<InvitationOf | undefined> {
  const { rows } = await sql<InvitationOf>`
    select link.email, organisation.name as organization, link.role, link.expires_at as "expiresAt", (
      select person.first_name || ' ' || person.last_name from audit entry join users person on person.id = entry.actor_user_id
      where entry.organisation_id = link.organisation_id and entry.action = 'member.invite'
        and entry.details->>'userId' = link.user_id::text
      order by entry.id desc limit 1) as "invitedBy"
    from (
      select id as user_id, organisation_id, email, role, expires_at from invitations where token_hash = ${tokenHash}
      union all
      select made.user_id, made.organisation_id, person.email, member.role, made.expires_at
      from one_time_links made join users person on person.id = made.user_id and person.password_hash is null
        left join memberships member on member.user_id = made.user_id and member.organisation_id = made.organisation_id
      where made.token_hash = ${tokenHash} and made.purpose = 'invitation'
    ) link left join organisations organisation on organisation.id = link.organisation_id`.execute(database)
  return rows[0]
}

/** An existing user with the invited address, active or not. */
export type InvitedUser = Columns<'users', 'id' | 'active' | 'passwordHash'> & {
  /**
   * The user belongs to this organisation only and has no password: the invitation lets them choose the first one
   * (S33).
   */
  mayChoosePassword: boolean
}

export async function findInvitedUser(
  database: Database | InTransaction,
  { organisationId, emailKey }: Pick<InvitationRow, 'organisationId' | 'emailKey'>,
): Promise<InvitedUser | undefined> {
  const { rows } = await sql<InvitedUser>`
    select u.id, u.active, u.password_hash as "passwordHash",
      u.active and u.password_hash is null and not u.is_administrator and not exists (select 1 from memberships elsewhere
        where elsewhere.user_id = u.id and elsewhere.organisation_id <> ${organisationId}) as "mayChoosePassword"
    from users u where u.email_key = ${emailKey}`.execute(database)
  return rows[0]
}
