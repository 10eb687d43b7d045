import { expect, test } from 'vitest'
import { tellEdits } from './story.ts'

/** A story that failed happens again by its seed. */
const { STOREFERRY_SEED: only } = process.env
const seeds = only === undefined ? [1] : [Number(only)]

test.each(
  seeds,
)('whatever people edit in two sources and the destination that both are copied to, runs over each do what their dry run said, and the next one has nothing to do (seed %i)', {
  timeout: 1_200_000,
}, async (seed) => {
  const { log, wrong } = await tellEdits({ seed, twoSources: true, rounds: 4 })
  expect(wrong, log.join('\n')).toEqual([])
})
