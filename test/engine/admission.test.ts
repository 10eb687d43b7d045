import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { seededRandom } from '../../sandbox/store/random.ts'
import { systemClock } from '../../src/clock.ts'
import { type Database, openDatabase } from '../../src/db/core/database.ts'
import { findLeftJobs } from '../../src/db/runs/left-jobs.ts'
import { leaveInProgress } from '../../src/db/runs/run-life.ts'
import { renewHost, withdrawHost } from '../../src/db/runs/worker-hosts.ts'
import { type Admission, createAdmission } from '../../src/engine/process/admit.ts'
import { createLog } from '../../src/log.ts'
import { createDatabase } from '../harness/postgres.ts'

let database: Database
let admission: Admission
let drop: () => Promise<void>
beforeAll(async () => {
  const made = await createDatabase()
  drop = made.drop
  database = openDatabase(made.url)
  admission = await createAdmission({
    database,
    databaseUrl: made.url,
    clock: systemClock,
    log: createLog({ level: 'silent' }),
    limits: { tierCaps: {}, organisationRuns: 100 },
  })
})
afterAll(async () => {
  await admission?.stop()
  await database?.destroy()
  await drop?.()
})
/** Each test starts without queued, running or offered runs. */
beforeEach(async () => {
  await sql`update runs set status = 'cancelled' where status in ('queued', 'in_progress')`.execute(database)
  await sql`delete from destination_leases`.execute(database)
  await sql`delete from worker_hosts`.execute(database)
})

/** An organisation with one source and a destination for each run; the runs are requested one after the other. */
async function organisationWithRuns(name: string, runs: number): Promise<{ id: string; runs: string[] }> {
  const id = randomUUID()
  await sql`insert into organisations (id, name, name_key, store_migration_enabled) values (${id}, ${name}, ${id}, true)`.execute(
    database,
  )
  const source = await store(id)
  const ids: string[] = []
  for (let at = 0; at < runs; at++) ids.push(await queuedRun(id, source, await store(id)))
  return { id, runs: ids }
}

async function store(organisationId: string): Promise<string> {
  const id = randomUUID()
  const hash = id.replaceAll('-', '').slice(0, 20)
  await sql`insert into stores (id, organisation_id, hash, label, token_encrypted) values (${id}, ${organisationId}, ${hash}, 'shop', '')`.execute(
    database,
  )
  return id
}

async function queuedRun(organisationId: string, source: string, destination: string): Promise<string> {
  const id = randomUUID()
  await sql`
    insert into runs (id, organisation_id, source_store_id, destination_store_id, mode, conflict_strategy, auto_heal, settings,
      selective, phases, status, created_at)
    values (${id}, ${organisationId}, ${source}, ${destination}, 'full', 'skip', false, '{}', false, '[]', 'queued',
      -- No host forecasts it, so it has waited for that in vain.
      clock_timestamp() - interval '1 minute')`.execute(database)
  await sql`insert into run_leases (run_id) values (${id})`.execute(database)
  return id
}

const host = (name: string, maxRuns: number) => renewHost(database, name, { maxRuns, memoryMiB: 65_536, tierCaps: {} })

async function inProgress(): Promise<{ id: string; organisationId: string }[]> {
  const { rows } = await sql<{ id: string; organisationId: string }>`
    select id, organisation_id as "organisationId" from runs where status = 'in_progress' order by id`.execute(database)
  return rows
}

/** The organisations of these runs in the order in which they were admitted. */
async function turnsOf(runs: string[]): Promise<string[]> {
  const { rows } = await sql<{ organisation: string }>`
    select organisation_id as organisation from admissions where run_id = any(${runs}::uuid[]) order by turn`.execute(
    database,
  )
  return rows.map(({ organisation }) => organisation)
}

test.each([
  1, 2, 3,
])('A1: two organisations with ten runs each take turns in any order of completion, and neither gets two ahead (seed %i)', async (seed) => {
  const random = seededRandom(seed)
  const ours = await organisationWithRuns('Ours', 10)
  const theirs = await organisationWithRuns('Theirs', 10)
  for (const name of ['a', 'b', 'c']) await host(name, 2)
  await admission.admit()
  for (let running = await inProgress(); running.length > 0; running = await inProgress()) {
    expect(running.length).toBeLessThanOrEqual(6)
    const ending = running[Math.floor(random() * running.length)]
    if (ending) await database.transaction().execute((tx) => leaveInProgress(tx, ending, 'completed'))
    await admission.admit()
  }
  const turns = await turnsOf([...ours.runs, ...theirs.runs])
  expect(turns).toHaveLength(20)
  let ahead = 0
  for (const organisation of turns) {
    ahead += organisation === ours.id ? 1 : -1
    expect(Math.abs(ahead)).toBeLessThanOrEqual(1)
  }
})

test('A1: concurrent admissions never give out a slot twice, and every admitted run has one job', async () => {
  const { runs } = await organisationWithRuns('Many', 8)
  await host('a', 3)
  await host('b', 2)
  await Promise.all(Array.from({ length: 10 }, () => admission.admit()))
  const admitted = (await inProgress()).map(({ id }) => id)
  expect(admitted).toHaveLength(5)
  const jobs = await sql<{ run: string }>`
    select singleton_key as run from pgboss.job where state = 'created' and singleton_key = any(${runs})`.execute(
    database,
  )
  expect(jobs.rows.map(({ run }) => run).sort()).toEqual(admitted.sort())
})

test('A1: an admitted run whose job was lost gets exactly one new job', async () => {
  const { runs } = await organisationWithRuns('Lost', 1)
  await host('a', 1)
  await admission.admit()
  await sql`delete from pgboss.job where singleton_key = any(${runs})`.execute(database)
  await admission.admit()
  await admission.admit()
  const jobs = await sql`select from pgboss.job where singleton_key = any(${runs})`.execute(database)
  expect(jobs.rows).toHaveLength(1)
})

test.each([
  { host: 1, process: 1, isLeft: false },
  { host: 60, process: 1, isLeft: false },
  { host: 1, process: 60, isLeft: false },
  { host: 60, process: 60, isLeft: true },
])('A4: a job is left if neither its host nor the process of its run was heard from: $host s and $process s ago', async ({
  host: hostSeconds,
  process: processSeconds,
  isLeft,
}) => {
  const { runs } = await organisationWithRuns('Left', 1)
  await host('a', 1)
  await admission.admit()
  await sql`
    insert into run_leases (run_id, heartbeat_at) select id, now() - make_interval(secs => ${processSeconds}) from runs
    where id = any(${runs}) on conflict (run_id) do update set heartbeat_at = excluded.heartbeat_at`.execute(database)
  await sql`
    update pgboss.job set state = 'active', heartbeat_on = now() - make_interval(secs => ${hostSeconds})
    where singleton_key = any(${runs})`.execute(database)
  expect(await findLeftJobs(database)).toHaveLength(isLeft ? 1 : 0)
  await sql`delete from pgboss.job where singleton_key = any(${runs})`.execute(database)
})

test('A1: no run is admitted for a host that stopped reporting or is draining', async () => {
  await organisationWithRuns('Waiting', 3)
  await host('frozen', 1)
  await host('draining', 1)
  await sql`update worker_hosts set seen_at = now() - interval '1 minute' where name = 'frozen'`.execute(database)
  await withdrawHost(database, 'draining')
  await admission.admit()
  expect(await inProgress()).toEqual([])
  await host('frozen', 1)
  await admission.admit()
  expect(await inProgress()).toHaveLength(1)
})

test('A2: no organisation reads a store as a source while another writes to it, nor the reverse', async () => {
  const [ours, theirs] = [await organisationWithRuns('Writes', 0), await organisationWithRuns('Reads', 0)]
  const [from, to, elsewhere] = [await store(ours.id), await store(ours.id), await store(theirs.id)]
  const same = await store(theirs.id)
  await sql`update stores set hash = (select hash from stores where id = ${to}) where id = ${same}`.execute(database)
  await host('a', 10)
  const first = await queuedRun(ours.id, from, to)
  const second = await queuedRun(theirs.id, same, elsewhere)
  await admission.admit()
  expect((await inProgress()).map(({ id }) => id)).toEqual([first])
  await database.transaction().execute((tx) => leaveInProgress(tx, { id: first, organisationId: ours.id }, 'completed'))
  const third = await queuedRun(ours.id, from, to)
  await admission.admit()
  expect((await inProgress()).map(({ id }) => id)).toEqual([second])
  await database
    .transaction()
    .execute((tx) => leaveInProgress(tx, { id: second, organisationId: theirs.id }, 'completed'))
  await admission.admit()
  expect((await inProgress()).map(({ id }) => id)).toEqual([third])
})
