import { expect, test } from 'vitest'
import { seedsToTell, tellEdits } from './story.ts'

// Kills come at other moments when it is told again.
test.each(
  seedsToTell(3),
)('B2: runs between two edited stores whose processes are killed, and that are paused and resumed, do what their dry runs said, all of it once (seed %i)', {
  timeout: 1_200_000,
}, async (seed) => {
  const { log, wrong } = await tellEdits({ seed, disturbed: true })
  expect(wrong, log.join('\n')).toEqual([])
})
