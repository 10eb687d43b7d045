import { expect, test } from 'vitest'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'

/** Runs name no entities, so what a pick needs is in scope. */
const aCatalogue = () => aWorld({ seeds: { source: 'tiny-catalogue' } })

type Row = { id: number } & Record<string, unknown>
const rows = async (world: World, side: 'source' | 'destination', table: string): Promise<Row[]> =>
  (await world.state(side))[table] ?? []
const names = (found: Row[]) => found.map((row) => String(row.name)).sort()
const generous = { conflictStrategy: 'replace', pruneLimitPercent: 100, pruneLimitItems: 1000 }
const picks = (key: string, ...items: Row[]) => ({ selection: { [key]: { ids: items.map(({ id }) => String(id)) } } })

/** A product with a brand and a category below another one. */
async function nestedProduct(world: World): Promise<{ product: Row; brand: Row; categories: Row[] }> {
  const [products, links, categories, brands] = await Promise.all(
    ['products', 'product_categories', 'categories', 'brands'].map((table) => rows(world, 'source', table)),
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

test('C4: a picked product is copied with its brand, its categories and all their ancestors, and nothing else', async () => {
  const world = await aCatalogue()
  const { product, brand, categories } = await nestedProduct(world)
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
  expect(names(await rows(world, 'destination', 'products'))).toEqual([product.name])
  expect(names(await rows(world, 'destination', 'brands'))).toEqual([brand.name])
  expect(names(await rows(world, 'destination', 'categories'))).toEqual(names(categories))
  await expectCountersToEqualTheLedger(world, id)
})

longTest(
  'C4: `replace` leaves what a pick needs alone if the destination has it, and writes the pick itself',
  async () => {
    const world = await aCatalogue()
    const { product, brand } = await nestedProduct(world)
    await world.complete(picks('products', product))
    const [copy] = await rows(world, 'destination', 'products')
    const [theirs] = await rows(world, 'destination', 'brands')
    await callStore(world, 'destination', 'PUT', `/v3/catalog/brands/${theirs?.id}`, { page_title: 'Edited there' })
    await callStore(world, 'destination', 'PUT', `/v3/catalog/products/${copy?.id}`, { price: 4.56 })
    await callStore(world, 'destination', 'POST', `/v3/catalog/products/${copy?.id}/custom-fields`, {
      name: 'Only here',
      value: 'yes',
    })
    const lone = await callStore<Row>(world, 'destination', 'POST', '/v3/catalog/brands', { name: 'Only There Goods' })
    const run = await world.complete({ ...picks('products', product), ...generous })
    expect(run.status).toBe('completed')
    expect((await rows(world, 'destination', 'products'))[0]?.price).toBe(product.price)
    expect(await rows(world, 'destination', 'brands')).toEqual([
      expect.objectContaining({ name: brand.name, page_title: 'Edited there' }),
      expect.objectContaining({ id: lone.id }),
    ])
    // Partial runs delete children of picked items and nothing else (D4).
    const left = await rows(world, 'destination', 'custom_fields')
    expect(left.filter(({ name }) => name === 'Only here')).toEqual([])
    await expectCountersToEqualTheLedger(world, run.requestId)
  },
)

test('C4: with entities named, what a pick needs of other entities is looked up and not created', async () => {
  const world = await aCatalogue()
  const { product, brand } = await nestedProduct(world)
  const theirs = await callStore<Row>(world, 'destination', 'POST', '/v3/catalog/brands', { name: brand.name })
  const id = await world.migrate({ ...picks('products', product), entities: ['products'] })
  const { scope } = (await world.api<MigrationRequest>('GET', `/v2/migrations/${id}/request`)).body
  expect(scope?.filter(({ created }) => created).map(({ component }) => component)).toEqual(['products'])
  const run = await world.finished(id)
  expect(run.phases.map(({ key }) => key)).toEqual(['products'])
  expect(await rows(world, 'destination', 'products')).toMatchObject([{ name: product.name, brand_id: theirs.id }])
  expect(await rows(world, 'destination', 'brands')).toHaveLength(1)
  expect(await rows(world, 'destination', 'categories')).toEqual([])
  expect((await world.issues(id)).map(({ code }) => code)).toEqual(['reference_left_out'])
})

test('C3: a pick that does not exist becomes an issue, and the run completes', async () => {
  const world = await aCatalogue()
  const [brand] = await rows(world, 'source', 'brands')
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

test('a run over picks reads them by id, never the whole source list, and its forecast counts only what is in scope', async () => {
  const world = await aCatalogue()
  const { product } = await nestedProduct(world)
  await world.resetRequests('source')
  const id = await world.migrate(picks('products', product))
  const run = await world.finished(id)
  const lists = (await world.requests('source', 'GET')).filter(({ path }) =>
    /\/v3\/catalog\/(products|brands|trees\/categories)$/.test(path),
  )
  // The forecast reads samples before the run starts; the check of pictures reads one page.
  const begun = Date.parse(run.timestamps.started ?? '')
  const walks = lists.filter(({ at, query }) => Date.parse(at) >= begun && /(^|&)(page|sort)=/.test(String(query)))
  const whole = walks.filter(({ query }) => !/%3Ain|:in/.test(String(query)))
  expect(lists.length).toBeGreaterThan(4)
  expect(whole.map(({ path, query }) => `${path}?${query}`)).toEqual([])
  expect(run.forecast?.counts).toMatchObject({ products: 1, brands: 1 })
  expect(run.forecast?.products).toBe((await rows(world, 'source', 'products')).length)
})

longTest(
  'F1: verify of a run over picks compares the picks and their children, and reports no other destination items',
  async () => {
    const world = await aCatalogue()
    const { product } = await nestedProduct(world)
    const run = await world.complete(picks('products', product))
    const [copy] = await rows(world, 'destination', 'products')
    const lamp = { name: 'Only There Lamp', type: 'physical', weight: 1, price: 1 }
    await callStore(world, 'destination', 'POST', '/v3/catalog/products', lamp)
    const equal = await world.verify(run.requestId)
    expect(equal.detail).toMatchObject({ selective: true, mode: 'verify' })
    expect(equal.differences).toEqual([])
    const metafield = { namespace: 'theirs', key: 'only-here', value: 'yes', permission_set: 'app_only' }
    await callStore(world, 'destination', 'POST', `/v3/catalog/products/${copy?.id}/metafields`, metafield)
    await callStore(world, 'destination', 'PUT', `/v3/catalog/products/${copy?.id}`, { price: 4.56 })
    const { differences } = await world.verify(run.requestId)
    expect(differences.map(({ component, kind, fields }) => [component, kind, fields.map(({ path }) => path)])).toEqual(
      [
        ['products', 'different', ['price']],
        // It belongs to the pick.
        ['product-metafields', 'extra', []],
      ],
    )
  },
)

test('F2: a counts run over picks counts them and what they need', async () => {
  const world = await aCatalogue()
  const { product, categories } = await nestedProduct(world)
  const run = await world.complete({ ...picks('products', product), mode: 'counts' })
  const totals = run.phases.flatMap(({ components }) => components).map(({ key, total }) => [key, total])
  expect(Object.fromEntries(totals)).toMatchObject({ products: 1, brands: 1, categories: categories.length })
})

/** Three products, the first of which names the others as related. */
async function relatedProducts(world: World): Promise<[Row, Row, Row]> {
  const [one, two, three] = await rows(world, 'source', 'products')
  if (!one || !two || !three) throw new Error('The seed has three products.')
  await callStore(world, 'source', 'PUT', `/v3/catalog/products/${one.id}`, { related_products: [two.id, three.id] })
  return [one, two, three]
}

const copyOf = async (world: World, { name }: Row) =>
  (await rows(world, 'destination', 'products')).find((row) => row.name === name)

test('C4: related products of a pick are found by natural key at the destination; those missing there are reported, not copied', async () => {
  const world = await aCatalogue()
  const [one, two, three] = await relatedProducts(world)
  const { name, sku } = two
  await callStore(world, 'destination', 'POST', '/v3/catalog/products', {
    name,
    sku,
    type: 'physical',
    weight: 1,
    price: 1,
  })
  const run = await world.complete(picks('products', one))
  expect(run.status).toBe('completed')
  expect((await copyOf(world, one))?.related_products).toEqual([(await copyOf(world, two))?.id])
  expect(await copyOf(world, three)).toBeUndefined()
  expect(
    (await world.issues(run.requestId)).map(({ code, message }) => [code, message.includes(`product ${three.id}`)]),
  ).toEqual([['reference_left_out', true]])
})

longTest(
  'C1: a pick that waits for a related product is completed by a later run only if it is picked again',
  async () => {
    const world = await aCatalogue()
    const [one, two, three] = await relatedProducts(world)
    const related = async () => (await copyOf(world, one))?.related_products
    await world.complete(picks('products', one, two))
    expect(await related()).toHaveLength(1)
    await world.complete(picks('products', three))
    expect(await related()).toHaveLength(1)
    await world.complete(picks('products', one, three))
    expect(await related()).toHaveLength(2)
  },
)
