import { sql } from 'kysely'
import type { Role } from '../../contract/accounts/permissions.ts'
import type { Columns, Renamed } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

export type MemberRow = Renamed<'users', { userId: 'id'; lastSignInAt: 'signedInAt' }> &
  Columns<'users', 'firstName' | 'lastName' | 'email' | 'emailKey'> &
  Columns<'memberships', 'role'> & {
    invited: boolean
    /** Of a link that was made here. */
    invitationExpiresAt: Date | null
    /** Never a member elsewhere, and no administrator: the password opens nothing but this organisation (S33). */
    onlyHere: boolean
    /** False of an invitation that has not been accepted: `userId` is its id, and whether the person is registered is not looked at. */
    hasJoined: boolean
  }

const columns = sql`u.id as "userId", u.first_name as "firstName", u.last_name as "lastName", u.email,
  u.email_key as "emailKey", m.role, u.password_hash is null as invited, u.signed_in_at as "lastSignInAt",
  (select max(link.expires_at) from one_time_links link where link.user_id = u.id and link.purpose = 'invitation'
    and link.organisation_id = m.organisation_id) as "invitationExpiresAt",
  not u.is_administrator and not exists (select 1 from memberships elsewhere
    where elsewhere.user_id = u.id and elsewhere.organisation_id <> m.organisation_id) as "onlyHere", true as "hasJoined"`

const invitedColumns = sql`i.id as "userId", i.first_name as "firstName", i.last_name as "lastName", i.email,
  i.email_key as "emailKey", i.role, true as invited, null::timestamptz as "lastSignInAt",
  i.expires_at as "invitationExpiresAt", true as "onlyHere", false as "hasJoined"`

/** Active members and those invited, by email, the page after one of them. */
export async function listMembers(
  database: Database,
  organisationId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select ${columns} from memberships m join users u on u.id = m.user_id and u.active
    where m.organisation_id = ${organisationId} and m.active and (${after}::text is null or u.email_key > ${after})
    union all
    select ${invitedColumns} from invitations i
    where i.organisation_id = ${organisationId} and (${after}::text is null or i.email_key > ${after})
    order by "emailKey" limit ${limit}`.execute(database)
  return rows
}

/** Members of an organisation change one at a time, so two owners cannot remove each other. */
export async function lockMembers(database: InTransaction, organisationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`members of ${organisationId}`}, 0))`.execute(database)
}

/** An active member, or a person who is invited. */
export async function findMember(
  database: InTransaction,
  organisationId: string,
  userId: string,
): Promise<MemberRow | undefined> {
  const { rows } = await sql<MemberRow>`
    select ${columns} from memberships m join users u on u.id = m.user_id and u.active
    where m.organisation_id = ${organisationId} and m.user_id = ${userId} and m.active
    union all
    select ${invitedColumns} from invitations i
    where i.organisation_id = ${organisationId} and i.id = ${userId}`.execute(database)
  return rows[0]
}

/** Whether an active member has this address: all that an owner who invites may learn about it. */
export async function isMember(database: InTransaction, organisationId: string, emailKey: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from memberships m join users u on u.id = m.user_id and u.active
    where m.organisation_id = ${organisationId} and m.active and u.email_key = ${emailKey}`.execute(database)
  return rows.length > 0
}

/** Owners who can sign in. */
export async function countOwners(database: InTransaction, organisationId: string): Promise<number> {
  const { rows } = await sql<{ owners: number }>`
    select count(*) as owners from memberships m join users u on u.id = m.user_id and u.active and u.password_hash is not null
    where m.organisation_id = ${organisationId} and m.active and m.role = 'owner'`.execute(database)
  return rows[0]?.owners ?? 0
}

export type KnownUser = Columns<'users', 'id' | 'active'> & {
  /** Of this organisation, now. */
  isMember: boolean
}

export async function findUserByEmail(
  database: InTransaction,
  organisationId: string,
  emailKey: string,
): Promise<KnownUser | undefined> {
  const { rows } = await sql<KnownUser>`
    select u.id, u.active, coalesce(m.active, false) as "isMember"
    from users u left join memberships m on m.user_id = u.id and m.organisation_id = ${organisationId}
    where u.email_key = ${emailKey}`.execute(database)
  return rows[0]
}

/** Adds a member, or reactivates a former one. */
export async function saveMembership(
  database: InTransaction,
  membership: { organisationId: string; userId: string; role: Role },
): Promise<void> {
  await sql`
    insert into memberships (organisation_id, user_id, role)
    values (${membership.organisationId}, ${membership.userId}, ${membership.role})
    on conflict (organisation_id, user_id) do update set role = excluded.role, active = true`.execute(database)
}

/** The row stays, because the audit names the person. */
export async function endMembership(database: InTransaction, organisationId: string, userId: string): Promise<void> {
  await sql`
    update memberships set active = false
    where organisation_id = ${organisationId} and user_id = ${userId}`.execute(database)
  await endAccess(database, organisationId, userId)
}

/**
 * For good (S31): what a member holds of the organisation today is void, also when they are added or it is enabled again.
 *
 * @param userId null for all members.
 */
export async function endAccess(database: InTransaction, organisationId: string, userId: string | null): Promise<void> {
  await sql`
    with people as (
      select person.id from users person join memberships member on member.user_id = person.id
      where member.organisation_id = ${organisationId} and (${userId}::uuid is null or person.id = ${userId})
      -- In one order, because two organisations may share members.
      order by person.id for update of person),
    raised as (
      update users set generation = generation + 1 where id in (select id from people) returning id, generation)
    update memberships member set since_generation = raised.generation
    from raised where member.user_id = raised.id and member.organisation_id = ${organisationId}`.execute(database)
  await sql`
    delete from one_time_links
    where organisation_id = ${organisationId} and (${userId}::uuid is null or user_id = ${userId})`.execute(database)
  await sql`
    update invitations set token_hash = null, expires_at = null
    where organisation_id = ${organisationId} and ${userId}::uuid is null`.execute(database)
}
