import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { startWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'
import { tellEntityStory } from './entity-story.ts'

const entities = ['customer-groups', 'customer-attributes', 'customers', 'segments']
const judged = ['segments', 'shopper-profiles', 'segment-members']
const generous = { pruneLimitPercent: 100, pruneLimitItems: 1000 }

describe('segments', () => {
  tellEntityStory({
    phases: entities,
    component: 'segments',
    table: 'segments',
    judged,
    edit: { description: 'Edited there' },
    // The last is empty: nothing goes with it.
    edited: ({ name }) => name === 'Wholesale buyers',
    creation: { method: 'POST', path: '^/v3/segments$' },
    onlyThere: (there) => callStore(there, 'destination', 'POST', '/v3/segments', [{ name: 'Only there' }]),
  })
})

describe('segments of two stores', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld()
    await world.complete({ entities })
  })
  afterAll(() => world?.stop())

  const rows = async (table: string, side: 'source' | 'destination' = 'destination') =>
    (await world.state(side))[table] ?? []
  const differences = async () =>
    compareStores(await world.state('source'), await world.state('destination')).filter(({ entity }) =>
      judged.includes(entity),
    )

  test('E2: segments, profiles and the members of a segment are a call each, and who they are is read off the customers', async () => {
    expect(await differences()).toEqual([])
    expect((await rows('segment_members')).length).toBeGreaterThan(2)
    const writes = (await world.requests('destination'))
      .filter(({ method, path }) => method !== 'GET' && /segments|shopper-profiles/.test(path))
      .map(({ method, path }) => `${method} ${path.replace(/[-0-9a-f]{36}/, '*')}`)
    const members = 'POST /v3/segments/*/shopper-profiles'
    expect(writes).toEqual(['POST /v3/segments', 'POST /v3/shopper-profiles', members, members])
    const reads = await world.requests('source')
    expect(reads.filter(({ path }) => path.endsWith('/shopper-profiles') && path !== '/v3/shopper-profiles')).toEqual(
      [],
    )
  })

  test('C2: a member that somebody took out is put back by update, and one that somebody put in is taken out by replace', async () => {
    const [member] = await rows('segment_members')
    await world.change('destination', { op: 'remove', table: 'segment_members', id: member?.id ?? 0 })
    expect(await differences()).toMatchObject([{ entity: 'segment-members', kind: 'missing' }])
    await world.complete({ entities, conflictStrategy: 'update' })
    expect(await differences()).toEqual([])
    const empty = (await rows('segments')).find(({ name }) => name === 'Wholesale buyers')
    const [profile] = await rows('shopper_profiles')
    await callStore(world, 'destination', 'POST', `/v3/segments/${empty?.uuid}/shopper-profiles`, [profile?.uuid])
    await world.complete({ entities, conflictStrategy: 'update' })
    expect(await differences()).toMatchObject([{ entity: 'segment-members', kind: 'extra' }])
    await world.complete({ entities, conflictStrategy: 'replace', ...generous })
    expect(await differences()).toEqual([])
  })

  test('D4: replace takes away a profile that only the destination has, and skip leaves it', async () => {
    const known = new Set((await rows('shopper_profiles')).map(({ customer_id }) => customer_id))
    const other = (await rows('customers')).find(({ id }) => !known.has(id))
    await callStore(world, 'destination', 'POST', '/v3/shopper-profiles', [{ customer_id: other?.id }])
    await world.complete({ entities })
    expect(await differences()).toMatchObject([{ entity: 'shopper-profiles', kind: 'extra' }])
    const run = await world.complete({ entities, conflictStrategy: 'replace', ...generous })
    expect((await counted(world, run.requestId))['shopper-profiles']).toMatchObject({ pruned: 1 })
    expect(await differences()).toEqual([])
  })

  test('a promotion for a segment is for that segment at the destination', async () => {
    const [first] = await rows('segments', 'source')
    const promotion = (await rows('promotions', 'source')).find(({ name }) => name === 'Promotion 4')
    const fields = { customer: { segments: { id: [first?.uuid] } } }
    await world.change('source', { op: 'set', table: 'promotions', id: promotion?.id ?? 0, fields })
    await world.complete({
      entities: ['categories', 'brands', 'products', 'shipping-zones', ...entities, 'promotions'],
    })
    const copy = (await rows('promotions')).find(({ name }) => name === 'Promotion 4')
    const there = (await rows('segments')).find(({ name }) => name === first?.name)
    expect(there?.uuid).not.toBe(first?.uuid)
    expect(copy?.customer).toMatchObject({ segments: { id: [there?.uuid] } })
  })

  test('B6: of two segments of which the platform takes one name only, the second is told, and the others of its call are made', async () => {
    const uuid = '11111111-1111-4111-a111-111111111111'
    const [first] = await rows('segments', 'source')
    const { id } = await world.change('source', { op: 'double', table: 'segments', id: first?.id ?? 0 })
    await world.change('source', {
      op: 'set',
      table: 'segments',
      id: Number(id),
      fields: { uuid, name: String(first?.name).toUpperCase() },
    })
    await callStore(world, 'source', 'POST', '/v3/segments', [{ name: 'New one' }, { name: 'New two' }])
    const run = await world.complete({ entities })
    const told = (await world.issues(run.requestId)).filter(({ component }) => component === 'segments')
    expect(told.map(({ code }) => code)).toEqual(['natural_key_collision'])
    const names = (await rows('segments')).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['New one', 'New two']))
    await world.change('source', { op: 'remove', table: 'segments', id: Number(id) })
  })
})

test('a source whose plan has no segments copies none', async () => {
  const world = await startWorld({ switches: { source: { segments: false } } })
  try {
    const run = await world.complete({ entities })
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect((await counted(world, run.requestId)).segments).toEqual({})
    expect((await world.state('destination')).segments ?? []).toEqual([])
  } finally {
    await world.stop()
  }
})

test('a destination whose plan has no segments refuses each, which is told, and everything else is copied', async () => {
  const world = await startWorld({ switches: { destination: { segments: false } } })
  try {
    const run = await world.finished(await world.migrate({ entities }))
    expect(run.status).toBe('partial_completed')
    const told = (await world.issues(run.requestId)).filter(({ component }) => component === 'segments')
    expect(told.length).toBe((await world.state('source')).segments?.length)
    expect([...new Set(told.map(({ code }) => code))]).toEqual(['platform_refused'])
    expect(told[0]?.message).toContain('not part of the plan')
    const found = compareStores(await world.state('source'), await world.state('destination'))
    expect(found.filter(({ entity }) => entity === 'customers')).toEqual([])
  } finally {
    await world.stop()
  }
})
