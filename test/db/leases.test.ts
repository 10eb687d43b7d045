import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { beat, claimRun, fence, LeaseLost } from '../../src/db/leases.ts'
import { createDatabase } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'

const waits = { requestTimeoutMs: 1_000, settleMs: 0, leaseMs: 6_000 }
let database: Database
let drop: () => Promise<void>
let url: string
const run = randomUUID()
beforeAll(async () => {
  ;({ url, drop } = await createDatabase())
  database = openDatabase(url)
  const [organisation, source, destination] = [randomUUID(), randomUUID(), randomUUID()]
  await sql`insert into organisations (id, name, name_key) values (${organisation}, 'One', 'one')`.execute(database)
  for (const [id, hash] of [
    [source, 'from'],
    [destination, 'to'],
  ])
    await sql`insert into stores (id, organisation_id, hash, label, token_encrypted) values (${id}, ${organisation}, ${hash}, 'shop', '')`.execute(
      database,
    )
  await sql`
    insert into runs (id, organisation_id, source_store_id, destination_store_id, mode, conflict_strategy, auto_heal, settings,
      selective, phases, status)
    values (${run}, ${organisation}, ${source}, ${destination}, 'full', 'skip', false, '{}', false, '[]', 'in_progress')`.execute(
    database,
  )
  await sql`insert into run_leases (run_id) values (${run})`.execute(database)
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

test('A4: a claim waits for what the process before is recording, and a heartbeat does not', async () => {
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

test('A4: what a frozen process was recording is undone, so that its run can be claimed', async () => {
  const { epoch } = await claimRun(database, run, 'frozen', waits)
  // It stops in the middle of a transaction; a shorter patience than the service has makes the test short.
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
