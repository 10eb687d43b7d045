import { sql } from 'kysely'
import type { Database, InTransaction } from '../core/database.ts'

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

/** Runs among these that an indexer may take or is holding, and those that it could not index. */
export async function countAwaited(database: Database, runIds: string[]): Promise<{ due: number; failed: number }> {
  const { rows } = await sql<{ due: number; failed: number }>`
    select (count(*) filter (where dead_at is null and next_try_at <= now()))::integer as due,
      (count(*) filter (where dead_at is not null or next_try_at > now()))::integer as failed
    from outbox where kind = 'run' and subject_id = any(${runIds}::uuid[])`.execute(database)
  return rows[0] ?? { due: 0, failed: 0 }
}
