import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { expectCountersToEqualTheLedger } from '../engine/counted.ts'
import { tally } from '../harness/tally.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World } from '../harness/world.ts'

/** The host whose child works on the run. */
async function hostAtWork(world: World): Promise<number> {
  return until('a host works on the run', async () => {
    for (const at of [0, 1, 2]) if ((await world.childPids(at).catch(() => [])).length > 0) return { at }
    return undefined
  }).then(({ at }) => at)
}

const writesOf = async (world: World) => (await world.requests('destination')).filter(({ method }) => method !== 'GET')

test('A3: while three hosts are drained and replaced in turn, a run stays in progress with a job, and nothing is copied twice or lost', {
  timeout: 180_000,
}, async () => {
  const world = await aWorld({ hosts: 3, latencyMs: 100, requestTimeoutSeconds: 10 })
  const run = await world.migrate()
  const statuses = new Set<string>()
  for (let replaced = 0; replaced < 3; replaced++) {
    const at = await hostAtWork(world)
    const before = (await writesOf(world)).length
    await until('it writes there', async () => (await writesOf(world)).length > before + 2)
    await world.killHost('SIGTERM', at)
    const { rows } = await sql<{ status: string; job: string | null }>`
        select status, (select state::text from pgboss.job where singleton_key = runs.id::text
          and state in ('created', 'retry', 'active')) as job from runs where id = ${run}`.execute(world.database)
    statuses.add(`${rows[0]?.status}, ${rows[0]?.job === null ? 'without a job' : 'with a job'}`)
    await world.startHost(at)
  }
  expect(await world.finished(run, { seconds: 90 })).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect([...statuses]).toEqual(['in_progress, with a job'])
  // No process died: a drain is no fault, leaves no unconfirmed write, and causes no repeated write.
  expect((await sql`select reason from restarts where run_id = ${run}`.execute(world.database)).rows).toEqual([])
  expect((await sql`select component from intents where run_id = ${run}`.execute(world.database)).rows).toEqual([])
  const lease = await sql<{ epoch: number }>`select epoch from run_leases where run_id = ${run}`.execute(world.database)
  expect(lease.rows[0]?.epoch).toBe(4)
  const [source, destination] = [await world.state('source'), await world.state('destination')]
  expect(tally(source, destination)).toEqual([])
  expect(compareStores(source, destination)).toEqual([])
  await expectCountersToEqualTheLedger(world, run)
})
