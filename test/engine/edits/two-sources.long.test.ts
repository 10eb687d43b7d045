import { expect, test } from 'vitest'
import { seedsToTell, tellEdits } from './story.ts'

test.each(
  seedsToTell(1),
)('whatever people edit in two sources and the destination that both are copied to, runs over each do what their dry run said, and the next one has nothing to do (seed %i)', {
  timeout: 1_200_000,
}, async (seed) => {
  const { log, wrong } = await tellEdits({ seed, twoSources: true, rounds: 4 })
  expect(wrong, log.join('\n')).toEqual([])
})
