import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World, type WorldOptions } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'

type Row = { id: number } & Record<string, unknown>

/** One store, copied once: each test adds to the destination what `replace` has to delete. */
async function aCopy(options: WorldOptions = {}): Promise<World> {
  const world = await aWorld({ catalogueOnly: true, entities: ['categories', 'brands', 'products'], ...options })
  await world.complete()
  await world.resetRequests('destination')
  return world
}

const justBrands: WorldOptions = { entities: ['brands'] }

const generous = { conflictStrategy: 'replace', pruneLimitPercent: 100, pruneLimitItems: 1000 }
const rows = async (world: World, table: string): Promise<Row[]> => (await world.state('destination'))[table] ?? []
const names = async (world: World, table: string) => (await rows(world, table)).map(({ name }) => name)
const differences = async (world: World) => compareStores(await world.state('source'), await world.state('destination'))
const codes = async (world: World, id: string) => (await world.issues(id)).map(({ code }) => code)
const deletes = async (world: World) =>
  (await world.requests('destination')).filter(({ method }) => method === 'DELETE')
const request = async (world: World, id: string) =>
  (await world.api<MigrationRequest>('GET', `/v2/migrations/${id}/request`)).body
const theirs = (world: World, method: string, path: string, body?: unknown) =>
  callStore<{ id: number }>(world, 'destination', method, path, body)
const theirBrand = (world: World, name: string) => theirs(world, 'POST', '/v3/catalog/brands', { name })
const lamp = (name: string) => ({ name, type: 'physical', weight: 1, price: 1 })

longTest(
  'D2: children that only the destination has are deleted, and the variants of their product remain the same rows',
  async () => {
    const world = await aCopy()
    const product = (await rows(world, 'products')).find((row) => row.name === 'Amber Linen Sneaker')
    const path = `/v3/catalog/products/${product?.id}`
    const variants = async () =>
      (await rows(world, 'variants')).filter(({ product_id }) => product_id === product?.id).map(({ id }) => id)
    const before = await variants()
    await theirs(world, 'POST', `${path}/custom-fields`, { name: 'Only here', value: 'yes' })
    await theirs(world, 'POST', `${path}/modifiers`, { display_name: 'Only here', type: 'text', required: false })
    await theirs(world, 'POST', `${path}/options`, {
      display_name: 'Engraving',
      type: 'radio_buttons',
      option_values: [{ label: 'None', sort_order: 0 }],
    })
    // Only verify finds drift inside options (C2): the list used for comparison does not show them.
    await theirs(world, 'PUT', path, { price: 4.56 })
    const run = await world.complete(generous)
    expect(run.status).toBe('completed')
    expect(await differences(world)).toEqual([])
    expect(await variants()).toEqual(before)
    expect(await deletes(world)).toHaveLength(3)
    const counts = await counted(world, run.requestId)
    expect(counts['product-modifiers']).toMatchObject({ matched: expect.any(Number) })
    const pruned = run.phases.flatMap(({ components }) => components).filter((one) => one.pruned > 0)
    expect(pruned.map((one) => [one.key, one.pruned]).sort()).toEqual([
      ['product-custom-fields', 1],
      ['product-modifiers', 1],
      ['product-option-values', 1],
      ['product-options', 1],
    ])
  },
)

longTest(
  'D4, D6: destination-only items are deleted, a category with its descendants, and kept as before-images',
  async () => {
    const world = await aCopy()
    const brand = await theirBrand(world, 'Only There Goods')
    const product = await theirs(world, 'POST', '/v3/catalog/products', lamp('Only There Lamp'))
    const category = (name: string, parent_id: number) =>
      callStore<{ id: number }>(world, 'destination', 'POST', '/v3/catalog/categories', { name, parent_id })
    const above = await category('Only There Rooms', 0)
    const below = await category('Only There Attic', above.id)
    const run = await world.complete(generous)
    expect(await differences(world)).toEqual([])
    expect(run.counters.done).toBeGreaterThan(0)
    const { rows: images } = await sql<{ component: string; id: string; body: Record<string, unknown> }>`
    select component, destination_id as id, body from before_images
    where run_id = ${run.requestId} order by component, destination_id::bigint`.execute(world.database)
    expect(images.map(({ component, id }) => [component, id])).toEqual([
      ['brands', String(brand.id)],
      ['categories', String(above.id)],
      ['categories', String(below.id)],
      ['products', String(product.id)],
    ])
    expect(images.at(2)?.body).toMatchObject({ name: 'Only There Attic', parent_id: above.id })
    expect(images.at(-1)?.body).toMatchObject({ name: 'Only There Lamp', variants: [expect.anything()] })
    await expectCountersToEqualTheLedger(world, run.requestId)
  },
)

longTest(
  'D4: above the limits the run pauses before the first delete, and confirming deletes exactly the confirmed set',
  async () => {
    const world = await aCopy(justBrands)
    await theirBrand(world, 'Unasked One')
    await theirBrand(world, 'Unasked Two')
    const id = await world.migrate({ conflictStrategy: 'replace', pruneLimitItems: 1 })
    await world.finished(id, { status: 'paused' })
    expect(await deletes(world)).toEqual([])
    const first = (await request(world, id)).prune
    expect(first).toEqual({ confirmPrune: expect.any(String), items: 2 })

    const wrong = await world.api('POST', `/v2/migrations/${id}/resume`, { confirmPrune: 'another set' })
    expect([wrong.status, wrong.body]).toEqual([
      422,
      expect.objectContaining({ errors: { confirmPrune: [expect.any(String)] } }),
    ])

    // A brand is added in the meantime: the set is a different one and needs a new confirmation.
    await theirBrand(world, 'Unasked Three')
    await world.api('POST', `/v2/migrations/${id}/resume`, { confirmPrune: first?.confirmPrune })
    await world.finished(id, { status: 'paused' })
    const second = (await request(world, id)).prune
    expect(second?.items).toBe(3)
    expect(await deletes(world)).toEqual([])

    await world.api('POST', `/v2/migrations/${id}/resume`, { confirmPrune: second?.confirmPrune })
    expect((await world.finished(id)).status).toBe('completed')
    expect((await deletes(world)).length).toBe(3)
    expect((await names(world, 'brands')).filter((name) => String(name).startsWith('Unasked'))).toEqual([])
  },
)

test('D4: resuming without confirmation continues without deleting, and reports it', async () => {
  const world = await aCopy(justBrands)
  await theirBrand(world, 'Stays For Now')
  await theirBrand(world, 'Stays As Well')
  const id = await world.migrate({ conflictStrategy: 'replace', pruneLimitItems: 1 })
  await world.finished(id, { status: 'paused' })
  await world.api('POST', `/v2/migrations/${id}/resume`)
  await world.finished(id)
  expect(await deletes(world)).toEqual([])
  expect(await codes(world, id)).toContain('prune_withheld')
})

longTest('D4: nothing is deleted of a component that is empty in the source', async () => {
  const world = await aCopy(justBrands)
  const [brand] = await rows(world, 'brands')
  const metafield = { permission_set: 'read', namespace: 'theirs', key: 'only', value: 'here' }
  await theirs(world, 'POST', `/v3/catalog/brands/${brand?.id}/metafields`, metafield)
  const run = await world.complete(generous)
  expect(await deletes(world)).toEqual([])
  const withheld = (await world.issues(run.requestId)).filter(({ code }) => code === 'prune_withheld')
  expect(withheld.map(({ component }) => component)).toEqual(['brand-metafields'])
})

test('D4: nothing is deleted of a component whose source list was cut short', async () => {
  const world = await aCopy(justBrands)
  await theirBrand(world, 'Cut Short Goods')
  await world.fault('source', { kind: 'list_ends_early', path: '/v3/catalog/brands$', times: null })
  const run = await world.complete(generous)
  expect(await codes(world, run.requestId)).toEqual(expect.arrayContaining(['source_changed', 'prune_withheld']))
  const withheld = (await world.issues(run.requestId)).find(({ code }) => code === 'prune_withheld')
  expect(withheld?.message).toContain('the source did not give all the items that it counts')
  expect(await names(world, 'brands')).toContain('Cut Short Goods')
})

test('D4: nothing is deleted of a component with an item that could not be copied', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products'] })
  const product = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/products', lamp('Refused Lamp'))
  const refused = { name: '[[refuse]] Lamp' }
  await world.change('source', { op: 'set', table: 'products', id: product.id, fields: refused })
  await callStore(world, 'source', 'POST', '/v3/catalog/products', lamp('Copied Lamp'))
  await theirs(world, 'POST', '/v3/catalog/products', lamp('Waits For The Others'))
  const run = await world.complete(generous)
  expect(run.status).toBe('partial_completed')
  expect(await codes(world, run.requestId)).toContain('prune_withheld')
  expect((await names(world, 'products')).sort()).toEqual(['Copied Lamp', 'Waits For The Others'])
})

test('G4: the home page that somebody made at the destination is deleted, although the copy of the one of the source took its place first', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['pages'] })
  const make = (side: 'source' | 'destination', name: string) => {
    const page = { type: 'page', channel_id: 1, name, body: name, is_homepage: true }
    return callStore(world, side, 'POST', '/v3/content/pages', page)
  }
  await make('source', 'Home')
  await world.complete()
  await make('destination', 'Theirs')
  const run = await world.complete(generous)
  expect(await codes(world, run.requestId)).toEqual(['destination_changed'])
  expect(await differences(world)).toEqual([])
})
