import { expect, test } from 'vitest'
import { tellEdits } from './story.ts'

/** A story that failed happens again by its seed. */
const { STOREFERRY_SEED: only } = process.env
const seeds = only === undefined ? [12, 16, 21] : [Number(only)]

test.each(
  seeds,
)('whatever people edit in two stores with two storefronts, runs over one of these and over the whole store do what their dry run said, and the next one has nothing to do (seed %i)', {
  timeout: 1_200_000,
}, async (seed) => {
  const { log, wrong } = await tellEdits({ seed, storefronts: true, rounds: 4 })
  expect(wrong, log.join('\n')).toEqual([])
})
