import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { type Database, openDatabase } from '../../src/db/core/database.ts'
import { beat, claimRun, fence, LeaseLost, lockLease } from '../../src/db/ledger/leases.ts'
import { countAttempt, terminalItems } from '../../src/db/runs/run-life.ts'
import { RunLease } from '../../src/engine/core/run-lease.ts'
import { createDatabase } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'
import { aRun } from './a-run.ts'

const waits = { requestTimeoutMs: 1_000, settleMs: 0, leaseMs: 6_000 }
let database: Database
let drop: () => Promise<void>
let url: string
let run: string
beforeAll(async () => {
  ;({ url, drop } = await createDatabase())
  database = openDatabase(url)
  run = (await aRun(database)).runId
})
afterAll(async () => {
  await database?.destroy()
  await drop?.()
})

const claimsThatWait = async () =>
  (
    await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      database,
    )
  ).rows.length

test('A4: a claim waits for transactions of the previous process, and a heartbeat does not', async () => {
  const { epoch } = await claimRun(database, run, 'first', waits)
  let claim: Promise<{ epoch: number }> | undefined
  await database.transaction().execute(async (tx) => {
    await fence(tx, run, epoch)
    await beat(database, run, epoch)
    claim = claimRun(database, run, 'second', waits)
    await until('the claim waits', async () => (await claimsThatWait()) === 1)
  })
  expect(await claim).toMatchObject({ epoch: epoch + 1 })
  await expect(database.transaction().execute((tx) => fence(tx, run, epoch))).rejects.toThrow(LeaseLost)
})

test('A3: a host hands a run over only while it is its own, and nobody claims it meanwhile', async () => {
  const { epoch } = await claimRun(database, run, 'first', waits)
  let claim: Promise<unknown> | undefined
  await database.transaction().execute(async (tx) => {
    expect(await lockLease(tx, { id: run, epoch })).toBe(true)
    claim = claimRun(database, run, 'second', waits)
    await until('the claim waits', async () => (await claimsThatWait()) === 1)
  })
  await claim
  expect(await database.transaction().execute((tx) => lockLease(tx, { id: run, epoch }))).toBe(false)
})

test('A4: the transaction of a frozen process is rolled back, and its run can be claimed', async () => {
  const { epoch } = await claimRun(database, run, 'frozen', waits)
  // It stops in the middle of a transaction; the short time-out only shortens the test.
  const frozen = openDatabase(url, { idleInTransactionMs: 500 })
  const transaction = await frozen.startTransaction().execute()
  await fence(transaction, run, epoch)
  expect(await claimRun(database, run, 'another', waits)).toMatchObject({ epoch: epoch + 1 })
  await expect(sql`select 1`.execute(transaction)).rejects.toThrow()
  await transaction
    .rollback()
    .execute()
    .catch(() => undefined)
  await frozen.destroy()
})

test('A4: writes of the previous process are settled only after its lease, its calls and the settle time', async () => {
  const { runId } = await aRun(database)
  const patient = { requestTimeoutMs: 10_000, settleMs: 5_000, leaseMs: 6_000 }
  const sinceNow = async (age: string) => {
    await sql`update run_leases set heartbeat_at = now() - ${age}::interval where run_id = ${runId}`.execute(database)
    const { settledAt } = await claimRun(database, runId, 'next', patient)
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from ${settledAt}::timestamptz - heartbeat_at)::float8 as seconds
      from run_leases where run_id = ${runId}`.execute(database)
    return rows[0]?.seconds ?? 0
  }
  // The last heartbeat limits when it may have sent a call; an old one adds no wait.
  expect(await sinceNow('1 hour')).toBeCloseTo(15, 1)
  expect(await sinceNow('2 seconds')).toBeCloseTo(19, 1)
})

test('A4: a run without a holder needs no wait', async () => {
  const { runId } = await aRun(database)
  const { settledAt } = await claimRun(database, runId, 'first', waits)
  expect(settledAt.getTime()).toBe(0)
})

test('A4: a process on a machine that has slept sends nothing before it knows whether the run is still its own', async () => {
  const { epoch } = await claimRun(database, run, 'asleep', waits)
  let slept = 0
  // The monotonic clock stands still while a machine sleeps.
  const clock = { ...systemClock, now: () => new Date(Date.now() + slept) }
  const lease = new RunLease({ database, clock, run: { id: run, epoch } })
  await lease.confirm()
  await claimRun(database, run, 'another', waits)
  slept = 600_000
  const confirmed = lease.confirm()
  lease.start()
  await expect(confirmed).rejects.toMatchObject({ reason: 'lease-lost' })
  await lease.end()
})

test('A4, G8: a process that sent no heartbeat for three minutes has lost its run, although no other has claimed it', async () => {
  const { runId } = await aRun(database)
  const { epoch } = await claimRun(database, runId, 'frozen', waits)
  const frozenFor = (age: string) =>
    sql`update run_leases set heartbeat_at = now() - ${age}::interval where run_id = ${runId}`.execute(database)
  await frozenFor('170 seconds')
  expect(await beat(database, runId, epoch)).toMatchObject({ status: 'in_progress' })
  await frozenFor('181 seconds')
  await expect(beat(database, runId, epoch)).rejects.toThrow(LeaseLost)
})

test('A5: what an attempt deletes counts as its progress', async () => {
  await sql`
    insert into run_counters (run_id, phase, component, position, pruned)
    values (${run}, 'brands', 'brands', 0, 3)`.execute(database)
  expect(await terminalItems(database, run)).toBe(3)
})

test('A5: only attempts in a row without progress count towards a crash loop', async () => {
  const { runId } = await aRun(database)
  const attempts: number[] = []
  for (const progressed of [false, false, true, false])
    attempts.push(await countAttempt(database, runId, 'It died.', progressed))
  expect(attempts).toEqual([1, 2, 0, 1])
})
