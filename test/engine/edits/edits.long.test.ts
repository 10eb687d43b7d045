import { expect, test } from 'vitest'
import { seedsToTell, tellEdits } from './story.ts'

test.each(
  seedsToTell(22, 24, 26),
)('whatever people exchange, empty, move, make again, add and delete in two stores, a run does what its dry run said, verify sees what differs, and the next run has nothing to do (seed %i)', {
  timeout: 1_200_000,
}, async (seed) => {
  const { log, wrong } = await tellEdits({ seed })
  expect(wrong, log.join('\n')).toEqual([])
})
