import { sql } from 'kysely'
import type { Columns, Renamed } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

export interface SessionTimes {
  /** A session that began earlier has lasted its full time. */
  startedAfter: Date
  /** A session last seen earlier has been idle for too long. */
  seenAfter: Date
}

export type SessionRow = Columns<'sessions', 'startedAt' | 'seenAt'> &
  Renamed<'users', { userId: 'id' }> &
  Columns<'users', 'firstName' | 'lastName' | 'email' | 'isAdministrator'>

export async function insertSession(
  database: InTransaction,
  session: { idHash: Buffer; userId: string; at: Date },
): Promise<void> {
  await sql`
    insert into sessions (id_hash, user_id, started_at, seen_at)
    values (${session.idHash}, ${session.userId}, ${session.at}, ${session.at})`.execute(database)
}

/** A valid session of an active user. */
export async function findSession(
  database: Database,
  idHash: Buffer,
  { startedAfter, seenAfter }: SessionTimes,
): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`
    select u.id as "userId", u.first_name as "firstName", u.last_name as "lastName", u.email,
      u.is_administrator as "isAdministrator", s.started_at as "startedAt", s.seen_at as "seenAt"
    from sessions s join users u on u.id = s.user_id and u.active
    where s.id_hash = ${idHash} and s.started_at > ${startedAfter} and s.seen_at > ${seenAfter}`.execute(database)
  return rows[0]
}

export async function touchSession(database: Database, idHash: Buffer, at: Date): Promise<void> {
  await sql`update sessions set seen_at = ${at} where id_hash = ${idHash} and seen_at < ${at}`.execute(database)
}

export async function deleteSession(database: Database | InTransaction, idHash: Buffer): Promise<void> {
  await sql`delete from sessions where id_hash = ${idHash}`.execute(database)
}

/** @returns how many ended. */
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

/** Sessions that ended without a sign-out. */
export async function deleteEndedSessions(
  database: InTransaction,
  { startedAfter, seenAfter }: SessionTimes,
): Promise<void> {
  await sql`delete from sessions where started_at <= ${startedAfter} or seen_at <= ${seenAfter}`.execute(database)
}

export type MembershipRow = Renamed<'organisations', { organisationId: 'id'; organisationName: 'name' }> &
  Columns<'organisations', 'storeMigrationEnabled'> &
  Columns<'memberships', 'role'> & {
    /** Names. */
    owners: string[]
  }

/** Enough to find one who can be asked. */
const ownersNamed = 5

/** The organisations a user is an active member of, by name. */
export async function listMemberships(database: Database, userId: string): Promise<MembershipRow[]> {
  const { rows } = await sql<MembershipRow>`
    select o.id as "organisationId", o.name as "organisationName", m.role,
      o.store_migration_enabled as "storeMigrationEnabled",
      array(
        select u.first_name || ' ' || u.last_name from memberships owner join users u on u.id = owner.user_id and u.active
        where owner.organisation_id = o.id and owner.active and owner.role = 'owner'
        order by u.last_name, u.first_name limit ${ownersNamed}) as owners
    from memberships m join organisations o on o.id = m.organisation_id
    where m.user_id = ${userId} and m.active order by o.name_key`.execute(database)
  return rows
}
