import { test } from 'vitest'
import { expectChurnToDoNoHarm } from './expect-no-harm.ts'

const timeout = 3_600_000

/** One story that failed happens again by its seed. */
const { STOREFERRY_SEED: only } = process.env
const seeds = only === undefined ? Array.from({ length: 20 }, (_, at) => at + 1) : [Number(only)]

test.each(seeds.flatMap((seed) => (['skip', 'update', 'replace'] as const).map((strategy) => ({ seed, strategy }))))(
  'G1, G2, G3: in busy stores each item that the source has throughout is copied once (seed $seed: $strategy)',
  {
    timeout,
  },
  ({ seed, strategy }) => expectChurnToDoNoHarm({ seed, strategies: ['skip', strategy], every: [10, 25] }),
)
