import { expect, test } from 'vitest'
import { addCatalogueParts } from '../comparison/more-catalogue.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World } from '../harness/world.ts'
import { creators } from '../kills/creators.ts'
import { timeout } from '../kills/moments.ts'
import { plantSpareValue } from '../kills/subjects.ts'
import { unreported } from '../kills/unreported.ts'

const behindMs = 6_000
const quota = { requests: 1_000_000, windowMs: 1_000 }

async function aStoreBehind(): Promise<World> {
  const world = await aWorld({
    requestTimeoutSeconds: 1,
    quotas: { source: quota, destination: quota },
    switches: { source: { lists_behind_ms: behindMs }, destination: { lists_behind_ms: behindMs } },
  })
  await plantSpareValue(world)
  await addCatalogueParts(world, 'source')
  return world
}

/** Copies, waits until the lists show everything, and copies again. @returns the issues of both */
async function copiedTwice(world: World) {
  const first = await world.migrate()
  await world.finished(first, { seconds: 900 })
  const writes = (await world.requests('destination')).filter(({ method }) => method !== 'GET')
  const last = Math.max(...writes.map(({ at }) => Date.parse(at)))
  await until('the lists have caught up', async () => Date.now() > last + behindMs)
  const second = await world.migrate()
  await world.finished(second, { seconds: 900 })
  return [...(await world.issues(first)), ...(await world.issues(second))]
}

test('G1: a whole store is copied, with lists that are behind by a random time, without anything that is lost or there twice unreported', {
  timeout,
}, async () => {
  const world = await aStoreBehind()
  expect(await unreported(world, await copiedTwice(world))).toEqual([])
})

test('G10: with the answer of one write of every component lost as well, what is there twice is reported by that run or the next', {
  timeout,
}, async () => {
  const world = await aStoreBehind()
  for (const { write } of creators) await world.fault('destination', { kind: 'reset_after_applying', ...write })
  const issues = await copiedTwice(world)
  const missed = (await world.faults('destination')).filter(({ hits }) => hits === 0)
  expect(missed.map(({ path }) => path)).toEqual([])
  expect(await unreported(world, issues)).toEqual([])
})
