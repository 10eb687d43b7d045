import { describe, expect, test } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { linesOfFindings } from '../comparison/report-lines.ts'
import { isLong, longTest } from '../harness/long-form.ts'
import { aWorld, type World, type WorldOptions } from '../harness/world.ts'
import { untilWritten } from '../kills/moments.ts'
import { comparedWithItsPlan } from './planned.ts'

/** A partial run. What was not requested is missing at the destination, and the expected result includes that. */
interface Part {
  name: string
  seeds: WorldOptions['seeds']
  settings(world: World): Promise<object>
}

const picked: Part = {
  name: 'picked products',
  seeds: { source: 'tiny' },
  settings: async (world) => {
    const { products = [] } = await world.state('source')
    const ids = products.slice(2, 7).map(({ id }) => String(id))
    return { selection: { products: { ids } } }
  },
}

const oneStorefront: Part = {
  name: 'one storefront of each store',
  seeds: { source: 'tiny-two-storefronts', destination: 'empty' },
  settings: async () => ({ sourceStorefront: '1', destStorefront: '1' }),
}

const parts = isLong ? [picked, oneStorefront] : [picked]

const comesTo = async (world: World) =>
  linesOfFindings(compareStores(await world.state('source'), await world.state('destination')))

/** The result of an undisturbed partial run. */
async function undisturbed({ seeds, settings }: Part): Promise<string[]> {
  const world = await aWorld({ seeds })
  await world.complete(await settings(world))
  return comesTo(world)
}

async function expectAsUndisturbed(part: Part, world: World, id: string): Promise<void> {
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await comesTo(world)).toEqual(await undisturbed(part))
  expect((await world.requests('source')).every(({ method }) => method === 'GET')).toBe(true)
}

const lost = ['^/v3/catalog/brands$', '^/v3/catalog/trees/categories$', '^/v3/catalog/products$']

describe.each(parts)('$name', (part) => {
  const { seeds, settings } = part

  test('F2: a dry run announces what the run does', async () => {
    const world = await aWorld({ seeds })
    const { onlyPlanned, onlyDone } = await comparedWithItsPlan(world, await settings(world))
    expect({ onlyPlanned, onlyDone }).toEqual({ onlyPlanned: [], onlyDone: [] })
    expect((await comesTo(world)).length).toBeGreaterThan(0)
  })

  longTest('B2: a run whose process dies twice ends with the result of an undisturbed run', async () => {
    // Delayed answers, so that writes are in flight at any moment.
    const world = await aWorld({ seeds, separateHost: true, latencyMs: 15, settleSeconds: 0 })
    const id = await world.migrate(await settings(world))
    for (const writes of [2, 6]) {
      await untilWritten(world, writes)
      await world.killChild()
    }
    await expectAsUndisturbed(part, world, id)
  })

  longTest(
    'B2: a run with a lost answer and a 500 for brands, categories and products ends with the result of an undisturbed run',
    async () => {
      const world = await aWorld({ seeds, settleSeconds: 0 })
      for (const path of lost) {
        const once = { method: 'POST', path, times: 1 }
        await world.fault('destination', { kind: 'reset_after_applying', ...once })
        await world.fault('destination', { kind: 'error_before_applying', status: 500, ...once })
      }
      const id = await world.migrate(await settings(world))
      await expectAsUndisturbed(part, world, id)
      expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual(lost.flatMap(() => [1, 1]))
    },
  )
})
