import { test } from 'vitest'
import { expectChurnToDoNoHarm } from './expect-no-harm.ts'

test.each([
  { seed: 1, strategies: ['skip'] },
  { seed: 6, strategies: ['skip', 'update'] },
  { seed: 8, strategies: ['skip', 'replace'] },
] as const)('G1, G2: while items of both stores are added, deleted, renamed and edited, each that the source has throughout is copied once (seed $seed: $strategies)', (options) =>
  expectChurnToDoNoHarm(options))
