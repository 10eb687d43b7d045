import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { aWorld, startWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { writesTo } from './content.ts'
import { counted } from './counted.ts'

const emptyCategories = 20
const orderOf = (id: number) => `/v3/catalog/categories/${id}/products/sort-order`

interface Link {
  category_id: number
  product_id: number
  sort_order?: number | null
}

async function linksIn(world: World, side: Side): Promise<Link[]> {
  const { product_categories: links = [] } = await world.state(side)
  return links as unknown as Link[]
}

/** Categories that a store was asked for the order of products of since the run began. Before, its forecast looks at a few. */
async function categoriesRead(world: World, side: Side, run: MigrationDetail): Promise<number[]> {
  const { started = '' } = run.timestamps
  const ids = (await world.requests(side, 'GET')).flatMap(({ at, path }) =>
    at >= started ? (path.match(/categories\/(\d+)\/products\/sort-order/)?.[1] ?? []) : [],
  )
  return [...new Set(ids.map(Number))].toSorted((a, b) => a - b)
}

async function categoriesWithProducts(world: World, side: Side): Promise<number[]> {
  const ids = (await linksIn(world, side)).map(({ category_id }) => category_id)
  return [...new Set(ids)].toSorted((a, b) => a - b)
}

describe('a store with many categories, few of which have products', () => {
  let world: World
  let copied: MigrationDetail
  let readByCopy: number[]

  beforeAll(async () => {
    world = await startWorld({ entities: ['categories', 'products'], catalogueOnly: true })
    const { category_trees: [tree] = [] } = await world.state('source')
    const empty = Array.from({ length: emptyCategories }, (_, n) => ({
      tree_id: tree?.id,
      name: `Empty ${n}`,
      parent_id: 0,
    }))
    for (const some of [empty.slice(0, 10), empty.slice(10)])
      await callStore(world, 'source', 'POST', '/v3/catalog/trees/categories', some)
    const [link] = await linksIn(world, 'source')
    await callStore(world, 'source', 'PUT', orderOf(link?.category_id ?? 0), [
      { product_id: link?.product_id, sort_order: 7 },
    ])
    copied = await world.complete()
    readByCopy = await categoriesRead(world, 'source', copied)
  })
  afterAll(() => world?.stop())

  test('E1: a copy reads the order of products of the categories that have some, and copies it', async () => {
    expect(copied.status).toBe('completed')
    const withProducts = await categoriesWithProducts(world, 'source')
    expect(withProducts.length).toBeGreaterThan(1)
    expect(readByCopy).toEqual(withProducts)
    expect((await linksIn(world, 'destination')).map((link) => link.sort_order ?? null)).toContain(7)
  })

  test('E1: a verify reads it of those of both stores, and finds an order that only the destination has', async () => {
    const links = await linksIn(world, 'destination')
    const unordered = links.find(({ category_id }) =>
      links.every((link) => link.category_id !== category_id || (link.sort_order ?? null) === null),
    )
    await callStore(world, 'destination', 'PUT', orderOf(unordered?.category_id ?? 0), [
      { product_id: unordered?.product_id, sort_order: 3 },
    ])
    const { detail, differences } = await world.verify(copied.requestId)
    expect(differences).toMatchObject([
      { kind: 'extra', component: 'category-product-order', destinationId: String(unordered?.category_id) },
    ])
    for (const side of ['source', 'destination'] as const)
      expect(await categoriesRead(world, side, detail)).toEqual(await categoriesWithProducts(world, side))
  })

  test('E1: an `update` of one picked product reads it of none, and of picked items with a category of that one alone', async () => {
    const links = await linksIn(world, 'source')
    const ordered = links.find(({ sort_order }) => sort_order === 7)?.category_id ?? 0
    const elsewhere = links.find(({ category_id }) => category_id !== ordered)
    const products = { ids: [String(elsewhere?.product_id)] }
    const update = (selection: object) => world.complete({ conflictStrategy: 'update', selection })
    const one = await update({ products })
    expect([await categoriesRead(world, 'source', one), await categoriesRead(world, 'destination', one)]).toEqual([
      [],
      [],
    ])
    const both = await update({ products, categories: { ids: [String(ordered)] } })
    expect(await categoriesRead(world, 'source', both)).toEqual([ordered])
    const copy = (await linksIn(world, 'destination')).find(({ sort_order }) => sort_order === 7)
    expect(await categoriesRead(world, 'destination', both)).toEqual([copy?.category_id])
  })
})

test('D2: a product that the destination has added to a sorted category keeps its position, and is no reason to sort again', async () => {
  const world = await aWorld({ entities: ['brands', 'categories', 'products'], catalogueOnly: true })
  const [link] = await linksIn(world, 'source')
  const order = [{ product_id: link?.product_id, sort_order: 7 }]
  await callStore(world, 'source', 'PUT', orderOf(link?.category_id ?? 0), order)
  await world.complete()
  const placed = async (id: number) => (await linksIn(world, 'destination')).find((one) => one.product_id === id)
  const category = (await linksIn(world, 'destination')).find(({ sort_order }) => sort_order === 7)?.category_id ?? 0
  const own = { name: 'Only There', type: 'physical', weight: 1, price: 1, categories: [category] }
  const { id } = await callStore<{ id: number }>(world, 'destination', 'POST', '/v3/catalog/products', own)
  await callStore(world, 'destination', 'PUT', orderOf(category), [{ product_id: id, sort_order: 3 }])
  await world.resetRequests('destination')
  const run = await world.complete({ conflictStrategy: 'update' })
  expect(await world.issues(run.requestId)).toEqual([])
  expect(await writesTo(world)).toEqual([])
  expect((await placed(id))?.sort_order).toBe(3)
  const { differences } = await world.verify(run.requestId)
  expect(differences).toMatchObject([{ kind: 'extra', component: 'products', destinationId: String(id) }])
})

test('C2: a position that the source has taken from a product stays at the destination, and is no reason to sort again in every run', async () => {
  const world = await aWorld({ entities: ['brands', 'categories', 'products'], catalogueOnly: true })
  const links = await linksIn(world, 'source')
  const [own = []] = [...Map.groupBy(links, ({ category_id }) => category_id).values()].filter(
    ({ length }) => length > 1,
  )
  const order = own.slice(0, 2).map(({ product_id }, at) => ({ product_id, sort_order: 7 - at }))
  const category = own[0]?.category_id ?? 0
  await callStore(world, 'source', 'PUT', orderOf(category), order)
  await world.complete()
  const row = (await world.state('source')).product_categories?.find(
    (one) => one.category_id === category && one.product_id === order[1]?.product_id,
  )
  await world.change('source', {
    op: 'set',
    table: 'product_categories',
    id: row?.id ?? 0,
    fields: { sort_order: null },
  })
  const again = { conflictStrategy: 'update' }
  expect((await world.complete(again)).phases.find(({ key }) => key === 'products')).toMatchObject({ failed: 0 })
  await world.resetRequests('destination')
  const run = await world.complete(again)
  expect(await world.issues(run.requestId)).toEqual([])
  expect(await writesTo(world)).toEqual([])
  const { differences } = await world.verify(run.requestId)
  expect(differences).toMatchObject([{ kind: 'different', component: 'category-product-order' }])
})

test('D2, D6: the order that a category of the destination has is compared like any other item, and kept as it was before it is overwritten', async () => {
  const seeds = { destination: 'tiny-catalogue' } as const
  const world = await aWorld({ entities: ['brands', 'categories', 'products'], catalogueOnly: true, seeds })
  const positions = async (side: Side) => {
    const own = Map.groupBy(await linksIn(world, side), ({ category_id }) => category_id)
    const [category, links = []] = [...own].find(([, { length }]) => length > 2) ?? []
    return { category: category ?? 0, ids: links.map(({ product_id }) => product_id).toSorted((a, b) => a - b) }
  }
  const [ours, theirs] = [await positions('source'), await positions('destination')]
  const sort = (side: Side, { category, ids }: typeof ours, [one, two]: [number, number]) =>
    callStore(world, side, 'PUT', orderOf(category), [
      { product_id: ids[one], sort_order: 1 },
      { product_id: ids[two], sort_order: 2 },
    ])
  await sort('source', ours, [0, 1])
  await sort('destination', theirs, [1, 2])
  const again = { conflictStrategy: 'update' }
  const run = await world.complete(again)
  expect((await counted(world, run.requestId))['category-product-order']).toMatchObject({ updated: 1 })
  const { rows } = await sql<{ body: object }>`
    select body from before_images where run_id = ${run.requestId} and component = 'category-product-order'`.execute(
    world.database,
  )
  expect(rows).toEqual([
    {
      body: {
        products: [
          { product_id: theirs.ids[1], sort_order: 1 },
          { product_id: theirs.ids[2], sort_order: 2 },
        ],
      },
    },
  ])
  await world.resetRequests('destination')
  expect(await world.issues((await world.complete(again)).requestId)).toEqual([])
  expect(await writesTo(world)).toEqual([])
})
