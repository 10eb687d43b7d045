import { expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { longTest } from '../harness/long-form.ts'
import { aWorld } from '../harness/world.ts'
import { issuesOfTwoRuns, unreported } from '../kills/unreported.ts'
import { callStore } from './call-store.ts'
import { issuesBy } from './healing-story.ts'
import { behind, untilShown } from './stale-lists-story.ts'

const entities = ['brands', 'blog-posts', 'banners']
const creations = ['/v3/catalog/brands$', '/v2/blog/posts$', '/v2/banners$']

const aWorldBehind = () => aWorld({ entities, requestTimeoutSeconds: 1, switches: behind })

longTest(
  'G1: with lists and filters that are behind by a random time, a copy loses nothing and makes nothing twice, nor does an `update` once they show it',
  async () => {
    const world = await aWorldBehind()
    expect(await world.complete()).toMatchObject({ status: 'completed', failuresOpen: 0 })
    await untilShown(world)
    expect(await world.complete({ conflictStrategy: 'update' })).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await unreported(world, [], entities)).toEqual([])
  },
)

longTest(
  'G1: an `update` before any list shows the copies finds each by its address, and makes none twice that the platform would accept',
  async () => {
    const alike = ['blog-posts', 'scripts', 'banners']
    // So long that no list has caught up by then.
    const world = await aWorld({ entities: alike, switches: { destination: { lists_behind_ms: 3_600_000 } } })
    // Banners name them.
    await world.complete({ entities: ['brands'] })
    const first = await world.complete()
    const second = await world.complete({ conflictStrategy: 'update' })
    expect(await issuesBy(world, second.requestId)).toEqual([])
    expect(await unreported(world, [], alike)).toEqual([])
    for (const { created } of first.phases) expect(created).toBeGreaterThan(0)
  },
)

const texas = { country_code: 'US', subdivision_codes: ['TX'], postal_codes: [] }

test.each([
  ['tax zone', '/v3/tax/zones', { shopper_target_settings: { locations: [texas], customer_groups: [] } }],
  ['tax rate', '/v3/tax/rates', { tax_zone_id: 1, class_rates: [{ rate: 1, tax_class_id: 0 }] }],
])('G1: an `update` waits for a %s just made, which no address shows, and does not make it twice', async (_what, path, fields) => {
  let skippedMs = 0
  const sleep = async (ms: number, signal?: AbortSignal) => {
    if (ms < 600_000) return systemClock.sleep(ms, signal)
    skippedMs += ms
    await world.switchTo('destination', { lists_behind_ms: 0 })
  }
  const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + skippedMs, sleep }
  const world = await aWorld({ entities: ['tax-zones'], settleSeconds: 3_600, clock })
  await world.complete({ entities: ['tax-classes', 'customer-groups', 'tax-zones'] })
  await callStore(world, 'source', 'POST', path, [{ name: 'New', ...fields }])
  // So long that no list shows it.
  await world.switchTo('destination', { lists_behind_ms: 1e9 })
  await world.complete()
  const update = await world.complete({ conflictStrategy: 'update' })
  expect(await issuesBy(world, update.requestId)).toEqual([])
  expect(await unreported(world, [], ['tax-zones', 'tax-rates'])).toEqual([])
  expect(skippedMs).toBeGreaterThan(0)
})

longTest(
  'G10: if answers are lost, too, what is made twice because no list shows it yet is reported by that run or the next',
  async () => {
    const world = await aWorldBehind()
    for (const path of creations)
      for (const kind of ['reset_after_applying', 'error_after_applying'] as const)
        await world.fault('destination', { kind, method: 'POST', path })
    const issues = await issuesOfTwoRuns(world, async () => {
      expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual(creations.flatMap(() => [1, 1]))
      await untilShown(world)
    })
    expect(await unreported(world, issues, entities)).toEqual([])
  },
)
