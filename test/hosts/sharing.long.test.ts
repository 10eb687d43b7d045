import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { expectCountersToEqualTheLedger } from '../engine/counted.ts'
import { tally } from '../harness/tally.ts'
import { aWorld } from '../harness/world.ts'

/**
 * The runs need the calls of several windows, so that together they reach the end of one. The reserve is larger than the first,
 * blind calls of five runs and three servers, as with every plan of the platform: what others report of a window is up to a
 * second old, or not reported yet.
 */
const quota = { requests: 100, windowMs: 10_000 }
const destinations = ['one', 'two', 'three', 'four']

test('A1, E4: five runs on three hosts share one source within its quota, and each is complete', {
  timeout: 180_000,
}, async () => {
  const world = await aWorld({
    catalogueOnly: true,
    hosts: 3,
    latencyMs: 60,
    moreStores: destinations,
    quotas: { source: quota },
    settings: { maxRuns: 2, organisationRuns: 3 },
  })
  const theirs = await world.anotherOrganisation('Other Outfitters', ['source', 'three', 'four'])
  const runs = [
    { member: world, destination: 'destination' },
    { member: world, destination: 'one' },
    { member: world, destination: 'two' },
    { member: theirs, destination: 'three' },
    { member: theirs, destination: 'four' },
  ]
  const ids = await Promise.all(runs.map(({ member, destination }) => member.migrate({ destination })))
  for (const [at, { member }] of runs.entries())
    expect(await member.finished(String(ids[at]), { seconds: 150 })).toMatchObject({
      status: 'completed',
      failuresOpen: 0,
    })
  const requests = await world.requests('source')
  expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET']))
  const refused = requests.filter(({ status }) => status === 429)
  console.log(`Shared source: ${requests.length} calls, ${refused.length} refused for too many`)
  expect(refused.map(({ path, at }) => `${at} ${path}`)).toEqual([])
  const holders = await sql<{ holder: string }>`select distinct holder from run_leases`.execute(world.database)
  expect(holders.rows.length).toBeGreaterThan(1)
  for (const [at, { destination }] of runs.entries()) {
    expect((await world.requests(destination)).filter(({ status }) => status === 429)).toEqual([])
    expect(tally(await world.state('source'), await world.state(destination))).toEqual([])
    await expectCountersToEqualTheLedger(world, String(ids[at]))
  }
})
