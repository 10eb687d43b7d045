import { expect, test } from 'vitest'
import { until } from '../harness/until.ts'
import type { World } from '../harness/world.ts'
import { aWorldOfCreators, creators, expectAllHit } from './creators.ts'
import { timeout } from './moments.ts'
import { issuesOfTwoRuns, unreported } from './unreported.ts'

/** Much longer than the time-out and the wait of a world, so that each write is sent again before. */
const lateSeconds = 6

/** Short forms, of orders and blog posts: test/engine/late-writes.test.ts. */
test('G10: one write of every component is applied after it was looked for and sent again: whatever is there twice is reported by that run or the next', {
  timeout,
}, async () => {
  const world = await aWorldOfCreators()
  for (const { write } of creators)
    await world.fault('destination', { kind: 'apply_late', ...write, seconds: lateSeconds })
  const issues = await issuesOfTwoRuns(world, async () => {
    await expectAllHit(world, creators)
    await untilApplied(world)
  })
  expect(issues.filter(({ code }) => code === 'possible_duplicate').length).toBeGreaterThan(5)
  expect(await unreported(world, issues)).toEqual([])
})

/** A request that is cut off after it was applied has no status, so the time since the last one tells. */
async function untilApplied(world: World): Promise<void> {
  const cut = (await world.requests('destination')).filter(({ method, status }) => method !== 'GET' && status === null)
  const last = Math.max(...cut.map(({ at }) => Date.parse(at)))
  await until('the last late write is applied', async () => Date.now() > last + (lateSeconds + 1) * 1000)
}
