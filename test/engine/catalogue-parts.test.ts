import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { addCatalogueParts } from '../comparison/more-catalogue.ts'
import { isBornWith } from '../entities/entity-facts.ts'
import { startWorld, type World } from '../harness/world.ts'
import { likeTheBornOne, showTheme } from '../show-theme.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'

/** A store with everything that a catalogue can hold, copied once; the tests look at what that took. */
let world: World
let run: MigrationDetail
let writes: string[]
beforeAll(async () => {
  world = await startWorld()
  await addCatalogueParts(world, 'source')
  await showTheme(world, await likeTheBornOne(world))
  run = await world.complete()
  writes = (await world.requests('destination'))
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path.replace(/\/\d+(?=\/|$)/g, '/*')}`)
})
afterAll(() => world?.stop())

function times(call: string): number {
  return writes.filter((write) => write === call).length
}

test('everything is copied by one run, without an issue', async () => {
  expect(run.status).toBe('completed')
  expect(await world.issues(run.requestId)).toEqual([])
  expect(compareStores(await world.state('source'), await world.state('destination'))).toEqual([])
  await expectCountersToEqualTheLedger(world, run.requestId)
})

test('E2: videos and bulk pricing rules are created with their product, reviews with a call each', async () => {
  expect(await counted(world, run.requestId)).toMatchObject({
    'product-videos': { discovered: 3, created: 3 },
    'product-bulk-pricing-rules': { discovered: 3, created: 3 },
    'product-reviews': { discovered: 3, created: 3 },
  })
  expect(writes.filter((write) => /videos|bulk-pricing-rules/.test(write))).toEqual([])
  expect(times('POST /v3/catalog/products/*/reviews')).toBe(3)
})

test('E2: the pictures of categories and brands go with their creation', async () => {
  const { brands = [], categories = [] } = await world.state('destination')
  for (const rows of [brands, categories]) expect(rows.filter((row) => row.image_url !== '').length).toBeGreaterThan(0)
  expect(times('POST /v3/catalog/brands')).toBe(brands.length)
  expect(writes.filter((write) => /catalog.*\/image$/.test(write))).toEqual([])
})

test('E2: metafields are created in batches, whatever they hang on', async () => {
  for (const kind of ['products', 'categories', 'brands', 'variants'])
    expect(times(`POST /v3/catalog/${kind}/metafields`), kind).toBe(1)
  expect(await counted(world, run.requestId)).toMatchObject({
    'brand-metafields': { discovered: 2, created: 2 },
    'category-metafields': { discovered: 2, created: 2 },
    'variant-metafields': { discovered: 2, created: 2 },
  })
})

test('complex rules are made when the modifiers and variants that they name are there', async () => {
  expect((await counted(world, run.requestId))['product-complex-rules']).toEqual({ discovered: 2, created: 2 })
  expect(times('POST /v3/catalog/products/*/complex-rules')).toBe(2)
  const { modifier_values: values = [] } = await world.state('source')
  const asked = (await world.requests('source', 'GET')).flatMap(
    ({ path }) => path.match(/products\/(\d+)\/complex-rules/)?.[1] ?? [],
  )
  // Only products with values that a rule could name are asked for rules.
  expect(new Set(asked.map(Number))).toEqual(new Set(values.map((row) => row.product_id)))
})

test('E2: customs information goes in batches', async () => {
  expect((await counted(world, run.requestId))['product-customs-information']).toEqual({ discovered: 2, created: 2 })
  expect(times('PUT /v3/shipping/products/customs-information')).toBe(1)
})

test('the order of products in a category is set by one call, after the products', async () => {
  expect((await counted(world, run.requestId))['category-product-order']).toEqual({ discovered: 1, created: 1 })
  expect(times('PUT /v3/catalog/categories/*/products/sort-order')).toBe(1)
})

test('C5: products that name each other, or one that is copied later, are complete when the run ends', async () => {
  const { products = [] } = await world.state('destination')
  const named = (sku: string) => {
    const related = products.find((row) => row.sku === sku)?.related_products as number[]
    return related.map((id) => products.find((row) => row.id === id)?.sku)
  }
  expect([named('SKU-00002'), named('SKU-00011')]).toEqual([['SKU-00011', 'SKU-00003'], ['SKU-00002']])
  expect((await counted(world, run.requestId)).products).toEqual({ discovered: 12, created: 12 })
  // Those two, and the one of the seed.
  expect(times('PUT /v3/catalog/products/*') + times('PUT /v3/catalog/products')).toBe(1)
})

test('C2: a second run over an unchanged pair writes nothing', async () => {
  await world.resetRequests('destination')
  const second = await world.complete()
  expect(second.status).toBe('completed')
  for (const [component, { discovered, ...counts }] of Object.entries(await counted(world, second.requestId)))
    if (!isBornWith(component)) expect(counts, component).toEqual(discovered ? { matched: discovered } : {})
  expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
  await expectCountersToEqualTheLedger(world, second.requestId)
})

test('C2: `update` over an unchanged pair finds nothing to write and nothing changed', async () => {
  await world.resetRequests('destination')
  const second = await world.complete({ conflictStrategy: 'update' })
  expect(second.status).toBe('completed')
  expect(await world.issues(second.requestId)).toEqual([])
  expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
})

test('C2: `update` puts right what was edited at the destination, whatever it hangs on', async () => {
  const state = await world.state('destination')
  const edit = (table: string, fields: object, fits: (row: Record<string, unknown>) => boolean = () => true) => {
    const id = state[table]?.find(fits)?.id ?? 0
    return world.change('destination', { op: 'set', table, id, fields: { ...fields } })
  }
  const pictured = ({ image_url }: Record<string, unknown>) => image_url !== ''
  await edit('brands', { image_url: 'o/other__00001.png' }, pictured)
  await edit('categories', { image_url: 'o/other__00001.png' }, pictured)
  await edit('brands', { image_url: 'o/other__00001.png' }, (row) => !pictured(row))
  await edit('product_videos', { title: 'Another title' })
  await edit('bulk_pricing_rules', { amount: 99 })
  await edit('reviews', { rating: 2 })
  await edit('brand_metafields', { value: 'other' })
  await edit('variant_metafields', { value: 'other' })
  await edit('customs_information', { commodity_description: 'Other goods' })
  await edit('product_categories', { sort_order: 77 }, (row) => typeof row.sort_order === 'number')
  await edit('products', { related_products: [-1] }, (row) => row.sku === 'SKU-00002')
  const repairing = await world.complete({ conflictStrategy: 'update' })
  expect(repairing.status).toBe('completed')
  expect(compareStores(await world.state('source'), await world.state('destination'))).toEqual([])
  await expectCountersToEqualTheLedger(world, repairing.requestId)
})

test('D2: `replace` takes away videos, bulk pricing rules and reviews that only the destination has', async () => {
  const state = await world.state('destination')
  for (const table of ['product_videos', 'bulk_pricing_rules', 'reviews'])
    await world.change('destination', { op: 'double', table, id: state[table]?.[0]?.id ?? 0 })
  const replacing = await world.complete({ conflictStrategy: 'replace' })
  expect(replacing.status).toBe('completed')
  expect(compareStores(await world.state('source'), await world.state('destination'))).toEqual([])
})

test('F1: verify finds the copy equal', async () => {
  const { detail, differences } = await world.verify(run.requestId)
  expect([detail.status, differences]).toEqual(['completed', []])
})

test('C4: a product that cannot be copied is left out of what names it, told once, and named again when it can', async () => {
  const other = await startWorld()
  try {
    await addCatalogueParts(other, 'source')
    const own = (await other.state('source')).products?.find((row) => row.sku === 'SKU-00011')
    const rename = (name: string) =>
      other.change('source', { op: 'set', table: 'products', id: own?.id ?? 0, fields: { name } })
    await rename(`${own?.name} [[refuse]]`)
    const first = await other.complete()
    const told = (await other.issues(first.requestId)).filter(({ code }) => code === 'reference_left_out')
    expect(told.map(({ item, severity }) => [item.sku, severity])).toEqual([['SKU-00002', 'warning']])
    await rename(String(own?.name))
    const second = await other.complete()
    expect(second).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await other.issues(second.requestId)).toEqual([])
    expect(compareStores(await other.state('source'), await other.state('destination'))).toEqual([])
    await expectCountersToEqualTheLedger(other, second.requestId)
  } finally {
    await other.stop()
  }
})

test('D2: metafields of what was there before are left alone with it, also those of its variants', async () => {
  const other = await startWorld({ seeds: { destination: 'tiny' } })
  try {
    await addCatalogueParts(other, 'source')
    const adopting = await other.complete()
    expect(await other.issues(adopting.requestId)).toEqual([])
    const counts = await counted(other, adopting.requestId)
    for (const kind of ['brand', 'category', 'variant'])
      expect(counts[`${kind}-metafields`], kind).toEqual({ discovered: 2, skipped: 2 })
    await expectCountersToEqualTheLedger(other, adopting.requestId)
  } finally {
    await other.stop()
  }
})
