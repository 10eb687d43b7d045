import { describe, expect, test } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { linesOfFindings } from '../comparison/told-lines.ts'
import { expectSoundEnd } from '../harness/sound-end.ts'
import type { World, WorldOptions } from '../harness/world.ts'
import { inAWorld } from '../kills/in-a-world.ts'
import { untilWritten } from '../kills/moments.ts'
import { comparedWithItsPlan } from './planned.ts'

/** A run over part of a store. What nobody asked for is missing at the destination, and that is part of what it comes to. */
interface Part {
  seeds: WorldOptions['seeds']
  settings(world: World): Promise<object>
}

const parts: Record<string, Part> = {
  'picked products': {
    seeds: { source: 'tiny' },
    settings: async (world) => {
      const { products = [] } = await world.state('source')
      const ids = products.slice(2, 7).map(({ id }) => String(id))
      return { selection: { products: { ids } } }
    },
  },
  'one storefront of each store': {
    seeds: { source: 'tiny-two-storefronts', destination: 'empty' },
    settings: async () => ({ sourceStorefront: '1', destStorefront: '1' }),
  },
}

const comesTo = async (world: World) =>
  linesOfFindings(compareStores(await world.state('source'), await world.state('destination')))

/** What each part comes to when nobody disturbs it; found out once. */
const undisturbed = new Map<string, Promise<string[]>>()

async function expectAsUndisturbed(name: string, world: World, id: string): Promise<void> {
  expect(await world.finished(id, { seconds: 120 })).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await comesTo(world)).toEqual(await undisturbed.get(name))
  await expectSoundEnd(world, id)
  expect((await world.requests('source')).every(({ method }) => method === 'GET')).toBe(true)
}

/** Answers take a while, so that writes are on the way at any moment. */
const latencyMs = 40
const lost = ['^/v3/catalog/brands$', '^/v3/catalog/trees/categories$', '^/v3/catalog/products$']

describe.concurrent.each(Object.entries(parts))('%s', { timeout: 300_000 }, (name, { seeds, settings }) => {
  const told = Promise.withResolvers<string[]>()
  undisturbed.set(name, told.promise)
  // Whoever waits for it fails with it.
  told.promise.catch(() => undefined)

  test('F2: what a dry run says is what the run does', () =>
    inAWorld({ seeds }, async (world) => {
      try {
        const { onlyPlanned, onlyDone } = await comparedWithItsPlan(world, await settings(world))
        expect({ onlyPlanned, onlyDone }).toEqual({ onlyPlanned: [], onlyDone: [] })
        const lines = await comesTo(world)
        expect(lines.length).toBeGreaterThan(0)
        told.resolve(lines)
      } catch (error) {
        told.reject(error)
        throw error
      }
    }))

  test('a run whose process dies twice comes to the same', () =>
    inAWorld({ seeds, latencyMs }, async (world) => {
      const id = await world.migrate(await settings(world))
      for (const writes of [2, 6]) {
        await untilWritten(world, writes)
        await world.killChild()
      }
      await expectAsUndisturbed(name, world, id)
    }))

  test('a run that loses an answer of each kind comes to the same', () =>
    inAWorld({ seeds, requestTimeoutSeconds: 2, settleSeconds: 0 }, async (world) => {
      for (const path of lost) {
        const once = { method: 'POST', path, times: 1 }
        await world.fault('destination', { kind: 'reset_after_applying', ...once })
        await world.fault('destination', { kind: 'error_before_applying', status: 500, ...once })
      }
      const id = await world.migrate(await settings(world))
      await expectAsUndisturbed(name, world, id)
      expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual(lost.flatMap(() => [1, 1]))
    }))
})
