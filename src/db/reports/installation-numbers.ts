import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import { isResting } from '../ledger/waiting.ts'
import { countHosts } from '../runs/worker-hosts.ts'

/** What an installation has to do, and who does it. */
export interface InstallationNumbers {
  queued: number
  /** With a process, or about to get one. */
  working: number
  /** For a store, a quota or the database. */
  waiting: number
  /** Of the run that was queued first; 0 without one. */
  oldestQueuedSeconds: number
  hosts: number
  slots: number
}

/** Across organisations, without a name or an id. Reads an index of live runs only, so it costs the same however many have ended. */
export async function readInstallationNumbers(database: Database): Promise<InstallationNumbers> {
  const { rows } = await sql<Omit<InstallationNumbers, 'hosts' | 'slots'>>`
    select (count(*) filter (where run.status = 'queued'))::integer as queued,
      (count(*) filter (where run.status = 'in_progress' and not ${isResting(sql`run`)}))::integer as working,
      (count(*) filter (where run.status = 'in_progress' and ${isResting(sql`run`)}))::integer as waiting,
      greatest(0, coalesce(extract(epoch from now() - min(run.updated_at) filter (where run.status = 'queued')), 0))::real
        as "oldestQueuedSeconds"
    from runs run where run.status in ('queued', 'in_progress')`.execute(database)
  const runs = rows[0] ?? { queued: 0, working: 0, waiting: 0, oldestQueuedSeconds: 0 }
  return { ...runs, ...(await countHosts(database)) }
}
