import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'
import { tellEntityStory } from './entity-story.ts'

const judged = ['shipping-zones', 'shipping-methods']
const path = '/v2/shipping/zones'

describe('shipping zones', () => {
  tellEntityStory({
    phases: ['shipping-zones'],
    component: 'shipping-zones',
    judged,
    table: 'shipping_zones',
    edit: { enabled: false },
    // One without methods: with the others these would be made again, too.
    edited: ({ name }) => name === 'Nothing yet',
    creation: { method: 'POST', path: `${path}$` },
    onlyThere: (world) => callStore(world, 'destination', 'POST', path, { name: 'Only there', type: 'global' }),
    arrange: (world) => callStore(world, 'source', 'POST', path, { name: 'Nothing yet', type: 'global' }),
  })
})

describe('shipping methods', () => {
  tellEntityStory({
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
})

describe('a store with carriers, equal names and channels that are gone', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld({ seeds: { source: 'awkward' } })
  })
  afterAll(() => world?.stop())

  test('methods of carriers are left out with a warning, everything else is copied, twins too', async () => {
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
    const told = (await world.findings(run.requestId)).filter(({ component }) => component === 'shipping-methods')
    expect(told.map(({ code, item }) => `${code} ${item.name ?? item.sourceId}`).sort()).toEqual([
      'not_copied Royal Mail',
      'not_copied UPS®',
      'not_copied carriers',
    ])
    expect(await counted(world, run.requestId)).toMatchObject({
      'shipping-zones': { discovered: 4, created: 4 },
      'shipping-methods': { discovered: 8, created: 6, skipped: 2 },
    })
  })

  test('C4: a channel that has no counterpart is left out of a method, with a warning', async () => {
    const method = (await world.state('destination')).shipping_methods?.find(({ name }) => name === 'Channel gone')
    expect(method?.channel_ids).toEqual([1])
  })

  test('D4: a method of a carrier that the merchant added by hand stands as the same one and is not deleted', async () => {
    const { shipping_zones = [], shipping_methods = [] } = await world.state('destination')
    const zone = shipping_methods.find(({ name }) => name === 'Same name')?.zone_id
    expect(shipping_zones.some(({ id }) => id === zone)).toBe(true)
    const byHand = { name: 'UPS®', type: 'upsready', settings: { carrier_options: { delivery_services: ['Ground'] } } }
    await callStore(world, 'destination', 'POST', `${path}/${zone}/methods`, byHand)
    const limits = { pruneLimitPercent: 100, pruneLimitItems: 1000 }
    const run = await world.complete({ entities: ['shipping-zones'], conflictStrategy: 'replace', ...limits })
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    const ups = (await world.state('destination')).shipping_methods?.filter(({ name }) => name === 'UPS®')
    expect(ups).toMatchObject([{ settings: { carrier_options: { delivery_services: ['Express', 'Ground'] } } }])
  })
})
