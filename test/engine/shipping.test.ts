import { expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { aWorld } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'
import { testEntityStory } from './entity-story.ts'
import { comparedWithItsPlan } from './planned.ts'
import { addStorefront, firstPair, outletOf, rows } from './two-storefronts.ts'

const judged = ['shipping-zones', 'shipping-methods']
const path = '/v2/shipping/zones'

testEntityStory({
  name: 'shipping zones',
  phases: ['shipping-zones'],
  component: 'shipping-zones',
  judged,
  table: 'shipping_zones',
  edit: { enabled: false },
  // Without methods, because these would be created again together with the zone.
  edited: ({ name }) => name === 'Nothing yet',
  creation: { method: 'POST', path: `${path}$` },
  onlyThere: (world) => callStore(world, 'destination', 'POST', path, { name: 'Only there', type: 'global' }),
  arrange: (world) => callStore(world, 'source', 'POST', path, { name: 'Nothing yet', type: 'global' }),
})

testEntityStory({
  name: 'shipping methods',
  phases: ['shipping-zones'],
  component: 'shipping-methods',
  judged,
  table: 'shipping_methods',
  edit: { settings: { rate: 1234.5 } },
  edited: ({ type }) => type === 'perorder',
  creation: { method: 'POST', path: `${path}/\\d+/methods$` },
  onlyThere: async (world) => {
    const [zone] = (await world.state('destination')).shipping_zones ?? []
    const method = { name: 'Only there', type: 'perorder', settings: { rate: 3 } }
    await callStore(world, 'destination', 'POST', `${path}/${zone?.id}/methods`, method)
  },
})

longTest(
  'shipping methods of carriers are left out with a warning, and everything else is copied, including methods of one name',
  async () => {
    const world = await aWorld({ seeds: { source: 'awkward' } })
    const run = await world.complete({ entities: ['shipping-zones'] })
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    const { shipping_zones = [], shipping_methods = [] } = await world.state('destination')
    expect(shipping_zones.length).toBe((await world.state('source')).shipping_zones?.length)
    const named = shipping_methods.filter(({ name }) => name === 'Same name')
    expect(named.map(({ type, settings }) => `${type} ${(settings as { rate: number }).rate}`).sort()).toEqual([
      'peritem 12.3456',
      'perorder 0',
      'perorder 12.3456',
    ])
    const reported = (await world.findings(run.requestId)).filter(({ component }) => component === 'shipping-methods')
    expect(reported.map(({ code, item }) => `${code} ${item.name ?? item.sourceId}`).sort()).toEqual([
      'not_copied Royal Mail',
      'not_copied UPS®',
      'not_copied carriers',
    ])
    expect(await counted(world, run.requestId)).toMatchObject({
      'shipping-zones': { discovered: 4, created: 4 },
      'shipping-methods': { discovered: 8, created: 6, skipped: 2 },
    })
  },
)

test('C4: a channel without a counterpart is left out of a shipping method, with a warning', async () => {
  const world = await aWorld({ seeds: { source: 'awkward' } })
  const run = await world.complete({ entities: ['shipping-zones'] })
  const { shipping_methods = [] } = await world.state('destination')
  expect(shipping_methods.find(({ name }) => name === 'Channel gone')?.channel_ids).toEqual([1])
  const reported = (await world.issues(run.requestId)).filter(({ code }) => code === 'reference_left_out')
  expect(reported.map(({ component, item }) => `${component} ${item.name}`)).toEqual(['shipping-methods Channel gone'])
})

test('C4, D3: a shipping method of a channel without a counterpart, or of another storefront than the chosen one, is not copied for no channel', async () => {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' }, entities: ['shipping-zones'] })
  const [zone] = (await world.state('source')).shipping_zones ?? []
  const outlet = await outletOf(world, 'source')
  const method = { name: 'Outlet only', type: 'perorder', settings: { rate: 0 }, channel_ids: [outlet] }
  await callStore(world, 'source', 'POST', `${path}/${zone?.id}/methods`, method)
  const copies = async () =>
    ((await world.state('destination')).shipping_methods ?? []).filter(({ name }) => name === 'Outlet only')
  const left: [object, RegExp][] = [
    [{}, /its channel has no counterpart/],
    [firstPair, /for other storefronts than the chosen one/],
  ]
  for (const [storefronts, why] of left) {
    const run = await world.complete(storefronts)
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await copies()).toEqual([])
    const reported = (await world.findings(run.requestId)).filter(({ item }) => item.name === 'Outlet only')
    expect(reported).toMatchObject([{ code: 'not_copied', message: expect.stringMatching(why) }])
  }
  await addStorefront(world)
  await world.complete()
  expect((await copies()).map(({ channel_ids }) => channel_ids)).toEqual([[await outletOf(world, 'destination')]])
})

longTest('D4: replace adopts a carrier’s method that the merchant added by hand, and does not delete it', async () => {
  const world = await aWorld({ seeds: { source: 'awkward' } })
  await world.complete({ entities: ['shipping-zones'] })
  const { shipping_methods = [] } = await world.state('destination')
  const zone = shipping_methods.find(({ name }) => name === 'Same name')?.zone_id
  const byHand = { name: 'UPS®', type: 'upsready', settings: { carrier_options: { delivery_services: ['Ground'] } } }
  await callStore(world, 'destination', 'POST', `${path}/${zone}/methods`, byHand)
  const limits = { pruneLimitPercent: 100, pruneLimitItems: 1000 }
  const run = await world.complete({ entities: ['shipping-zones'], conflictStrategy: 'replace', ...limits })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const ups = (await world.state('destination')).shipping_methods?.filter(({ name }) => name === 'UPS®')
  expect(ups).toMatchObject([{ settings: { carrier_options: { delivery_services: ['Express', 'Ground'] } } }])
})

test('D2, F2: under skip, a new method of a zone that somebody has made again at the destination is left out, as the dry run said', async () => {
  const world = await aWorld({ entities: ['shipping-zones'] })
  await world.complete()
  const zoneIn = async (side: Side) => {
    const found = (await rows(world, side, 'shipping_zones')).find(({ name }) => name === 'United States')
    return found ?? { id: 0 }
  }
  const { id, ...zone } = await zoneIn('destination')
  await callStore(world, 'destination', 'DELETE', `${path}/${id}`)
  await callStore(world, 'destination', 'POST', path, zone)
  const method = { name: 'New', type: 'perorder', settings: { rate: 3 } }
  await callStore(world, 'source', 'POST', `${path}/${(await zoneIn('source')).id}/methods`, method)
  expect(await comparedWithItsPlan(world, {})).toMatchObject({ onlyPlanned: [], onlyDone: [] })
  expect((await rows(world, 'destination', 'shipping_methods')).map(({ name }) => name)).not.toContain('New')
})

test('F1, D3: a comparison of one storefront says nothing of the other storefronts for which a shipping method is', async () => {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' }, entities: ['shipping-zones'] })
  await addStorefront(world)
  const [method] = await rows(world, 'source', 'shipping_methods')
  const fields = { channel_ids: [1, await outletOf(world, 'source')] }
  await world.change('source', { op: 'set', table: 'shipping_methods', id: method?.id ?? 0, fields })
  await world.complete()
  const { requestId } = await world.complete({ ...firstPair, conflictStrategy: 'update' })
  expect((await world.verify(requestId)).differences).toEqual([])
})
