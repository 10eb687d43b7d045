import { test } from 'vitest'
import { expectChurnToDoNoHarm } from './expect-no-harm.ts'

test.each([
  { seed: 17, strategies: ['skip'] },
  { seed: 19, strategies: ['skip', 'update'] },
  { seed: 20, strategies: ['skip', 'replace'] },
] as const)('G1, G2: while items of both stores are added, deleted, renamed and edited, each that the source has throughout is copied once (seed $seed: $strategies)', (options) =>
  expectChurnToDoNoHarm(options))
