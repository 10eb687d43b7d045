import { expect, test } from 'vitest'
import { tellEdits } from './story.ts'

/** A story that failed happens again by its seed. */
const { STOREFERRY_SEED: only } = process.env
const seeds = only === undefined ? [22, 24, 26] : [Number(only)]

test.each(
  seeds,
)('whatever people exchange, empty, move, make again, add and delete in two stores, a run does what its dry run said, verify sees what differs, and the next run has nothing to do (seed %i)', {
  timeout: 1_200_000,
}, async (seed) => {
  const { log, wrong } = await tellEdits({ seed })
  expect(wrong, log.join('\n')).toEqual([])
})
