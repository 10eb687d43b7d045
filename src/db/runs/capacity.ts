import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database } from '../core/database.ts'
import type { Tables } from '../core/tables.ts'

export type RunsOfTier = Columns<'runs', 'tier'> & {
  status: Extract<Tables['runs']['status'], 'queued' | 'in_progress' | 'paused'>
  runs: number
}

/** Live runs of all organisations, by status and tier. */
export async function countLiveRuns(database: Database): Promise<RunsOfTier[]> {
  const { rows } = await sql<RunsOfTier>`
    select status, tier, count(*) as runs from runs where status in ('queued', 'in_progress', 'paused')
    group by status, tier order by status, tier`.execute(database)
  return rows
}
