import { test } from 'vitest'
import { expectChurnToDoNoHarm } from './expect-no-harm.ts'

const timeout = 3_600_000
const strategies = ['skip', 'update', 'replace'] as const

/** A story that failed happens again by its seed. */
const { STOREFERRY_SEED: only } = process.env
const seeds = only === undefined ? Array.from({ length: 20 }, (_, at) => at + 1) : [Number(only)]

test.each(seeds)(
  'G1, G2: while items of both stores are added, deleted, renamed and edited, each that the source has throughout is copied once by `skip`, then `update`, then `replace` (seed %i)',
  { timeout },
  (seed) => expectChurnToDoNoHarm({ seed, strategies }),
)
