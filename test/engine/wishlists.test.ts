import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { until } from '../harness/until.ts'
import { startWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { tellEntityStory } from './entity-story.ts'
import { tablesThatTell } from './tables-that-tell.ts'

const entities = [
  'categories',
  'brands',
  'products',
  'customer-groups',
  'customer-attributes',
  'customers',
  'wishlists',
]

describe('wishlists', () => {
  tellEntityStory({
    phases: entities,
    component: 'wishlists',
    table: 'wishlists',
    judged: ['wishlists'],
    edit: { name: 'Renamed there' },
    creation: { method: 'POST', path: '^/v3/wishlists$' },
    onlyThere: async (there) => {
      const [customer] = (await there.state('destination')).customers ?? []
      const list = { customer_id: customer?.id, name: 'Only there', is_public: false, items: [] }
      return callStore(there, 'destination', 'POST', '/v3/wishlists', list)
    },
  })
})

describe('wishlists of two stores', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld()
  })
  afterAll(() => world?.stop())

  const rows = async (table: string, side: 'source' | 'destination' = 'destination') =>
    (await world.state(side))[table] ?? []
  const differences = async () =>
    compareStores(await world.state('source'), await world.state('destination')).filter(
      ({ entity }) => entity === 'wishlists',
    )
  const issuesOf = async (id: string) =>
    (await world.issues(id)).filter(({ component }) => component === 'wishlists').map(({ code }) => code)

  test('B2: of two lists of one name the answers are lost, one before and one after it was made: neither is taken for the other', async () => {
    const [customer] = await rows('customers', 'source')
    const [product] = await rows('products', 'source')
    const items = [{ product_id: product?.id }]
    for (const list of [
      { name: 'Wished for twice', is_public: true, items: [] },
      { name: 'Wished for twice', is_public: false, items },
    ])
      await callStore(world, 'source', 'POST', '/v3/wishlists', { customer_id: customer?.id, ...list })
    const lost = { method: 'POST', path: '^/v3/wishlists$', times: 1 } as const
    const wish = (open: boolean) => `(?=.*Wished for twice)(?=.*"is_public":${open})`
    await world.fault('destination', { ...lost, kind: 'error_after_applying', body: wish(true) })
    await world.fault('destination', { ...lost, kind: 'error_before_applying', body: wish(false) })
    const run = await world.complete({ entities })
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await differences()).toEqual([])
  })

  test('B3: what a customer has is asked for before a list is made, except of customers whom the run made', async () => {
    const asked = async () =>
      (await world.requests('destination', 'GET')).filter(
        ({ path, query }) => path === '/v3/wishlists' && query.includes('customer_id='),
      ).length
    // After the answers that were lost: of the list that was not made, twice, and before it is sent again.
    expect(await asked()).toBe(4)
    await world.resetRequests('destination')
    const [customer] = await rows('customers', 'source')
    const list = { customer_id: customer?.id, name: 'Wished for later', is_public: true, items: [] }
    await callStore(world, 'source', 'POST', '/v3/wishlists', list)
    await world.complete({ entities })
    expect(await asked()).toBe(1)
    expect(await differences()).toEqual([])
  })

  test('S9: while lists wait to be written, nothing in the database tells what they are called', async () => {
    const [customer] = await rows('customers', 'source')
    const list = { customer_id: customer?.id, name: 'A planted wish', is_public: true, items: [] }
    await callStore(world, 'source', 'POST', '/v3/wishlists', list)
    await world.fault('destination', { kind: 'hold_after_applying', method: 'POST', path: '^/v3/wishlists$' })
    const id = await world.migrate({ entities })
    await until('a list is held', async () =>
      (await world.requests('destination', 'POST')).some((one) => one.path === '/v3/wishlists' && one.status === null),
    )
    expect(await tablesThatTell(world, ['A planted wish', 'a planted wish'])).toEqual([])
    await world.release('destination')
    expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await tablesThatTell(world, ['A planted wish', 'a planted wish'])).toEqual([])
    expect(await differences()).toEqual([])
  })

  test('C2: update puts back what was taken off a list', async () => {
    const [item] = await rows('wishlist_items')
    await world.change('destination', { op: 'remove', table: 'wishlist_items', id: item?.id ?? 0 })
    expect(await differences()).toHaveLength(1)
    await world.complete({ entities, conflictStrategy: 'update' })
    expect(await differences()).toEqual([])
  })

  test('B6: two lists of one name of one customer are two copies, and a second run takes neither for the other', async () => {
    const [list] = await rows('wishlists', 'source')
    const twin = { customer_id: list?.customer_id, name: list?.name, is_public: true, items: [] }
    await callStore(world, 'source', 'POST', '/v3/wishlists', twin)
    await world.complete({ entities })
    expect((await rows('wishlists')).length).toBe((await rows('wishlists', 'source')).length)
    await world.resetRequests('destination')
    await world.complete({ entities, conflictStrategy: 'update' })
    expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('C4: what is wished for and gone is left out with a warning, and a list of nobody is told', async () => {
    const [item] = await rows('wishlist_items', 'source')
    const [other] = await rows('wishlists', 'source')
    await world.change('source', {
      op: 'set',
      table: 'wishlist_items',
      id: item?.id ?? 0,
      fields: { product_id: 4711, variant_id: 4711 },
    })
    await world.change('source', { op: 'double', table: 'wishlists', id: other?.id ?? 0 })
    const doubled = (await rows('wishlists', 'source')).at(-1)
    await world.change('source', {
      op: 'set',
      table: 'wishlists',
      id: doubled?.id ?? 0,
      fields: { customer_id: 4711, name: 'Of nobody' },
    })
    const run = await world.complete({ entities, conflictStrategy: 'update' })
    expect((await issuesOf(run.requestId)).sort()).toEqual(['missing_reference', 'reference_left_out'])
  })
})
