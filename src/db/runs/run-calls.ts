import { sql } from 'kysely'
import type { Database } from '../core/database.ts'

export interface RunCalls {
  side: 'source' | 'destination'
  class: 'read' | 'write' | 'heavy'
  calls: number
  /** What the forecast said; null without one. */
  predicted: number | null
}

/** What one run has spent so far, of both stores' quotas. */
export async function readRunCalls(database: Database, organisationId: string, runId: string): Promise<RunCalls[]> {
  const { rows } = await sql<RunCalls>`
    select c.side, c.class, c.calls, c.predicted from run_calls c join runs r on r.id = c.run_id
    where r.organisation_id = ${organisationId} and r.id = ${runId}`.execute(database)
  return rows
}
