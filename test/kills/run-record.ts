import { sql } from 'kysely'
import type { Database } from '../../src/db/core/database.ts'
import { entities } from '../../src/entities/registry.ts'

/** Whether the phase of a pass has begun. */
export async function isInPhaseOf(database: Database, run: string, pass: string): Promise<boolean> {
  const phase = entities.find(({ passes }) => passes.some(({ key }) => key === pass))?.key
  const { rows } = await sql`
    select from run_phase_times where run_id = ${run} and phase = ${phase} and started_at is not null`.execute(database)
  return rows.length > 0
}

/** Calls with an intent and no result. */
export async function openIntents(database: Database, component: string): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*) as count from intents where component = ${component}`.execute(database)
  return rows[0]?.count ?? 0
}

/** Items of a pass, children included: a product itself ends only after its last batch is sent. */
export async function createdItems(database: Database, run: string, pass: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ledger where run_id = ${run} and pass = ${pass} and state = 'created'`.execute(
    database,
  )
  return rows[0]?.count ?? 0
}

/** Pages of a pass that are planned. */
export async function plannedPages(database: Database, run: string, pass: string): Promise<number> {
  const { rows } = await sql<{
    pages: number
  }>`select pages from checkpoints where run_id = ${run} and pass = ${pass}`.execute(database)
  return rows[0]?.pages ?? 0
}

/** Whether a hand-over has got the lease and waits for the job. */
export async function handOverWaits(database: Database): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'pgboss.job'
      and pid in (select pid from pg_locks where relation = 'run_leases'::regclass and mode = 'RowShareLock')`.execute(
    database,
  )
  return rows.length > 0
}

/** How often the run's process died. */
export async function deaths(database: Database, run: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from restarts where run_id = ${run}`.execute(
    database,
  )
  return rows[0]?.count ?? 0
}
