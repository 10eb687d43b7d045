import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { until } from '../harness/until.ts'
import { aWorld } from '../harness/world.ts'

test('a copy in a process of its own reports its end, once, and the server sends that', async () => {
  const world = await aWorld({ processes: true, entities: ['brands'] })
  const { database, organisationId } = world
  await sql`
    insert into webhooks (id, organisation_id, url, description, created_at)
    values (${randomUUID()}, ${organisationId}, 'https://127.0.0.1/', '', now())`.execute(database)
  const run = await world.complete({})
  const { rows } = await sql<{ kind: string; runId: string; counted: number }>`
    select kind, run_id as "runId", (data -> 'counters' ->> 'done')::integer as counted from notification_events
    where organisation_id = ${organisationId}`.execute(database)
  expect(rows).toEqual([{ kind: 'migration.finished', runId: run.requestId, counted: run.counters.done }])
  expect(run.counters.done).toBeGreaterThan(0)
  // The server itself does not reach this machine, so the way out that it really has is the one that refuses.
  const problem = await until('the server has tried to send it', async () => {
    const tried = await sql<{ problem: string }>`
      select problem from notification_tries where organisation_id = ${organisationId}`.execute(database)
    return tried.rows[0]?.problem
  })
  expect(problem).toBe('address_refused')
})
