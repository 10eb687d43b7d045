import { expect, test } from 'vitest'
import { aWorldOfCreators, creators } from '../kills/creators.ts'
import { timeout } from '../kills/moments.ts'
import { issuesOfTwoRuns, unreported } from '../kills/unreported.ts'
import { behind, untilShown } from './stale-lists-story.ts'

test('G1: a whole store is copied, with lists that are behind by a random time, without anything that is lost or there twice unreported', {
  timeout,
}, async () => {
  const world = await aWorldOfCreators({ switches: behind })
  expect(await unreported(world, await issuesOfTwoRuns(world, () => untilShown(world)))).toEqual([])
})

test('G10: with the answer of one write of every component lost as well, what is there twice is reported by that run or the next', {
  timeout,
}, async () => {
  const world = await aWorldOfCreators({ switches: behind })
  for (const { write } of creators) await world.fault('destination', { kind: 'reset_after_applying', ...write })
  const issues = await issuesOfTwoRuns(world, () => untilShown(world))
  const missed = (await world.faults('destination')).filter(({ hits }) => hits === 0).map(({ path }) => path)
  // A category whose lost write no list shows in time is taken for somebody else's, and `skip` leaves the order in it alone.
  const orders = creators.filter(({ component }) => component === 'category-product-order')
  expect(missed.filter((path) => !orders.some(({ write }) => write.path === path))).toEqual([])
  expect(await unreported(world, issues)).toEqual([])
})
