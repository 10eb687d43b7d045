import { sql } from 'kysely'
import type { World } from '../harness/world.ts'

interface Open {
  subject: string
  due: boolean
  reported: boolean
}

/** What runs left to be done or put back at the shops of this world. */
export async function sideEffects(
  { database, organisationId }: World,
  kind: 'deferred-write' | 'mail' | 'stock',
): Promise<Open[]> {
  const { rows } = await sql<Open>`
    select subject, due_at is not null as due, reported_at is not null as reported from side_effects
    where organisation_id = ${organisationId} and kind = ${kind} order by subject`.execute(database)
  return rows
}

/** Every moment from which a run or a host measures how long ago something was. */
const moments = {
  side_effects: ['since', 'due_at', 'tried_at'],
  runs: ['admitted_at', 'updated_at', 'finished_at', 'last_progress_at', 'waiting_since', 'next_try_at'],
  run_counters: ['progressed_at'],
  run_leases: ['heartbeat_at', 'doubts_ripe_at'],
  intents: ['doubtful_until'],
}

/** As if this time had passed in which no process of this world did anything: one that works on a run was frozen meanwhile. */
export async function pass({ database, organisationId }: World, minutes: number): Promise<void> {
  const runs = sql`select id from runs where organisation_id = ${organisationId}`
  for (const [table, columns] of Object.entries(moments)) {
    const earlier = columns.map(
      (column) => sql`${sql.ref(column)} = ${sql.ref(column)} - ${minutes} * interval '1 minute'`,
    )
    const id = sql.ref(table === 'runs' ? 'id' : 'run_id')
    await sql`update ${sql.table(table)} set ${sql.join(earlier)} where ${id} in (${runs})`.execute(database)
  }
}
