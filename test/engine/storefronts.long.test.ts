import { expect, test } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { aWorld } from '../harness/world.ts'
import { expectCountersToEqualTheLedger } from './counted.ts'
import {
  addStorefront,
  editTheFirst,
  expectOutletUntouchedBy,
  firstPair,
  outletPair,
  shownBy,
} from './two-storefronts.ts'

test.each([
  'update',
  'replace',
])('D3: whatever a store has, the second of two storefronts is the same byte for byte, under %s', async (conflictStrategy) => {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts', destination: 'tiny-two-storefronts' } })
  await editTheFirst(world)
  await expectOutletUntouchedBy(world, async () => {
    const limits = { pruneLimitPercent: 100, pruneLimitItems: 1000 }
    const run = await world.complete({ ...firstPair, conflictStrategy, ...limits })
    expect(run).toMatchObject({ status: 'completed', ...firstPair })
    await expectCountersToEqualTheLedger(world, run.requestId)
  })
  const wanted = shownBy(await world.state('source'), 1)
  const shown = shownBy(await world.state('destination'), 1)
  expect(shown.products).toEqual(wanted.products)
  const extra = shown.categories.filter((category) => !wanted.categories.includes(category))
  expect(extra.map((one) => one.trim())).toEqual(conflictStrategy === 'replace' ? [] : ['/Only There'])
})

test('D3: a run over the whole store finds everything that two pairs copied and makes the rest the same', async () => {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' } })
  await addStorefront(world)
  await world.complete({ ...(await outletPair(world)), entities: ['categories', 'brands', 'products'] })
  expect(await world.complete(firstPair)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  // The pairs copied no stock, and no location but the default one: products that stand there get it only when asked for.
  const run = await world.complete({ conflictStrategy: 'update', overwriteLiving: ['inventory'] })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(compareStores(await world.state('source'), await world.state('destination'))).toEqual([])
})
