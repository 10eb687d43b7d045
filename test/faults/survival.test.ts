import { expect, test } from 'vitest'
import { addCatalogueParts } from '../comparison/more-catalogue.ts'
import { longTest } from '../harness/long-form.ts'
import { aWorld } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { likeTheBornOne, showTheme } from '../show-theme.ts'
import { awkwardTruth } from './awkward-truth.ts'
import { reads, writesOf } from './fault-subjects.ts'
import type { Subject } from './subject.ts'
import { nothing } from './truth.ts'
import { callKinds, expectGoodCopy, kindsOfCalls, Weather } from './weather.ts'

// Every kind for every call of every entity, and all of them together: survival.long.test.ts.
const catalogue = [
  'locations',
  'categories',
  'category-metafields',
  'brands',
  'brand-metafields',
  'category-product-order',
]

/** Calls that move a catalogue. */
function isOfCatalogue({ components }: Subject): boolean {
  return components.every((component) => catalogue.includes(component) || /^products?(-|$)/.test(component))
}

longTest(
  'a catalogue is copied as on a good day although its calls fail, with every kind of fault except late writes',
  async () => {
    // A used-up quota ends after a second instead of half a minute.
    const quota = { requests: 1_000_000, windowMs: 1_000 }
    const quotas = { source: quota, destination: quota }
    const world = await aWorld({ processes: false, catalogueOnly: true, requestTimeoutSeconds: 1, quotas })
    await addCatalogueParts(world, 'source')
    await world.resetRequests('source')
    const weather = new Weather(world)
    const calls: [Side, Subject][] = [
      ...writesOf(await world.state('source')).map((call): [Side, Subject] => ['destination', call]),
      ...reads.source.map((call): [Side, Subject] => ['source', call]),
      ...reads.destination.map((call): [Side, Subject] => ['destination', call]),
    ]
    // Late writes take real time: test/engine/unconfirmed-writes.test.ts.
    const kinds = callKinds.filter((kind) => kind !== 'apply_late')
    for (const [at, [side, call]] of calls.filter(([, call]) => isOfCatalogue(call)).entries()) {
      const kind = kinds[at % kinds.length] ?? 'slow'
      await weather.plant(side, kind, call, kindsOfCalls[kind])
    }
    const run = await world.complete()
    const met = [...(await world.faults('source')), ...(await world.faults('destination'))].filter(
      ({ hits }) => hits > 0,
    )
    expect(new Set(met.map(({ kind }) => kind))).toEqual(new Set(kinds))
    await expectGoodCopy(world, run, nothing)
  },
)

test('a catalogue is complete although every list of both stores ends early once, and the destination shows stock late', async () => {
  const world = await aWorld({ catalogueOnly: true, switches: { destination: { inventory_lag_ms: 500 } } })
  await addCatalogueParts(world, 'source')
  await world.resetRequests('source')
  const weather = new Weather(world)
  for (const side of ['source', 'destination'] as const)
    for (const call of reads[side].filter(isOfCatalogue)) await weather.plant(side, 'list_ends_early', call)
  const run = await world.complete()
  const met = (await world.faults('source')).filter(({ hits }) => hits > 0).map(({ path }) => path)
  expect(met).toEqual(expect.arrayContaining(['^/v3/catalog/products$', '^/v3/catalog/brands$']))
  await expectGoodCopy(world, run, nothing)
})

test('the copy of a store with everything that is awkward lacks only what cannot be copied, and each such item has its issue', async () => {
  const world = await aWorld({ seeds: { source: 'awkward' }, processes: false })
  await showTheme(world, await likeTheBornOne(world))
  await world.resetRequests('source')
  const run = await world.finished(await world.migrate(), { seconds: 300 })
  await expectGoodCopy(world, run, awkwardTruth)
})
