import { expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { aWorld } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'
import { testEntityStory } from './entity-story.ts'

const judged = ['tax-classes', 'tax-zones', 'tax-rates', 'tax-properties']
const phases = ['tax-classes', 'tax-zones']
const zones = '/v3/tax/zones'
const rates = '/v3/tax/rates'
const properties = '/v3/tax/properties'
const generous = { conflictStrategy: 'replace', pruneLimitPercent: 100, pruneLimitItems: 1000 }
const target = { locations: [{ country_code: 'IT', subdivision_codes: [], postal_codes: [] }], customer_groups: [] }

testEntityStory({
  name: 'tax classes',
  phases: ['tax-classes'],
  component: 'tax-classes',
  judged: ['tax-classes'],
  table: 'tax_classes',
  edit: { name: 'REDUCED RATE' },
  editedField: 'name',
  edited: ({ name }) => name === 'Reduced rate',
  creation: { method: 'POST', path: '/v3/tax/classes$' },
})

testEntityStory({
  name: 'tax zones',
  phases,
  component: 'tax-zones',
  judged,
  table: 'tax_zones',
  edit: { enabled: false },
  edited: ({ name }) => name === 'No rates yet',
  creation: { method: 'POST', path: `${zones}$` },
  onlyThere: (world) =>
    callStore(world, 'destination', 'POST', zones, [{ name: 'Only there', shopper_target_settings: target }]),
  arrange: (world) =>
    callStore(world, 'source', 'POST', zones, [{ name: 'No rates yet', shopper_target_settings: target }]),
})

testEntityStory({
  name: 'tax rates',
  phases,
  component: 'tax-rates',
  judged,
  table: 'tax_rates',
  edit: { priority: 9 },
  edited: ({ name }) => name === 'Sales tax',
  creation: { method: 'POST', path: `${rates}$` },
  onlyThere: async (world) => {
    const zone = (await world.state('destination')).tax_zones?.find(({ name }) => name === 'Texas')
    const rate = { name: 'Only there', tax_zone_id: zone?.id, class_rates: [{ rate: 1, tax_class_id: 0 }] }
    await callStore(world, 'destination', 'POST', rates, [rate])
  },
})

testEntityStory({
  name: 'tax properties',
  phases,
  component: 'tax-properties',
  judged,
  table: 'tax_properties',
  edit: { display_name: 'Edited' },
  creation: { method: 'POST', path: `${properties}$` },
  onlyThere: (world) =>
    callStore(world, 'destination', 'POST', properties, [{ code: 'X', display_name: 'Only there', type: 'PRODUCT' }]),
})

longTest('update writes tax settings with the zones of the destination, and skip leaves them alone', async () => {
  const world = await aWorld()
  const zone = (await world.state('source')).tax_zones?.find(({ name }) => name === 'Texas')
  await callStore(world, 'source', 'PUT', '/v3/tax/settings', {
    fallback_strategy: 'DISABLE',
    guest_shopper_tax_zone_id: zone?.id,
  })
  const there = () => callStore(world, 'destination', 'GET', '/v3/tax/settings')
  await world.complete({ entities: phases })
  expect(await there()).toMatchObject({ fallback_strategy: 'FIXED', guest_shopper_tax_zone_id: 1 })
  await world.complete({ entities: phases, conflictStrategy: 'update' })
  const copy = (await world.state('destination')).tax_zones?.find(({ name }) => name === 'Texas')
  expect(await there()).toMatchObject({ fallback_strategy: 'DISABLE', guest_shopper_tax_zone_id: copy?.id })
  await world.resetRequests('destination')
  await world.complete({ entities: phases, conflictStrategy: 'update' })
  expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
})

test('C4: a tax zone whose only customer group is missing is disabled and reported, because it would otherwise apply to everyone', async () => {
  const world = await aWorld({ seeds: { source: 'awkward' } })
  const run = await world.complete({ entities: phases })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const { tax_zones = [] } = await world.state('destination')
  expect(tax_zones.find(({ name }) => name === 'Only a group that is gone')).toMatchObject({
    enabled: false,
    shopper_target_settings: { customer_groups: [] },
  })
  const reported = (await world.issues(run.requestId)).filter(({ component }) => component === 'tax-zones')
  expect(reported).toMatchObject([{ code: 'reference_left_out', item: { name: 'Only a group that is gone' } }])
})

test('tax zones and rates with equal names are all copied, each rate into its zone', async () => {
  const world = await aWorld({ seeds: { source: 'awkward' } })
  await world.complete({ entities: phases })
  const { tax_zones = [], tax_rates = [] } = await world.state('destination')
  const prioritiesIn = (zone: number) =>
    tax_rates.filter(({ tax_zone_id }) => tax_zone_id === zone).map(({ priority }) => priority)
  const twins = tax_zones.filter(({ name }) => name === 'Same zone')
  expect(twins.map(({ id }) => prioritiesIn(id).sort())).toEqual([
    [1, 2, 2],
    [1, 2, 2],
  ])
})

test('D4: replace neither deletes the default tax zone nor creates another, whatever its name', async () => {
  const world = await aWorld()
  await callStore(world, 'destination', 'PUT', zones, [{ id: 1, name: 'Everybody else' }])
  const run = await world.complete({ entities: phases, ...generous })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await counted(world, run.requestId))['tax-zones']?.pruned).toBeUndefined()
  const { tax_zones = [] } = await world.state('destination')
  expect(tax_zones.filter(({ id }) => id === 1)).toHaveLength(1)
  expect(tax_zones).toHaveLength((await world.state('source')).tax_zones?.length ?? 0)
})

test('D2: skip copies rates into the default zone, which every store has, and into no other zone that exists at the destination', async () => {
  const world = await aWorld()
  await callStore(world, 'destination', 'POST', zones, [{ name: 'Texas', shopper_target_settings: target }])
  await world.complete({ entities: phases })
  const { tax_zones = [], tax_rates = [] } = await world.state('destination')
  const named = (id: unknown) => tax_zones.find((zone) => zone.id === id)?.name
  expect(tax_rates.map(({ tax_zone_id }) => named(tax_zone_id))).toEqual(['Default Tax Zone'])
})

test('D5: a tax zone of the destination’s own is not switched off because a customer group was not copied', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: phases })
  const group = (side: 'source' | 'destination', name: string) =>
    callStore<{ id: number }>(world, side, 'POST', '/v2/customer_groups', { name })
  const zone = async (side: 'source' | 'destination', of: string, name = 'Resale') => {
    const shopper_target_settings = { ...target, customer_groups: [(await group(side, of)).id] }
    await callStore(world, side, 'POST', zones, [{ name, enabled: true, shopper_target_settings }])
  }
  await zone('source', 'Dealers')
  await zone('destination', 'Partners')
  const there = async () => (await world.state('destination')).tax_zones?.find(({ name }) => name === 'Resale')
  const before = await there()
  const run = await world.finished(await world.migrate({ conflictStrategy: 'update' }))
  expect(await there()).toEqual(before)
  expect(await world.issues(run.requestId)).toMatchObject([{ component: 'tax-zones', code: 'missing_reference' }])
  const whole = await world.complete({ conflictStrategy: 'update', entities: ['customer-groups', ...phases] })
  expect(whole).toMatchObject({ failuresOpen: 0 })
  const { customer_groups = [] } = await world.state('destination')
  const dealers = customer_groups.find(({ name }) => name === 'Dealers')?.id
  expect(await there()).toMatchObject({ enabled: true, shopper_target_settings: { customer_groups: [dealers] } })
})
