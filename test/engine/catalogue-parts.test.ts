import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { addCatalogueParts, idOf } from '../comparison/more-catalogue.ts'
import { addModifiers } from '../comparison/more-modifiers.ts'
import { isBornWith } from '../entities/entity-facts.ts'
import { longTest } from '../harness/long-form.ts'
import { aWorld, startWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { writesTo } from './content.ts'
import { counted, expectCountersToEqualTheLedger, stateOfUnchanged } from './counted.ts'
import { deletes, generous, rows } from './replace-story.ts'

const entities = ['categories', 'brands', 'products']

/** A source with everything that a catalogue can hold, before the first run. */
async function aWorldOfParts(): Promise<World> {
  const world = await aWorld({ entities })
  await addCatalogueParts(world, 'source')
  return world
}

/** What differs between the stores in the components that the run copies. */
async function differencesAfter(world: World, run: MigrationDetail) {
  const copied = new Set(run.phases.flatMap(({ components }) => components).map(({ key }) => key))
  const all = compareStores(await world.state('source'), await world.state('destination'))
  return all.filter(({ entity }) => copied.has(entity))
}

describe('a catalogue with everything that it can hold, copied once', () => {
  let world: World
  let run: MigrationDetail
  let writes: string[]
  beforeAll(async () => {
    world = await startWorld({ entities })
    await addCatalogueParts(world, 'source')
    run = await world.complete()
    writes = (await writesTo(world)).map((call) => call.replace(/\/\d+(?=\/|$)/g, '/*'))
  })
  afterAll(() => world?.stop())

  function times(call: string): number {
    return writes.filter((write) => write === call).length
  }

  test('F1: is copied by one run without an issue, and verify finds no difference', async () => {
    expect(run.status).toBe('completed')
    expect(await world.issues(run.requestId)).toEqual([])
    expect(await differencesAfter(world, run)).toEqual([])
    await expectCountersToEqualTheLedger(world, run.requestId)
    const { detail, differences } = await world.verify(run.requestId)
    expect([detail.status, differences]).toEqual(['completed', []])
  })

  test('E2: videos and bulk pricing rules are created with their product, reviews with one call each', async () => {
    expect(await counted(world, run.requestId)).toMatchObject({
      'product-videos': { discovered: 3, created: 3 },
      'product-bulk-pricing-rules': { discovered: 3, created: 3 },
      'product-reviews': { discovered: 3, created: 3 },
    })
    expect(writes.filter((write) => /videos|bulk-pricing-rules/.test(write))).toEqual([])
    expect(times('POST /v3/catalog/products/*/reviews')).toBe(3)
  })

  test('E2: the pictures of categories and brands are sent with their creation', async () => {
    const { brands = [], categories = [] } = await world.state('destination')
    for (const rows of [brands, categories])
      expect(rows.filter((row) => row.image_url !== '').length).toBeGreaterThan(0)
    expect(times('POST /v3/catalog/brands')).toBe(brands.length)
    expect(writes.filter((write) => /catalog.*\/image$/.test(write))).toEqual([])
  })

  test('E2: metafields of every kind of owner are created in batches', async () => {
    for (const kind of ['products', 'categories', 'brands', 'variants'])
      expect(times(`POST /v3/catalog/${kind}/metafields`), kind).toBe(1)
    expect(await counted(world, run.requestId)).toMatchObject({
      'brand-metafields': { discovered: 2, created: 2 },
      'category-metafields': { discovered: 2, created: 2 },
      'variant-metafields': { discovered: 2, created: 2 },
    })
  })

  test('complex rules are created with one call each, and read only for products with modifier values that a rule could name', async () => {
    expect((await counted(world, run.requestId))['product-complex-rules']).toEqual({ discovered: 2, created: 2 })
    expect(times('POST /v3/catalog/products/*/complex-rules')).toBe(2)
    const { modifier_values: values = [] } = await world.state('source')
    const productIds = (await world.requests('source', 'GET')).flatMap(
      ({ path }) => path.match(/products\/(\d+)\/complex-rules/)?.[1] ?? [],
    )
    // Only products with values that a rule could name are asked for rules.
    expect(new Set(productIds.map(Number))).toEqual(new Set(values.map((row) => row.product_id)))
  })

  test('E2: customs information is sent in batches', async () => {
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
    // Those two, and the one from the seed.
    expect(times('PUT /v3/catalog/products/*') + times('PUT /v3/catalog/products')).toBe(1)
  })
})

longTest('C2, G13: `skip` and `update` over an unchanged pair write nothing, and match what they compare', async () => {
  const world = await aWorldOfParts()
  await world.complete()
  await world.resetRequests('destination')
  for (const conflictStrategy of ['skip', 'update']) {
    const again = await world.complete({ conflictStrategy })
    expect(again.status).toBe('completed')
    expect(await world.issues(again.requestId)).toEqual([])
    for (const [component, { discovered, ...counts }] of Object.entries(await counted(world, again.requestId)))
      if (!isBornWith(component)) {
        const state = stateOfUnchanged(component, conflictStrategy)
        expect(counts, component).toEqual(discovered ? { [state]: discovered } : {})
      }
    expect(await writesTo(world), conflictStrategy).toEqual([])
  }
})

longTest(
  'C2: `update` corrects edits made at the destination, whatever part of the catalogue they are in',
  async () => {
    const world = await aWorldOfParts()
    await world.complete()
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
    expect(await differencesAfter(world, repairing)).toEqual([])
    await expectCountersToEqualTheLedger(world, repairing.requestId)
  },
)

/** Five percent off for so many of a product; no largest quantity if that is 0. */
const step = (quantity_min: number, quantity_max: number) => ({
  quantity_min,
  quantity_max,
  type: 'percent',
  amount: 5,
})

test.each([
  ['below them', [step(5, 14), step(15, 99)]],
  ['above them', [step(15, 29), step(30, 0)]],
  ['more of them', [step(1, 4), step(5, 29), step(30, 99)]],
])('C2: bulk prices that the source has replaced by others replace the copied ones under update, and that of the merchant stays: %s', async (_what, steps) => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products'] })
  const path = '/v3/catalog/products'
  const product = { name: 'Nail', type: 'physical', weight: 1, price: 10 }
  const { id } = await callStore(world, 'source', 'POST', path, {
    ...product,
    bulk_pricing_rules: [step(10, 19), step(20, 99)],
  })
  await world.complete()
  const [copy] = (await world.state('destination')).products ?? []
  const own = steps.some(({ quantity_max }) => quantity_max === 0) ? step(1, 2) : step(500, 0)
  await callStore(world, 'destination', 'POST', `${path}/${copy?.id}/bulk-pricing-rules`, own)
  const rules = `${path}/${id}/bulk-pricing-rules`
  for (const rule of await callStore<{ id: number }[]>(world, 'source', 'GET', rules))
    await callStore(world, 'source', 'DELETE', `${rules}/${rule.id}`)
  for (const rule of steps) await callStore(world, 'source', 'POST', rules, rule)
  const run = await world.complete({ conflictStrategy: 'update' })
  expect((await world.issues(run.requestId)).filter(({ severity }) => severity === 'failure')).toEqual([])
  const there = (await world.state('destination')).bulk_pricing_rules ?? []
  const spans = there.map(({ quantity_min, quantity_max }) => [quantity_min, quantity_max])
  expect(spans.sort()).toEqual([own, ...steps].map((one) => [one.quantity_min, one.quantity_max]).sort())
})

test('B5: a run that writes every product again gives none of them a child twice', async () => {
  const world = await aWorldOfParts()
  await world.complete()
  const { products = [] } = await world.state('destination')
  for (const { id } of products)
    await world.change('destination', { op: 'set', table: 'products', id, fields: { price: 4.56 } })
  const repairing = await world.complete({ conflictStrategy: 'update' })
  expect((await counted(world, repairing.requestId)).products).toMatchObject({ updated: products.length })
  // The platform appends every child that is sent without an id.
  expect(await differencesAfter(world, repairing)).toEqual([])
})

longTest(
  'D2, G3: `replace` deletes videos and bulk pricing rules that only the destination has, and reviews if the request names them',
  async () => {
    const world = await aWorldOfParts()
    await world.complete()
    const state = await world.state('destination')
    for (const table of ['product_videos', 'bulk_pricing_rules', 'reviews'])
      await world.change('destination', { op: 'double', table, id: state[table]?.[0]?.id ?? 0 })
    const replacing = await world.complete({
      conflictStrategy: 'replace',
      pruneLive: ['product-reviews'],
      pruneLimitPercent: 100,
    })
    expect(replacing.status).toBe('completed')
    expect(await differencesAfter(world, replacing)).toEqual([])
  },
)

longTest(
  'C4: a product that cannot be copied is left out of items that name it, reported once, and added as soon as it can be copied',
  async () => {
    const world = await aWorld({ entities })
    const state = await world.state('source')
    const id = idOf(state, 'SKU-00011')
    const related_products = [id, idOf(state, 'SKU-00003')]
    const naming = { op: 'set', table: 'products', id: idOf(state, 'SKU-00002'), fields: { related_products } } as const
    await world.change('source', naming)
    const name = String(state.products?.find((row) => row.id === id)?.name)
    const rename = (to: string) => world.change('source', { op: 'set', table: 'products', id, fields: { name: to } })
    await rename(`${name} [[refuse]]`)
    const first = await world.complete()
    const reported = (await world.issues(first.requestId)).filter(({ code }) => code === 'reference_left_out')
    expect(reported.map(({ item, severity }) => [item.sku, severity])).toEqual([['SKU-00002', 'warning']])
    await rename(name)
    const second = await world.complete()
    expect(second).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await world.issues(second.requestId)).toEqual([])
    expect(await differencesAfter(world, second)).toEqual([])
    await expectCountersToEqualTheLedger(world, second.requestId)
  },
)

test.each([
  'skip',
  'update',
])('G1, C5: products that were deleted at the destination and name each other are created again under `%s` with what they name', async (conflictStrategy) => {
  const world = await aWorld({ entities })
  await addModifiers(world)
  const first = await world.complete()
  const before = await differencesAfter(world, first)
  // More than a page, and what one of them names is on another page.
  const copies = await rows(world, 'destination', 'products')
  const kept = copies.find(({ related_products }) => (related_products as number[]).some((id) => id > 0))
  for (const { id } of copies.filter((copy) => conflictStrategy === 'skip' || copy !== kept))
    await callStore(world, 'destination', 'DELETE', `/v3/catalog/products/${id}`)
  const run = await world.complete({ conflictStrategy })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await differencesAfter(world, run)).toEqual(before)
  expect((await world.issues(run.requestId)).filter(({ code }) => code === 'reference_left_out')).toEqual([])
})

test('C4, G3: a product list is copied without what the destination lacks of it, gets that later, and loses nothing to `replace`', async () => {
  const world = await aWorld({ entities })
  await addModifiers(world)
  const state = await world.state('source')
  const id = idOf(state, 'SKU-00011')
  const name = String(state.products?.find((row) => row.id === id)?.name)
  const rename = (to: string) => world.change('source', { op: 'set', table: 'products', id, fields: { name: to } })
  const isListed = ({ label }: Record<string, unknown>) => String(label).startsWith('Set with SKU-')
  const labels = async () =>
    (await rows(world, 'destination', 'modifier_values')).filter(isListed).map(({ label }) => label)
  await rename(`${name} [[refuse]]`)
  const first = await world.complete()
  const reported = (await world.issues(first.requestId)).filter(({ code }) => code === 'reference_left_out')
  expect(reported.map(({ item }) => item.sku)).toEqual(['SKU-00005'])
  expect(await labels()).toEqual(['Set with SKU-00001'])
  await rename(name)
  const second = await world.complete()
  expect(second).toMatchObject({ status: 'completed', failuresOpen: 0 })
  await expectCountersToEqualTheLedger(world, second.requestId)
  expect(await differencesAfter(world, second)).toEqual([])
  for (const value of (await rows(world, 'source', 'modifier_values')).filter(isListed).slice(1)) {
    const fields = { value_data: { product_id: 99999999 } }
    await world.change('source', { op: 'set', table: 'modifier_values', id: value.id, fields })
  }
  await world.resetRequests('destination')
  expect((await world.complete(generous)).status).toBe('completed')
  expect(await deletes(world)).toEqual([])
  expect(await labels()).toEqual(['Set with SKU-00001', 'Set with SKU-00011'])
})

test('D2: metafields of adopted brands, categories and variants are not copied, but counted as skipped', async () => {
  const world = await aWorld({ entities, seeds: { destination: 'tiny' } })
  await addCatalogueParts(world, 'source')
  const adopting = await world.complete()
  expect(await world.issues(adopting.requestId)).toEqual([])
  const counts = await counted(world, adopting.requestId)
  for (const kind of ['brand', 'category', 'variant'])
    expect(counts[`${kind}-metafields`], kind).toEqual({ discovered: 2, skipped: 2 })
  const { brand_metafields, category_metafields, variant_metafields } = await world.state('destination')
  expect([brand_metafields, category_metafields, variant_metafields].flatMap((rows) => rows ?? [])).toEqual([])
  await expectCountersToEqualTheLedger(world, adopting.requestId)
})

test('D2, F2: under skip, metafields of a variant that was deleted at the destination are skipped like the variant, as the dry run said', async () => {
  const world = await aWorldOfParts()
  await world.complete()
  const [metafield] = await rows(world, 'destination', 'variant_metafields')
  const variant = (await rows(world, 'destination', 'variants')).find(({ id }) => id === metafield?.resource_id)
  await callStore(world, 'destination', 'DELETE', `/v3/catalog/products/${variant?.product_id}/variants/${variant?.id}`)
  for (const mode of ['dry-run', 'full']) {
    const run = await world.complete({ mode })
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await world.issues(run.requestId)).toEqual([])
    expect((await counted(world, run.requestId))['variant-metafields']).toEqual({ discovered: 2, skipped: 2 })
  }
  await world.complete({ conflictStrategy: 'update' })
  expect(await rows(world, 'destination', 'variant_metafields')).toHaveLength(2)
})

test('F1: an item that is compared again is compared with its complex rules, which no list shows', async () => {
  const world = await aWorldOfParts()
  await world.complete()
  const { complex_rules: [rule] = [] } = await world.state('destination')
  const productId = (await world.state('source')).complex_rules?.[0]?.product_id
  const path = `/v3/catalog/products/${rule?.product_id}/complex-rules/${rule?.id}`
  await callStore(world, 'destination', 'DELETE', path)
  const [source, destination] = [world.address('source').hash, world.address('destination').hash]
  const asked = { source, destination, entity: 'products', sourceItemId: String(productId) }
  const { body } = await world.api<{ differences: object[] }>('POST', '/v2/compare', asked)
  expect(body.differences).toMatchObject([{ component: 'product-complex-rules', kind: 'missing' }])
  const shown = await world.api('GET', `/v2/stores/${source}/catalog/products/${productId}`)
  expect(shown.body).toMatchObject({ below: { 'product-complex-rules': 2 } })
})

test('a product on no storefront is taken off the default one by the next run if the destination refused that at first', async () => {
  const world = await aWorld({ catalogueOnly: true })
  const { products = [] } = await world.state('source')
  const assignment = `/v3/catalog/products/channel-assignments?product_id:in=${products[0]?.id}&channel_id:in=1`
  await callStore(world, 'source', 'DELETE', assignment)
  const refused = { method: 'DELETE', path: '/products/channel-assignments$' }
  await world.fault('destination', { kind: 'error_before_applying', status: 422, ...refused })
  const assigned = async (side: 'source' | 'destination') => (await world.state(side)).product_channel_assignments ?? []
  const { requestId } = await world.complete()
  expect((await world.issues(requestId)).map(({ code }) => code)).toEqual(['not_pruned'])
  expect(await assigned('destination')).toHaveLength((await assigned('source')).length + 1)
  await world.complete()
  expect(await assigned('destination')).toHaveLength((await assigned('source')).length)
})
