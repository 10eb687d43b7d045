import { expect, test } from 'vitest'
import { aWorld, type World } from '../harness/world.ts'
import type { StoreName } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { writesTo } from './content.ts'
import { generous, listed, type Row, rows } from './replace-story.ts'

const mug = { name: 'Mug', sku: 'MUG-1', type: 'physical', weight: 1 }

/** Two stores that sell the same mug at different prices; the first one has been copied. */
async function twoSources(): Promise<World> {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products'], moreStores: ['second'] })
  const sell = (side: StoreName, price: number) =>
    callStore<Row>(world, side, 'POST', '/v3/catalog/products', { ...mug, price })
  await sell('source', 10)
  await sell('second', 20)
  await callStore(world, 'second', 'POST', '/v3/catalog/products', { ...mug, name: 'Jug', sku: 'JUG-1', price: 5 })
  await world.complete()
  return world
}

const price = async (world: World) => (await rows(world, 'destination', 'products')).find((row) => row.sku === 'MUG-1')

const warnings = async (world: World, id: string) =>
  (await world.issues(id)).filter(({ code }) => code === 'copy_of_other_source')

test('G3: a run that overwrites copies from another store warns before it starts, and of each item', async () => {
  const world = await twoSources()
  const run = await world.complete({ source: 'second', conflictStrategy: 'update' })
  expect(await price(world)).toMatchObject({ price: 20 })
  const [before, ofItem, ...others] = await warnings(world, run.requestId)
  expect(others).toEqual([])
  expect([before, ofItem].map((one) => one?.message).sort()).toEqual([
    expect.stringMatching(/^"Mug" \(source \d+\) was written over the copy of the same item from "source"/),
    expect.stringContaining('The destination store has copies from "source" too (products).'),
  ])
})

test('G3: a run that leaves copies from another store as they are does not warn', async () => {
  const world = await twoSources()
  const run = await world.complete({ source: 'second' })
  expect(await price(world)).toMatchObject({ price: 10 })
  expect(await warnings(world, run.requestId)).toEqual([])
})

test('G3: a copy that two stores have in common is deleted once its item is gone from both', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['brands'], moreStores: ['second'] })
  const brandOf = (side: StoreName, name: string) => callStore<Row>(world, side, 'POST', '/v3/catalog/brands', { name })
  const [first, second] = [await brandOf('source', 'In both'), await brandOf('second', 'In both')]
  for (const side of ['source', 'second']) await brandOf(side, `Of ${side}`)
  await world.complete()
  await world.complete({ source: 'second' })
  const names = async () => (await rows(world, 'destination', 'brands')).map(({ name }) => name)

  await callStore(world, 'source', 'DELETE', `/v3/catalog/brands/${first.id}`)
  const dry = await world.complete({ mode: 'dry-run', ...generous })
  expect((await listed(world, dry.requestId)).items).toEqual([])
  await world.complete(generous)
  expect((await names()).sort()).toEqual(['In both', 'Of second', 'Of source'])

  await callStore(world, 'second', 'DELETE', `/v3/catalog/brands/${second.id}`)
  await world.complete({ source: 'second', ...generous })
  expect((await names()).sort()).toEqual(['Of second', 'Of source'])
})

test.each([
  'update',
  'replace',
])('D3, F1: a product that two stores sell keeps its categories and related products of both under `%s`', async (conflictStrategy) => {
  const world = await aWorld({
    seeds: { source: 'empty' },
    entities: ['categories', 'products'],
    moreStores: ['second'],
  })
  for (const side of ['source', 'second'] as const) {
    const make = (path: string, body: object) => callStore<Row>(world, side, 'POST', `/v3/catalog/${path}`, body)
    const sell = (more: object) => make('products', { ...mug, price: 10, ...more })
    const category = await make('categories', { name: `Shelf of ${side}`, parent_id: 0 })
    const { id } = await sell({ name: `Jug of ${side}`, sku: `JUG-${side}` })
    await sell({ categories: [category.id], related_products: [id] })
  }
  const shown = async () => {
    const state = await world.state('destination')
    const copy = ((state.products ?? []) as Row[]).find(({ sku }) => sku === mug.sku)
    const ids = ((state.product_categories ?? []) as Row[]).flatMap((row) =>
      row.product_id === copy?.id ? row.category_id : [],
    )
    const named = (table: Row[], some: unknown[]) => table.flatMap(({ id, name }) => (some.includes(id) ? name : []))
    return [
      ...named(state.categories as Row[], ids),
      ...named(state.products as Row[], copy?.related_products as unknown[]),
    ].sort()
  }
  const all = ['Jug of second', 'Jug of source', 'Shelf of second', 'Shelf of source']
  for (const source of ['source', 'second']) await world.complete({ source, ...generous, conflictStrategy })
  expect(await shown()).toEqual(all)
  await world.resetRequests('destination')
  for (const source of ['source', 'second']) {
    const { requestId } = await world.complete({ source, ...generous, conflictStrategy })
    expect(await shown()).toEqual(all)
    const { differences } = await world.verify(requestId)
    expect(differences.filter(({ kept }) => !kept)).toEqual([])
  }
  expect(await writesTo(world)).toEqual([])
})

test('G3: `replace` from one of two stores leaves the parts of a common product that the other one still has', async () => {
  const world = await twoSources()
  const idOf = async (side: StoreName) =>
    (await callStore<Row[]>(world, side, 'GET', '/v3/catalog/products?sku=MUG-1'))[0]?.id
  const add = async (side: StoreName, name: string) =>
    callStore<Row>(world, side, 'POST', `/v3/catalog/products/${await idOf(side)}/custom-fields`, {
      name,
      value: 'Yes',
    })
  for (const side of ['source', 'second', 'destination'] as const) await add(side, `Of ${side}`)
  const both = { source: await add('source', 'Of both'), second: await add('second', 'Of both') }
  const fields = async () => (await rows(world, 'destination', 'custom_fields')).map(({ name }) => name).sort()
  const removeFrom = async (side: 'source' | 'second') =>
    callStore(world, side, 'DELETE', `/v3/catalog/products/${await idOf(side)}/custom-fields/${both[side].id}`)
  await world.complete({ source: 'second', conflictStrategy: 'update' })
  await world.complete({ conflictStrategy: 'update' })
  expect(await fields()).toEqual(['Of both', 'Of destination', 'Of second', 'Of source'])

  await removeFrom('source')
  const { requestId } = await world.complete(generous)
  expect(await fields()).toEqual(['Of both', 'Of second', 'Of source'])
  const { differences } = await world.verify(requestId)
  expect(differences.map(({ item, kept }) => [item.name, kept]).sort()).toEqual([
    ['Jug', true],
    ['Of both', true],
    ['Of second', true],
  ])

  await removeFrom('second')
  await world.complete({ source: 'second', ...generous })
  expect(await fields()).toEqual(['Of second', 'Of source'])
})

test('G3, F1: a comparison says of the copies of another store that they stay, as `replace` leaves them', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['brands'], moreStores: ['second'] })
  for (const side of ['source', 'second'] as const)
    await callStore(world, side, 'POST', '/v3/catalog/brands', { name: `Of ${side}` })
  await callStore(world, 'destination', 'POST', '/v3/catalog/brands', { name: 'Of the destination' })
  await world.complete({ source: 'second' })
  const run = await world.complete()
  const { differences } = await world.verify(run.requestId)
  expect(differences.map(({ item, kept, repairedBy }) => [item.name, kept, repairedBy]).sort()).toEqual([
    ['Of second', true, null],
    ['Of the destination', false, 'replace'],
  ])
})
