import { expect, test } from 'vitest'
import { addCatalogueParts } from '../comparison/more-catalogue.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World } from '../harness/world.ts'
import { creators } from './creators.ts'
import { timeout } from './moments.ts'
import { plantSpareValue } from './subjects.ts'
import { unreported } from './unreported.ts'

/** Much longer than the time-out and the wait of a world, so that each write is sent again before. */
const lateSeconds = 6

/** Short forms, of orders and blog posts: test/engine/late-writes.test.ts. */
test('G10: one write of every component is applied after it was looked for and sent again: whatever is there twice is reported by that run or the next', {
  timeout,
}, async () => {
  const quota = { requests: 1_000_000, windowMs: 1_000 }
  const world = await aWorld({ requestTimeoutSeconds: 1, quotas: { source: quota, destination: quota } })
  await plantSpareValue(world)
  await addCatalogueParts(world, 'source')
  for (const { write } of creators)
    await world.fault('destination', { kind: 'apply_late', ...write, seconds: lateSeconds })
  const first = await world.migrate()
  await world.finished(first, { seconds: 900 })
  await expectAllHit(world)
  await untilApplied(world)
  const second = await world.migrate()
  await world.finished(second, { seconds: 900 })
  const issues = [...(await world.issues(first)), ...(await world.issues(second))]
  expect(issues.filter(({ code }) => code === 'possible_duplicate').length).toBeGreaterThan(5)
  expect(await unreported(world, issues)).toEqual([])
})

async function expectAllHit(world: World): Promise<void> {
  const hit = (await world.faults('destination')).filter(({ hits }) => hits > 0)
  expect(new Set(hit.map(({ path }) => path))).toEqual(new Set(creators.map(({ write }) => write.path)))
}

/** A request that is cut off after it was applied has no status, so the time since the last one tells. */
async function untilApplied(world: World): Promise<void> {
  const cut = (await world.requests('destination')).filter(({ method, status }) => method !== 'GET' && status === null)
  const last = Math.max(...cut.map(({ at }) => Date.parse(at)))
  await until('the last late write is applied', async () => Date.now() > last + (lateSeconds + 1) * 1000)
}
