import { sql } from 'kysely'
import type { InTransaction } from '../core/database.ts'

/**
 * Has the search index read these runs again; those that no longer exist are removed from it. In the transaction of the
 * change, so that the index learns of it whatever becomes of this process.
 */
export async function indexRunsAgain(tx: InTransaction, organisationId: string, runIds: string[]): Promise<void> {
  if (runIds.length === 0) return
  await sql`
    insert into outbox (kind, organisation_id, subject_id, revision)
    select 'run', ${organisationId}, run_id, 0 from unnest(${runIds}::uuid[]) as run_id`.execute(tx)
}
