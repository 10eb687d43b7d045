import { sql } from 'kysely'
import type { World } from './world.ts'

/** After the end of a host: as if the queue had waited its ten seconds for the next heartbeat of each job. */
export async function missHeartbeats({ database }: World): Promise<void> {
  await sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '10 seconds' where state = 'active'`.execute(
    database,
  )
}
