import { sql } from 'kysely'
import type { AuditAction } from '../../contract/accounts/audit-actions.ts'
import type { Columns, OrNull, Renamed } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import type { Tables } from '../core/tables.ts'

export interface AuditEntry {
  organisationId: string | null
  actorUserId: string | null
  actor: Tables['audit']['actor']
  action: AuditAction
  /** Ids and names only; never a secret. */
  details?: Record<string, string | number | boolean>
  at: Date
}

/** Call it in the same transaction as the action it records. */
export async function recordAudit(database: Database | InTransaction, entry: AuditEntry): Promise<void> {
  await sql`
    insert into audit (organisation_id, actor_user_id, actor, action, details, at)
    values (${entry.organisationId}, ${entry.actorUserId}, ${entry.actor}, ${entry.action},
      ${JSON.stringify(entry.details ?? {})}::jsonb, ${entry.at})`.execute(database)
}

export interface FailedTry {
  action: 'login.fail' | 'sign-in.fail'
  /** The user who tried to sign in; null when there is no such user. */
  userId: string | null
  /** The organisation whose owners see the entry. If undefined, the owners of all organisations of the user see it. */
  organisationId?: string
  reason: string
  /** The address of the client, and the key under which its failures are counted (S34). */
  address: string
  addressKey: string
  at: Date
}

/** A single statement, whether or not the user exists (S5). */
export async function recordFailedTry(database: InTransaction, failed: FailedTry): Promise<void> {
  const { action, userId, organisationId = null, reason, address, addressKey, at } = failed
  await sql`
    with seen_by as (
      select organisation_id from memberships
      where ${organisationId}::uuid is null and user_id = ${userId} and active
      union all select ${organisationId}::uuid where ${organisationId}::uuid is not null
    )
    insert into audit (organisation_id, actor_user_id, actor, action, details, at)
    select organisation_id, ${userId}::uuid, 'visitor', ${action}, ${JSON.stringify({ address, addressKey, reason })}::jsonb,
      ${at}::timestamptz
    from (
      select organisation_id from seen_by
      union all select null::uuid where not exists (select from seen_by)
    ) each`.execute(database)
}

/** Any recorded action: an `AuditAction`, or an action on a run. */
type RecordedAction = Columns<'audit', 'organisationId' | 'actorUserId' | 'actor' | 'action' | 'details' | 'at'>

/** Oldest first. */
export async function listAudit(database: Database, organisationId: string): Promise<RecordedAction[]> {
  const { rows } = await sql<RecordedAction>`
    select organisation_id as "organisationId", actor_user_id as "actorUserId", actor, action, details, at
    from audit where organisation_id = ${organisationId} order by id`.execute(database)
  return rows
}

export interface AuditFilters {
  organisationId?: string
  actorUserId?: string
  action?: string
  from?: Date
  before?: Date
}

export type AuditRow = RecordedAction &
  OrNull<Renamed<'users', { userEmail: 'email' }> & Renamed<'organisations', { organisationName: 'name' }>> & {
    /** A string, because it goes into cursors. */
    id: string
    userName: string | null
  }

/** The page of entries after `after`, newest first. Without an organisation or a user, it covers all organisations. */
export async function listAuditPage(
  database: Database,
  { organisationId, actorUserId, action, from, before }: AuditFilters,
  { after, limit }: { after: string | null; limit: number },
): Promise<AuditRow[]> {
  const { rows } = await sql<AuditRow>`
    select entry.id::text as id, entry.organisation_id as "organisationId", entry.actor_user_id as "actorUserId", entry.actor,
      entry.action, entry.details, entry.at, person.first_name || ' ' || person.last_name as "userName",
      person.email as "userEmail", organisation.name as "organisationName"
    from audit entry left join users person on person.id = entry.actor_user_id
      left join organisations organisation on organisation.id = entry.organisation_id
    where (${organisationId ?? null}::uuid is null or entry.organisation_id = ${organisationId ?? null})
      and (${actorUserId ?? null}::uuid is null or entry.actor_user_id = ${actorUserId ?? null})
      and (${action ?? null}::text is null or entry.action = ${action ?? null})
      and (${from ?? null}::timestamptz is null or entry.at >= ${from ?? null})
      and (${before ?? null}::timestamptz is null or entry.at < ${before ?? null})
      and (${after}::bigint is null or entry.id < ${after}::bigint)
    order by entry.id desc limit ${limit}`.execute(database)
  return rows
}

/** The people in the audit log of an organisation, also those who have left it. */
export async function listAuditPeople(
  database: Database,
  organisationId: string,
): Promise<{ id: string; name: string; email: string }[]> {
  const { rows } = await sql<{ id: string; name: string; email: string }>`
    select id, first_name || ' ' || last_name as name, email from users
    where id in (select actor_user_id from audit where organisation_id = ${organisationId})
    order by name, email`.execute(database)
  return rows
}
