import { sql } from 'kysely'
import type { Database, InTransaction } from './database.ts'

export type AuditAction =
  | 'administrator.create'
  | 'organisation.create'
  | 'store-migration.enable'
  | 'store.connect'
  | 'credential.issue'
  | 'credential.rotate'
  | 'credential.disable'
  | 'login'
  | 'sign-in'
  | 'sign-out'
  | 'sign-out-everywhere'
  | 'password.change'
  | 'signing-key.rotate'
  | 'assistant.connect'
  | 'assistant.disconnect'

export interface AuditEntry {
  organisationId: string | null
  actorUserId: string | null
  actor: 'user' | 'administrator' | 'command line'
  action: AuditAction
  /** Ids and names only; never a secret. */
  details?: Record<string, string | number | boolean>
  at: Date
}

/** Belongs in the transaction of what it records. */
export async function recordAudit(database: Database | InTransaction, entry: AuditEntry): Promise<void> {
  await sql`
    insert into audit (organisation_id, actor_user_id, actor, action, details, at)
    values (${entry.organisationId}, ${entry.actorUserId}, ${entry.actor}, ${entry.action},
      ${JSON.stringify(entry.details ?? {})}::jsonb, ${entry.at})`.execute(database)
}

/** Oldest first. */
export async function listAudit(database: Database, organisationId: string): Promise<AuditEntry[]> {
  const { rows } = await sql<AuditEntry>`
    select organisation_id as "organisationId", actor_user_id as "actorUserId", actor, action, details, at
    from audit where organisation_id = ${organisationId} order by id`.execute(database)
  return rows
}
