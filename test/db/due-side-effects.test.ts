import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { Database } from '../../src/db/core/database.ts'
import { isStillDue, saveSideEffects, takeDue } from '../../src/db/side-effects/side-effects.ts'
import { type aRun, aRunInDatabase } from './a-run.ts'

let database: Database
let run: Awaited<ReturnType<typeof aRun>>
beforeEach(async () => {
  const made = await aRunInDatabase()
  database = made.database
  run = made.run
  await saveSideEffects(
    database,
    run.pair,
    run.runId,
    ['a', 'b', 'c'].map((subject) => ({ kind: 'mail' as const, component: 'orders', subject, desired: {} })),
  )
  return made.end
})

const ago = (subject: string, age: string) =>
  sql`update side_effects set tried_at = now() - ${age}::interval where subject = ${subject}`.execute(database)
const idle = (age: string) =>
  sql`update runs set updated_at = now() - ${age}::interval where id = ${run.runId}`.execute(database)
const due = async (limit = 10) => (await takeDue(database, limit)).map(({ subject }) => subject)

test('D5: a host ends what no run holds, a minute after the run and the last try, the longest waiting first, and no other host with it', async () => {
  await ago('a', '2 minutes')
  await ago('b', '3 minutes')
  await idle('30 seconds')
  expect(await due()).toEqual([])
  await idle('2 minutes')
  expect([await due(1), await due(), await due()]).toEqual([['b'], ['a'], []])
})

test('D5: what a run holds at its destination is its own, until it has had no process for four minutes', async () => {
  await ago('a', '10 minutes')
  await idle('10 minutes')
  const [first] = await takeDue(database, 1)
  await ago('a', '10 minutes')
  await sql`insert into destination_leases (platform, store_hash, run_id) values ('BC', 'to', ${run.runId})`.execute(
    database,
  )
  const beatAgo = (age: string) =>
    sql`update run_leases set heartbeat_at = now() - ${age}::interval where run_id = ${run.runId}`.execute(database)
  await beatAgo('3 minutes')
  expect([await due(), first && (await isStillDue(database, first))]).toEqual([[], false])
  await beatAgo('5 minutes')
  expect([first && (await isStillDue(database, first)), await due()]).toEqual([true, []])
  await ago('a', '2 minutes')
  expect(await due()).toEqual(['a'])
})

test('D5: nothing is ended at a store that was disconnected', async () => {
  await ago('a', '2 minutes')
  await idle('2 minutes')
  const token = (text: string | null) =>
    sql`
      update stores set token_encrypted = ${text}::bytea, disconnected_at = case when ${text}::text is null then now() end
      where id = ${run.pair.destinationStoreId}`.execute(database)
  await token(null)
  expect(await due()).toEqual([])
  await token('')
  expect(await due()).toEqual(['a'])
})
