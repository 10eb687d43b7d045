import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database } from '../core/database.ts'

/** `predicted` comes from the forecast; null without one. */
export type RunCalls = Columns<'run_calls', 'side' | 'class' | 'calls' | 'predicted'>

/** How many calls a run has used so far from the quotas of both stores. */
export async function readRunCalls(database: Database, organisationId: string, runId: string): Promise<RunCalls[]> {
  const { rows } = await sql<RunCalls>`
    select c.side, c.class, c.calls, c.predicted from run_calls c join runs r on r.id = c.run_id
    where r.organisation_id = ${organisationId} and r.id = ${runId}`.execute(database)
  return rows
}
