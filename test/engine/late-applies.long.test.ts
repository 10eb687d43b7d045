import { expect, test } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { until } from '../harness/until.ts'
import type { World } from '../harness/world.ts'
import { aWorldOfCreators, creators } from '../kills/creators.ts'
import { timeout } from '../kills/moments.ts'
import { issuesOfTwoRuns, unreported } from '../kills/unreported.ts'

/** Longer than a world waits for an answer, looks for the write and sends it again. */
const lateSeconds = 6

/** Components whose items the platform takes twice, since it has no key for them. */
const withoutKey = ['banners', 'promotions', 'scripts', 'shipping-zones', 'tax-rates', 'widget-templates', 'wishlists']

/** The store has applied all that it is still going to apply late. */
async function untilApplied(world: World): Promise<void> {
  const requests = await world.requests('destination')
  const last = Math.max(0, ...requests.filter(({ method }) => method !== 'GET').map(({ at }) => Date.parse(at)))
  await until('late writes are applied', async () => Date.now() > last + lateSeconds * 1_000)
}

test('G10: with one write of every component applied after it was looked for and sent again, what is there twice is reported by that run or the next', {
  timeout,
}, async () => {
  const world = await aWorldOfCreators()
  for (const { write } of creators)
    await world.fault('destination', { kind: 'apply_late', seconds: lateSeconds, ...write })
  const issues = await issuesOfTwoRuns(world, () => untilApplied(world))
  const missed = (await world.faults('destination')).filter(({ hits }) => hits === 0).map(({ path }) => path)
  expect(missed).toEqual([])
  const findings = compareStores(await world.state('source'), await world.state('destination'))
  const twice = findings.flatMap(({ kind, entity }) => (kind === 'duplicate' ? [entity] : []))
  expect(twice).toEqual(expect.arrayContaining(withoutKey))
  const reported = issues.flatMap(({ code, component }) => (code === 'possible_duplicate' ? [component] : []))
  expect(reported).toEqual(expect.arrayContaining(twice))
  expect(await unreported(world, issues)).toEqual([])
})
