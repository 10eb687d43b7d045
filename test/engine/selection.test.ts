import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { startWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

type Row = { id: number } & Record<string, unknown>
const rows = async (side: 'source' | 'destination', table: string) => ((await world.state(side))[table] ?? []) as Row[]
const names = (found: Row[]) => found.map((row) => String(row.name)).sort()
const generous = { conflictStrategy: 'replace', pruneLimitPercent: 100, pruneLimitItems: 1000 }
const picks = (key: string, ...items: Row[]) => ({ selection: { [key]: { ids: items.map(({ id }) => String(id)) } } })

/** A product with a brand and a category below another one. */
async function nestedProduct(): Promise<{ product: Row; brand: Row; categories: Row[] }> {
  const [products, links, categories, brands] = await Promise.all(
    ['products', 'product_categories', 'categories', 'brands'].map((table) => rows('source', table)),
  )
  const byId = new Map(categories?.map((row) => [row.id, row]))
  for (const product of products ?? []) {
    const own = (links ?? [])
      .filter((link) => link.product_id === product.id)
      .map((link) => byId.get(Number(link.category_id)))
    const brand = brands?.find(({ id }) => id === product.brand_id)
    if (!brand || !own.some((category) => category?.parent_id !== 0)) continue
    const all = new Map<number, Row>()
    for (let next = own.flatMap((one) => one ?? []); next.length > 0; ) {
      for (const one of next) all.set(one.id, one)
      next = next.flatMap((one) => byId.get(Number(one.parent_id)) ?? [])
    }
    return { product, brand, categories: [...all.values()] }
  }
  throw new Error('The seed has no product with a brand in a category below another.')
}

test('C4: a picked product brings its brand and its categories with everything above them, and nothing else', async () => {
  const { product, brand, categories } = await nestedProduct()
  const id = await world.migrate(picks('products', product))
  const request = (await world.api<MigrationRequest>('GET', `/v2/migrations/${id}/request`)).body
  expect(request.scope?.map(({ component, picked, needed, created }) => [component, picked, needed, created])).toEqual([
    ['brands', 0, 1, true],
    ['categories', 0, categories.length, true],
    ['category-trees', 0, 1, true],
    ['products', 1, 0, true],
  ])
  expect(request.scope?.find(({ component }) => component === 'products')?.ids).toEqual([String(product.id)])
  const run = await world.finished(id)
  expect(run).toMatchObject({ status: 'completed', selective: true })
  expect(names(await rows('destination', 'products'))).toEqual([product.name])
  expect(names(await rows('destination', 'brands'))).toEqual([brand.name])
  expect(names(await rows('destination', 'categories'))).toEqual(names(categories))
  await expectCountersToEqualTheLedger(world, id)
})

test('C4: what a pick needs and stands at the destination is left alone, whatever the strategy; the pick itself is not', async () => {
  const { product, brand } = await nestedProduct()
  const [copy] = await rows('destination', 'products')
  const [theirs] = await rows('destination', 'brands')
  await callStore(world, 'destination', 'PUT', `/v3/catalog/brands/${theirs?.id}`, { page_title: 'Edited there' })
  await callStore(world, 'destination', 'PUT', `/v3/catalog/products/${copy?.id}`, { price: 4.56 })
  await callStore(world, 'destination', 'POST', `/v3/catalog/products/${copy?.id}/custom-fields`, {
    name: 'Only here',
    value: 'yes',
  })
  await callStore(world, 'destination', 'POST', `/v3/catalog/products/${copy?.id}/metafields`, {
    namespace: 'theirs',
    key: 'only-here',
    value: 'yes',
    permission_set: 'app_only',
  })
  const lone = await callStore<Row>(world, 'destination', 'POST', '/v3/catalog/brands', { name: 'Only There Goods' })
  const run = await world.complete({ ...picks('products', product), ...generous })
  expect(run.status).toBe('completed')
  expect((await rows('destination', 'products'))[0]?.price).toBe(product.price)
  expect(await rows('destination', 'brands')).toEqual([
    expect.objectContaining({ name: brand.name, page_title: 'Edited there' }),
    expect.objectContaining({ id: lone.id }),
  ])
  // Selective runs delete what hangs on picked items and nothing else (D4).
  const left = await rows('destination', 'custom_fields')
  expect(left.filter(({ name }) => name === 'Only here')).toEqual([])
  await expectCountersToEqualTheLedger(world, run.requestId)
  await callStore(world, 'destination', 'DELETE', `/v3/catalog/brands/${lone.id}`)
})

test('C4: with entities named, what a pick needs of others is looked up and not created', async () => {
  const { brand } = await nestedProduct()
  const other = (await rows('source', 'products')).find(({ brand_id }) => brand_id !== 0 && brand_id !== brand.id)
  if (!other) throw new Error('The seed has a product of another brand.')
  const before = await rows('destination', 'brands')
  const id = await world.migrate({ ...picks('products', other), entities: ['products'] })
  const { scope } = (await world.api<MigrationRequest>('GET', `/v2/migrations/${id}/request`)).body
  expect(scope?.filter(({ created }) => created).map(({ component }) => component)).toEqual(['products'])
  const run = await world.finished(id)
  expect(run.phases.map(({ key }) => key)).toEqual(['products'])
  expect(await rows('destination', 'brands')).toEqual(before)
  expect((await world.issues(id)).map(({ code }) => code)).toEqual(['reference_left_out'])
  expect(names(await rows('destination', 'products'))).toContain(other.name)
})

test('C3: a pick that does not exist is an issue of its own, and the others are copied', async () => {
  const [brand] = await rows('source', 'brands')
  if (!brand) throw new Error('The seed has brands.')
  const run = await world.complete(picks('brands', brand, { id: 987654321 }))
  expect(run.status).toBe('completed')
  expect((await world.issues(run.requestId)).map(({ code, item }) => [code, item.sourceId])).toEqual([
    ['source_gone', '987654321'],
  ])
  const counts = await counted(world, run.requestId)
  expect(counts.brands).toMatchObject({ discovered: 2, skipped: expect.any(Number) })
  await expectCountersToEqualTheLedger(world, run.requestId)
})

test('a run over picks reads them by their ids, never the whole source list, and is priced for them', async () => {
  const { product } = await nestedProduct()
  await world.resetRequests('source')
  const id = await world.migrate(picks('products', product))
  const run = await world.finished(id)
  const lists = (await world.requests('source', 'GET')).filter(({ path }) =>
    /\/v3\/catalog\/(products|brands|trees\/categories)$/.test(path),
  )
  // The price is made of samples, before the run starts; looking at the pictures asks for one page.
  const begun = Date.parse(run.timestamps.started ?? '')
  const walks = lists.filter(({ at, query }) => Date.parse(at) >= begun && /(^|&)(page|sort)=/.test(String(query)))
  const whole = walks.filter(({ query }) => !/%3Ain|:in/.test(String(query)))
  expect(lists.length).toBeGreaterThan(4)
  expect(whole.map(({ path, query }) => `${path}?${query}`)).toEqual([])
  expect(run.forecast?.counts).toMatchObject({ products: 1, brands: 1 })
  expect(run.forecast?.products).toBe((await rows('source', 'products')).length)
})

test('F1: verify of a run over picks compares the picks, and what only the destination has is no difference', async () => {
  const { product } = await nestedProduct()
  const run = await world.complete({ ...picks('products', product), conflictStrategy: 'update' })
  await callStore(world, 'destination', 'POST', '/v3/catalog/products', {
    name: 'Only There Lamp',
    type: 'physical',
    weight: 1,
    price: 1,
  })
  const equal = await world.verify(run.requestId)
  expect(equal.detail).toMatchObject({ selective: true, mode: 'verify' })
  const told = ({ component, kind }: { component: string; kind: string }) => [component, kind]
  // What hangs on a pick is part of it.
  expect(equal.differences.map(told)).toEqual([['product-metafields', 'extra']])
  const copy = (await rows('destination', 'products')).find(({ name }) => name === product.name)
  await callStore(world, 'destination', 'PUT', `/v3/catalog/products/${copy?.id}`, { price: 4.56 })
  const { differences } = await world.verify(run.requestId)
  expect(differences.map((one) => [...told(one), ...one.fields.map(({ path }) => path)])).toEqual([
    ['products', 'different', 'price'],
    ['product-metafields', 'extra'],
  ])
})

test('C4: picks of everything that can be picked make the same store as a run over everything', async () => {
  const products = await rows('source', 'products')
  const categories = await rows('source', 'categories')
  const brands = await rows('source', 'brands')
  const all = (found: Row[]) => ({ ids: found.map(({ id }) => String(id)) })
  const files = new Set((await rows('source', 'page_contexts')).map(({ template_file }) => template_file))
  const lone = (await rows('destination', 'products')).find(({ name }) => name === 'Only There Lamp')
  await callStore(world, 'destination', 'DELETE', `/v3/catalog/products/${lone?.id}`)
  const selection = {
    products: all(products),
    categories: all(categories),
    brands: all(brands),
    'price-lists': all(await rows('source', 'price_lists')),
    'customer-groups': all(await rows('source', 'customer_groups')),
    pages: all(await rows('source', 'pages')),
    pageTemplates: [...files].map((file) => ({ file, globals: true })),
  }
  const run = await world.complete({ selection, ...generous })
  expect(run.status).toBe('completed')
  const found = compareStores(await world.state('source'), await world.state('destination'))
  // Nobody picked any of the others.
  const shoppers =
    /^(customers|customer-(attribute|address|form|metafield|consent)|subscribers|segment|shopper-profiles|wishlists)/
  const others =
    /^(banners|scripts|blog|redirects|custom-template|email|coupons|gift-certificates|promotions|locations|currencies|channel-currencies|tax|shipping|search-filter|orders|order-|inventory)/
  expect(found.filter(({ entity }) => !shoppers.test(entity) && !others.test(entity))).toEqual([
    // A template goes along with the pages that are made of it, and of this one there is none.
    { entity: 'widget-templates', key: 'custom Store finder of default storefront', kind: 'missing' },
  ])
})

test('F2: a counts run over picks counts them and what they need', async () => {
  const { product, categories } = await nestedProduct()
  const run = await world.complete({ ...picks('products', product), mode: 'counts' })
  const totals = run.phases.flatMap(({ components }) => components).map(({ key, total }) => [key, total])
  expect(Object.fromEntries(totals)).toMatchObject({ products: 1, brands: 1, categories: categories.length })
})

test('C4: what a pick names of its own kind is found by its natural key at the destination, and not copied', async () => {
  const [one, two, three] = await rows('source', 'products')
  await callStore(world, 'source', 'PUT', `/v3/catalog/products/${one?.id}`, { related_products: [two?.id, three?.id] })
  await sql`delete from mappings`.execute(world.database)
  const copyOf = async (row?: Row) => (await rows('destination', 'products')).find(({ name }) => name === row?.name)
  await callStore(world, 'destination', 'DELETE', `/v3/catalog/products/${(await copyOf(three))?.id}`)
  const run = await world.complete({ ...picks('products', one as Row), conflictStrategy: 'update' })
  expect(run.status).toBe('completed')
  expect((await copyOf(one))?.related_products).toEqual([(await copyOf(two))?.id])
  expect(await copyOf(three)).toBeUndefined()
  expect(
    (await world.issues(run.requestId)).map(({ code, message }) => [code, message.includes(`products ${three?.id}`)]),
  ).toEqual([['reference_left_out', true]])
})

test('C1: a pick that comes later is what an earlier one was waiting for, and only picks are completed', async () => {
  const [one, , three] = await rows('source', 'products')
  const copyOf = async (row?: Row) => (await rows('destination', 'products')).find(({ name }) => name === row?.name)
  await world.complete(picks('products', three as Row))
  expect((await copyOf(one))?.related_products).toHaveLength(1)
  await world.complete(picks('products', one as Row, three as Row))
  expect((await copyOf(one))?.related_products).toHaveLength(2)
})
