import { test } from 'vitest'
import { aWorld } from '../harness/world.ts'
import { copyBesideAnotherApp } from './quota-story.ts'

test('E4: a copy of a whole store on the standard plan leaves a tenth of the first window to others, and is never refused', async () => {
  const world = await aWorld({ plan: 'standard' })
  // 150 calls in 30 s, a tenth of them reserved for others: beside these, the calls of a copy do not fit into one window.
  await copyBesideAnotherApp(world, { quota: 150, windowMs: 30_000, calls: 110 })
})
