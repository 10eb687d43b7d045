import { test } from 'vitest'
import { PROFILES } from '../../sandbox/store/profiles.ts'
import { expectToBeCopied } from './profiles.ts'

test.each(
  Object.keys(PROFILES),
)('an old shop is copied to a store that answers as %s: all products, all orders, no children lost', async (profile) => {
  await expectToBeCopied(profile)
})
