import { test } from 'vitest'
import { aWorld } from '../harness/world.ts'
import { copyBesideAnotherApp } from './quota-story.ts'

test('E4: a copy of a whole store under the plan standard leaves a tenth of each window to others, and is never refused', async () => {
  const world = await aWorld({ plan: 'standard' })
  // 150 calls in 30 s, a tenth of them reserved for others: too few for the calls of a copy in one window.
  await copyBesideAnotherApp(world, { quota: 150, windowMs: 30_000, calls: 110 })
})
