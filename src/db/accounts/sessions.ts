import { sql } from 'kysely'
import type { Columns, Renamed } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

export interface SessionTimes {
  /** Sessions that began at or before this have reached their maximum age. */
  startedAfter: Date
  /** Sessions last seen at or before this have been idle for too long. */
  seenAfter: Date
}

export type SessionRow = Columns<'sessions', 'startedAt' | 'seenAt' | 'provedAt' | 'generation'> &
  Renamed<'users', { userId: 'id' }> &
  Columns<'users', 'firstName' | 'lastName' | 'email' | 'isAdministrator'> & { hasSecondStep: boolean }

export async function insertSession(
  database: InTransaction,
  session: { idHash: Buffer; userId: string; at: Date; address: string | null; agent: string | null },
): Promise<void> {
  const { idHash, userId, at, address, agent } = session
  await sql`
    with person as (update users set signed_in_at = ${at} where id = ${userId} returning generation)
    insert into sessions (id_hash, user_id, started_at, seen_at, proved_at, address, agent, generation)
    select ${idHash}::bytea, ${userId}::uuid, ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz, ${address}::text,
      ${agent}::text, generation
    from person`.execute(database)
}

/** A valid session of an active user. */
export async function findSession(
  database: Database,
  idHash: Buffer,
  { startedAfter, seenAfter }: SessionTimes,
): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`
    select u.id as "userId", u.first_name as "firstName", u.last_name as "lastName", u.email,
      u.is_administrator as "isAdministrator", s.started_at as "startedAt", s.seen_at as "seenAt", s.proved_at as "provedAt",
      s.generation,
      exists (select from second_steps step where step.user_id = u.id and step.confirmed_at is not null) as "hasSecondStep"
    from sessions s join users u on u.id = s.user_id and u.active
    where s.id_hash = ${idHash} and s.started_at > ${startedAfter} and s.seen_at > ${seenAfter}`.execute(database)
  return rows[0]
}

export async function touchSession(database: Database, idHash: Buffer, at: Date): Promise<void> {
  await sql`update sessions set seen_at = ${at} where id_hash = ${idHash} and seen_at < ${at}`.execute(database)
}

/** Records that the person has entered the password again. */
export async function saveProof(database: InTransaction, idHash: Buffer, at: Date): Promise<void> {
  await sql`update sessions set proved_at = ${at} where id_hash = ${idHash}`.execute(database)
}

export async function deleteSession(database: Database | InTransaction, idHash: Buffer): Promise<void> {
  await sql`delete from sessions where id_hash = ${idHash}`.execute(database)
}

export type ListedSession = Columns<'sessions', 'id' | 'startedAt' | 'seenAt' | 'address' | 'agent'> & {
  isCurrent: boolean
}

/** The valid sessions of a person, newest first; the page after one of them. */
export async function listSessions(
  database: Database,
  { userId, sessionHash }: { userId: string; sessionHash: Buffer },
  { startedAfter, seenAfter }: SessionTimes,
  { after, limit }: { after: { startedAt: Date; id: string } | null; limit: number },
): Promise<ListedSession[]> {
  const { rows } = await sql<ListedSession>`
    select id, started_at as "startedAt", seen_at as "seenAt", address, agent, id_hash = ${sessionHash} as "isCurrent"
    from sessions where user_id = ${userId} and started_at > ${startedAfter} and seen_at > ${seenAfter}
      and (${after?.startedAt ?? null}::timestamptz is null
        or (started_at, id) < (${after?.startedAt ?? null}::timestamptz, ${after?.id ?? null}::uuid))
    order by started_at desc, id desc limit ${limit}`.execute(database)
  return rows
}

/** Deletes one session of a person. @returns its hash; undefined when they have no session with this id. */
export async function deleteSessionOfUser(
  database: InTransaction,
  userId: string,
  id: string,
): Promise<Columns<'sessions', 'idHash'> | undefined> {
  const { rows } = await sql<Columns<'sessions', 'idHash'>>`
    delete from sessions where id = ${id} and user_id = ${userId} returning id_hash as "idHash"`.execute(database)
  return rows[0]
}

/** Whether the person still has this session. Locks both until the transaction ends. */
export async function holdPerson(
  database: InTransaction,
  { userId, sessionHash }: { userId: string; sessionHash: Buffer },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from users person join sessions session on session.user_id = person.id and session.id_hash = ${sessionHash}
    where person.id = ${userId} and person.active
    for no key update of person
    for key share of session`.execute(database)
  return rows.length > 0
}

/** @returns how many were deleted. */
export async function deleteSessionsOfUser(
  database: InTransaction,
  userId: string,
  except: Buffer | null,
): Promise<number> {
  const { rows } = await sql`
    delete from sessions where user_id = ${userId} and id_hash is distinct from ${except}::bytea returning 1`.execute(
    database,
  )
  return rows.length
}

/** Sessions that expired without a sign-out, without those that another transaction is about to delete. */
export async function deleteEndedSessions(
  database: InTransaction,
  { startedAfter, seenAfter }: SessionTimes,
): Promise<void> {
  await sql`
    delete from sessions where id_hash in (
      select id_hash from sessions where started_at <= ${startedAfter} or seen_at <= ${seenAfter}
      for update skip locked)`.execute(database)
}

export type MembershipRow = Renamed<'organisations', { organisationId: 'id'; organisationName: 'name' }> &
  Columns<'organisations', 'storeMigrationEnabled'> &
  Columns<'memberships', 'role'> & {
    owners: string[]
    /** False when the membership ended and began again after the session began (S31). */
    isCurrent: boolean
  }

/** Enough names to find an owner to turn to. */
const ownersNamed = 5

/** The organisations in which a signed-in user is an active member, ordered by name. */
export async function listMemberships(
  database: Database,
  { userId, generation }: { userId: string; generation: number },
): Promise<MembershipRow[]> {
  const { rows } = await sql<MembershipRow>`
    select o.id as "organisationId", o.name as "organisationName", m.role,
      o.store_migration_enabled as "storeMigrationEnabled", m.since_generation <= ${generation} as "isCurrent",
      array(
        select u.first_name || ' ' || u.last_name from memberships owner join users u on u.id = owner.user_id and u.active
        where owner.organisation_id = o.id and owner.active and owner.role = 'owner'
        order by u.last_name, u.first_name limit ${ownersNamed}) as owners
    from memberships m join organisations o on o.id = m.organisation_id
    where m.user_id = ${userId} and m.active order by o.name_key`.execute(database)
  return rows
}
