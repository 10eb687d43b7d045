import { expect, test } from 'vitest'
import { until } from '../harness/until.ts'
import { aWorld, type World } from '../harness/world.ts'
import { unreported } from '../kills/unreported.ts'

/** Three times as long as a world waits before it looks for an unconfirmed write, as 300 s are to 105 s. */
const behindMs = 6_000

const entities = ['brands', 'blog-posts', 'banners']
const creations = ['/v3/catalog/brands$', '/v2/blog/posts$', '/v2/banners$']

function aWorldBehind(): Promise<World> {
  return aWorld({
    entities,
    requestTimeoutSeconds: 1,
    switches: { source: { lists_behind_ms: behindMs }, destination: { lists_behind_ms: behindMs } },
  })
}

/** The lists show everything by now. */
async function untilShown(world: World): Promise<void> {
  const writes = (await world.requests('destination')).filter(({ method }) => method !== 'GET')
  const last = Math.max(...writes.map(({ at }) => Date.parse(at)))
  await until('the lists have caught up', async () => Date.now() > last + behindMs)
}

test('G1: with lists and filters that are behind by a random time, a copy loses nothing and makes nothing twice, nor does an `update` once they show it', async () => {
  const world = await aWorldBehind()
  expect(await world.complete()).toMatchObject({ status: 'completed', failuresOpen: 0 })
  await untilShown(world)
  expect(await world.complete({ conflictStrategy: 'update' })).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await unreported(world, [], entities)).toEqual([])
})

test('G10: if answers are lost, too, what is made twice because no list shows it yet is reported by that run or the next', async () => {
  const world = await aWorldBehind()
  for (const path of creations)
    for (const kind of ['reset_after_applying', 'error_after_applying'] as const)
      await world.fault('destination', { kind, method: 'POST', path })
  const first = await world.migrate()
  await world.finished(first)
  expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual(creations.flatMap(() => [1, 1]))
  await untilShown(world)
  const second = await world.migrate()
  await world.finished(second)
  const issues = [...(await world.issues(first)), ...(await world.issues(second))]
  expect(await unreported(world, issues, entities)).toEqual([])
})
