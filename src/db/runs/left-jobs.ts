import { sql } from 'kysely'
import type { Database } from '../core/database.ts'

/** A job of the queue at the attempt that seems to have ended without saying so. */
export interface LeftJob {
  id: string
  retryCount: number
}

/**
 * The host renews its job every two seconds, and the run's process its lease every quarter of a second. Shorter: a host
 * on a busy machine loses its runs. Longer: the run of a dead host waits for that much longer.
 */
const silence = sql`interval '4 seconds'`

/** Jobs of which neither the host nor the run's own process has been heard from. */
export async function findLeftJobs(database: Database): Promise<LeftJob[]> {
  const { rows } = await sql<LeftJob>`
    select job.id, job.retry_count as "retryCount" from pgboss.job as job
    join run_leases lease on lease.run_id = job.singleton_key::uuid
    where job.name = 'runs' and job.state = 'active' and job.heartbeat_on < now() - ${silence}
      and lease.heartbeat_at < now() - ${silence}`.execute(database)
  return rows
}
