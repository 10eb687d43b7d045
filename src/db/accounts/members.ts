import { sql } from 'kysely'
import type { Role } from '../../contract/accounts/permissions.ts'
import type { Columns, Renamed } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import { mentions } from '../core/text-search.ts'
import { endNotifications } from '../notifications/deliveries.ts'

export type MemberRow = Renamed<'users', { userId: 'id'; lastSignInAt: 'signedInAt' }> &
  Columns<'users', 'firstName' | 'lastName' | 'email' | 'emailKey'> &
  Columns<'memberships', 'role'> & {
    invited: boolean
    /** When the newest invitation link from this organisation expires; null without one. */
    invitationExpiresAt: Date | null
    /**
     * Never a member elsewhere and not an administrator, so the password gives access to this organisation only (S33).
     */
    onlyHere: boolean
    /**
     * False for an invitation that was not accepted yet: `userId` is its id, and nothing looks up whether the user
     * exists.
     */
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

const named = (text: string | undefined, person: string) =>
  mentions(text?.trim(), [
    sql`${sql.ref(`${person}.first_name`)} || ' ' || ${sql.ref(`${person}.last_name`)}`,
    sql.ref(`${person}.email`),
  ])

/** Active members and invited people, ordered by email; the page after `after`. */
export async function listMembers(
  database: Database,
  organisationId: string,
  { text, after, limit }: { text: string | undefined; after: string | null; limit: number },
): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select ${columns} from memberships m join users u on u.id = m.user_id and u.active
    where m.organisation_id = ${organisationId} and m.active and (${after}::text is null or u.email_key > ${after})
      and ${named(text, 'u')}
    union all
    select ${invitedColumns} from invitations i
    where i.organisation_id = ${organisationId} and (${after}::text is null or i.email_key > ${after})
      and ${named(text, 'i')}
    order by "emailKey" limit ${limit}`.execute(database)
  return rows
}

/** Makes changes to an organisation's members wait for each other, so that two owners cannot remove each other. */
export async function lockMembers(database: InTransaction, organisationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`members of ${organisationId}`}, 0))`.execute(database)
}

/** An active member, or someone who was invited. */
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

/** Whether an active member has this address. An owner who sends an invitation may learn nothing more about it. */
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
  /** A current member of this organisation. */
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

/** Keeps the row, because the audit log names the person. The person is locked before it, as by what the person writes. */
export async function endMembership(database: InTransaction, organisationId: string, userId: string): Promise<void> {
  await endAccess(database, organisationId, userId)
  await sql`
    update memberships set active = false
    where organisation_id = ${organisationId} and user_id = ${userId}`.execute(database)
}

/**
 * Ends for good what members can use to reach the organisation today (S31): adding them again, or enabling the
 * organisation again, does not bring it back.
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
  await endNotifications(database, organisationId, userId)
}
