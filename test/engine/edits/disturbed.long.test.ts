import { expect, test } from 'vitest'
import { tellEdits } from './story.ts'

/** A story that failed is told again by its seed, but kills come at other moments. */
const { STOREFERRY_SEED: only } = process.env
const seeds = only === undefined ? [3] : [Number(only)]

test.each(
  seeds,
)('B2: runs between two edited stores whose processes are killed, and that are paused and resumed, do what their dry runs said, all of it once (seed %i)', {
  timeout: 1_200_000,
}, async (seed) => {
  const { log, wrong } = await tellEdits({ seed, disturbed: true })
  expect(wrong, log.join('\n')).toEqual([])
})
