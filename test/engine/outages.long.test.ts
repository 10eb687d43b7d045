import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import { until } from '../harness/until.ts'
import { aWorldWithBrands, heldRun, holders, letGo } from './held-run.ts'

test('G8: a run whose source is away has no process while it waits, and a host goes on with it when the store is back', async () => {
  const world = await aWorldWithBrands({ processes: true, requestTimeoutSeconds: 30 })
  const id = await heldRun(world, ['brands', 'categories', 'products'])
  await world.fault('source', { kind: 'maintenance', times: null })
  await letGo(world)
  // Polling the API would use up the token's requests per minute.
  const resting = sql<{ rests: boolean | null }>`select next_try_at > now() as rests from runs where id = ${id}`
  const rests = async () => (await resting.execute(world.database)).rows[0]?.rests === true
  await until(
    'the run rests without a process',
    async () => (await rests()) && (await world.childPids()).length === 0,
    {
      seconds: 240,
    },
  )
  const { waiting } = (await world.api<MigrationRequest>('GET', `/v2/migrations/${id}/request`)).body
  expect(waiting).toMatchObject({ system: 'source', store: world.address('source').hash })
  expect(await holders(world)).toEqual([id])
  await world.clearFaults('source')
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const { rows } = await sql`select from restarts where run_id = ${id}`.execute(world.database)
  expect(rows).toEqual([])
}, 420_000)

test('G8: a pause ends the wait of a run at once, before its next try', async () => {
  const world = await aWorldWithBrands({ processes: true, requestTimeoutSeconds: 30 })
  await world.fault('source', { kind: 'maintenance', times: null })
  const id = await world.migrate({ entities: ['brands'] })
  const isWaiting = sql<{ since: Date | null }>`select waiting_since as since from runs where id = ${id}`
  await until('the run waits', async () => (await isWaiting.execute(world.database)).rows[0]?.since !== null, {
    seconds: 120,
  })
  await sql`update runs set next_try_at = now() + interval '1 hour' where id = ${id}`.execute(world.database)
  expect(await world.api('POST', `/v2/migrations/${id}/pause`)).toMatchObject({ status: 202 })
  expect(await world.finished(id, { status: 'paused', seconds: 30 })).toMatchObject({ status: 'paused' })
}, 240_000)
