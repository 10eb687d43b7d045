import { expect, test } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { aWorld } from '../harness/world.ts'
import { expectCountersToEqualTheLedger } from './counted.ts'
import {
  addStorefront,
  editTheFirst,
  expectOutletUnchangedBy,
  firstPair,
  outletPair,
  shownBy,
} from './two-storefronts.ts'

test.each([
  'update',
  'replace',
])('D3: under %s a run over all entities of the first storefront leaves the second unchanged byte for byte', async (conflictStrategy) => {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts', destination: 'tiny-two-storefronts' } })
  await editTheFirst(world)
  await expectOutletUnchangedBy(world, async () => {
    const limits = { pruneLimitPercent: 100, pruneLimitItems: 1000 }
    const run = await world.complete({ ...firstPair, conflictStrategy, ...limits })
    expect(run).toMatchObject({ status: 'completed', ...firstPair })
    await expectCountersToEqualTheLedger(world, run.requestId)
  })
  const expected = shownBy(await world.state('source'), 1)
  const shown = shownBy(await world.state('destination'), 1)
  expect(shown.products).toEqual(expected.products)
  const extra = shown.categories.filter((category) => !expected.categories.includes(category))
  expect(extra.map((one) => one.trim())).toEqual(conflictStrategy === 'replace' ? [] : ['/Only There'])
})

test('D3: after two storefront runs, an update of the whole store makes it equal to the source', async () => {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' } })
  await addStorefront(world)
  await world.complete({ ...(await outletPair(world)), entities: ['categories', 'brands', 'products'] })
  expect(await world.complete(firstPair)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  // The storefront runs copied no stock and only the default location: existing products get their stock only on request.
  const run = await world.complete({ conflictStrategy: 'update', overwriteLiving: ['inventory'] })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(compareStores(await world.state('source'), await world.state('destination'))).toEqual([])
})
