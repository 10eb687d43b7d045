import { expect, test } from 'vitest'
import { seedsToTell, tellEdits } from './story.ts'

test.each(
  seedsToTell(12, 16, 21),
)('whatever people edit in two stores with two storefronts, runs over one of these and over the whole store do what their dry run said, and the next one has nothing to do (seed %i)', {
  timeout: 1_200_000,
}, async (seed) => {
  const { log, wrong } = await tellEdits({ seed, storefronts: true, rounds: 4 })
  expect(wrong, log.join('\n')).toEqual([])
})
