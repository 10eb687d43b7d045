import { expect, test } from 'vitest'
import { PROFILES } from '../../sandbox/store/profiles.ts'
import { aProbedStore, leftBehind } from '../probe/a-probed-store.ts'
import { expectRemovedAfterKill } from '../probe/killed-probe.ts'

const profiles = Object.keys(PROFILES)

test.each(profiles)('the whole probe leaves nothing behind in a store that answers %s', async (profile) => {
  const { probe, stateNow } = await aProbedStore({ profile, seed: 'tiny-catalogue' })
  const before = await stateNow()
  const { after, observations } = await probe({ quick: false })
  expect(after.left).toEqual([])
  expect(observations.length).toBeGreaterThan(700)
  expect(leftBehind(before, await stateNow())).toEqual([])
})

test.each(
  Array.from({ length: 20 }, (_none, at) => [at, profiles[at % profiles.length]] as const),
)('killed at a random moment, it leaves nothing behind after the next start (%i, %s)', async (at, profile) => {
  await expectRemovedAfterKill({ quick: at % 10 !== 0, moment: Math.random(), profile })
})
