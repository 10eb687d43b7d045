import { sql } from 'kysely'
import type { RunAction } from '../../contract/accounts/audit-actions.ts'
import type { InTransaction } from '../core/database.ts'
import type { Tables } from '../core/tables.ts'

export interface RecordedControl {
  organisationId: string
  userId: string | null
  /** A member by default. */
  actor?: Tables['audit']['actor']
  action: RunAction
  /** Added to the run's id; ids and counts only. */
  details?: Record<string, unknown>
  runId: string
  at: Date
}

/** Records who requested a run control, in the transaction of the control itself. */
export async function recordRunAction(
  tx: InTransaction,
  { organisationId, userId, actor = 'user', ...done }: RecordedControl,
): Promise<void> {
  await sql`
    insert into audit (organisation_id, actor_user_id, actor, action, details, at)
    values (${organisationId}, ${userId}, ${actor}, ${done.action}, ${JSON.stringify({ runId: done.runId, ...done.details })}::jsonb,
      ${done.at})`.execute(tx)
}
