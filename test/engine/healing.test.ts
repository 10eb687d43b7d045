import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Issue } from '../../src/contract/issues.ts'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { until } from '../harness/until.ts'
import { startWorld, type World } from '../harness/world.ts'
import { expectWhole } from '../kills/expect-whole.ts'
import { callStore } from './call-store.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'

let world: World
let catalogueOnly = true
beforeEach(async () => {
  world = await startWorld({ catalogueOnly, requestTimeoutSeconds: 1, settleSeconds: 0 })
})
afterEach(() => world?.stop())

const products = '/v3/catalog/products$'

async function theLast(table: string): Promise<{ id: number; name: string; [field: string]: unknown }> {
  const row = (await world.state('source'))[table]?.at(-1)
  if (!row) throw new Error(`The source has no ${table}.`)
  return { ...row, name: String(row.name) }
}

const set = (table: string, id: number, fields: Record<string, unknown>) =>
  world.change('source', { op: 'set', table, id, fields })

/** A body that names the item: what it is called is matched loosely. */
const named = (name: string) => `"name":"${name.replace(/[^\w ]/g, '.')}"`

async function heal(id: string): Promise<MigrationDetail> {
  const answer = await world.api('POST', `/v2/migrations/${id}/heal`)
  expect(answer.status, JSON.stringify(answer.body)).toBe(202)
  return world.finished(id)
}

async function issuesBy(id: string): Promise<string[]> {
  const told = ({ state, rule, component, code }: Issue) => `${state} ${rule ?? '-'}: ${component} ${code}`
  return [...new Set((await world.issues(id)).map(told))].sort()
}

async function writes(path: RegExp): Promise<number> {
  const requests = await world.requests('destination')
  return requests.filter((one) => one.method !== 'GET' && path.test(one.path)).length
}

/** True of every run, whatever was healed. */
async function expectHonest(id: string): Promise<void> {
  await expectCountersToEqualTheLedger(world, id)
  expect((await world.requests('source')).every(({ method }) => method === 'GET')).toBe(true)
}

describe('by itself', () => {
  test('F4: an item given up after lost answers is tried again, and what hangs on it finds it there', async () => {
    const { name } = await theLast('products')
    const bad = { status: 500, method: 'POST', path: products, body: named(name) }
    await world.fault('destination', { kind: 'error_before_applying', ...bad, times: 5 })
    const run = await world.complete()
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0, counters: { failed: 0 } })
    const issues = await world.issues(run.requestId)
    expect(issues.find(({ component }) => component === 'products')).toMatchObject({
      state: 'healed',
      rule: 'retry-transient',
      code: 'platform_refused',
      attempts: 1,
      message: expect.stringMatching(/ was tried again and is there\.$/),
    })
    for (const issue of issues.filter(({ component }) => component !== 'products'))
      expect(issue).toMatchObject({ state: 'healed', rule: 'map-parents', code: 'missing_reference' })
    await expectWhole(world, run.requestId)
    await expectHonest(run.requestId)
  })

  test('F4: a row that the platform refuses costs itself and none of the rows that were sent with it', async () => {
    const { products: rows = [] } = await world.state('source')
    const customs = rows.slice(0, 5).map(({ id }, at) => ({
      product_id: id,
      country_of_origin: 'PT',
      commodity_description: `Part ${at}`,
      hs_codes: { US: '9403200020' },
      international_shipping: true,
    }))
    await callStore(world, 'source', 'PUT', '/v3/shipping/products/customs-information', customs)
    const bad = await theLast('customs_information')
    await set('customs_information', bad.id, { country_of_origin: 'Portugal' })
    await world.resetRequests('source')
    const run = await world.complete()
    expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
    expect(await issuesBy(run.requestId)).toEqual([
      'healed split-batch: product-customs-information platform_refused',
      'open split-batch: product-customs-information platform_refused',
    ])
    expect((await world.state('destination')).customs_information).toHaveLength(4)
    await set('customs_information', bad.id, { country_of_origin: 'PT' })
    expect(await heal(run.requestId)).toMatchObject({ status: 'completed', failuresOpen: 0 })
    await expectWhole(world, run.requestId)
    await expectHonest(run.requestId)
  })

  test('F4: under update what could not be corrected is tried again, and counts as updated once', async () => {
    await world.complete()
    const { brands = [] } = await world.state('destination')
    const [given, refused] = brands.map(({ id }) => Number(id))
    for (const id of [given, refused])
      await world.change('destination', {
        op: 'set',
        table: 'brands',
        id: Number(id),
        fields: { page_title: 'Theirs' },
      })
    const put = (id: number | undefined) => ({ method: 'PUT', path: `^/v3/catalog/brands/${id}$` })
    await world.fault('destination', { kind: 'error_before_applying', status: 503, ...put(given), times: 5 })
    await world.fault('destination', { kind: 'error_before_applying', status: 422, ...put(refused), times: 1 })
    const run = await world.complete({ conflictStrategy: 'update' })
    expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
    expect(await issuesBy(run.requestId)).toEqual([
      'healed retry-transient: brands platform_refused',
      'open -: brands destination_changed',
      'open -: brands platform_refused',
    ])
    const healed = await heal(run.requestId)
    expect(healed).toMatchObject({ status: 'completed', failuresOpen: 0, counters: { failed: 0 } })
    const { brands: counts } = await counted(world, run.requestId)
    expect(counts).toEqual({ discovered: brands.length, updated: 2, matched: brands.length - 2 })
    await expectWhole(world, run.requestId)
  })

  test('F4: an item is tried in three passes at most, and stays open', async () => {
    const { name } = await theLast('brands')
    const bad = { status: 500, method: 'POST', path: '/v3/catalog/brands$', body: named(name) }
    await world.fault('destination', { kind: 'error_before_applying', ...bad, times: null })
    const run = await world.complete()
    expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
    const brand = (await world.issues(run.requestId)).find(({ component }) => component === 'brands')
    expect(brand).toMatchObject({ state: 'open', rule: 'retry-transient', code: 'platform_refused' })
    // How many passes fit into a quarter of so short a run is left open; the first always does.
    expect(brand?.attempts).toBeGreaterThanOrEqual(2)
    expect(brand?.attempts).toBeLessThanOrEqual(4)
    await expectHonest(run.requestId)
  })

  test('F4: what the platform refuses for a reason of its own is not tried again until somebody asks', async () => {
    const product = await theLast('products')
    await set('products', product.id, { name: `${product.name} [[refuse]]` })
    const run = await world.complete()
    const refused = async () =>
      (await world.issues(run.requestId)).find(({ component }) => component === 'products') as Issue
    expect(await refused()).toMatchObject({ state: 'open', rule: null, attempts: 1 })
    await heal(run.requestId)
    expect(await refused()).toMatchObject({ state: 'open', rule: 'corrected', attempts: 2 })
    await set('products', product.id, { name: product.name })
    const healed = await heal(run.requestId)
    expect(healed).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await refused()).toMatchObject({ state: 'healed', rule: 'corrected' })
    await expectWhole(world, run.requestId)
    await expectHonest(run.requestId)
  })

  test('F4: a brand deleted at the destination while products were copied is made again for those that name it', async () => {
    const product = await theLast('products')
    const brand = (await world.state('source')).brands?.find(({ id }) => id === product.brand_id)
    const slow = { method: 'POST', path: products, body: named(product.name) }
    await world.fault('destination', { kind: 'slow', ...slow, seconds: 0.8 })
    await world.fault('destination', { kind: 'error_before_applying', ...slow, status: 503 })
    const id = await world.migrate()
    await until('products are written', async () => (await writes(/products$/)) > 0)
    const standing = (await world.state('destination')).brands?.find(({ name }) => name === brand?.name)
    await callStore(world, 'destination', 'DELETE', `/v3/catalog/brands/${standing?.id}`)
    await world.clearFaults('destination')
    const run = await world.finished(id)
    const stale = (await world.issues(id)).filter(({ rule }) => rule === 'stale-reference')
    expect(stale.length).toBeGreaterThan(0)
    for (const issue of stale) expect(issue).toMatchObject({ state: 'healed', code: 'platform_refused' })
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    const { brands = [], products: copies = [] } = await world.state('destination')
    const again = brands.filter(({ name }) => name === brand?.name)
    expect(again).toHaveLength(1)
    expect(copies.find(({ name }) => name === product.name)?.brand_id).toBe(again[0]?.id)
    await expectHonest(id)
  })

  test('F4: a process that dies while it heals is taken over, and nothing is made twice', async () => {
    const { name } = await theLast('products')
    const post = { method: 'POST', path: products, body: named(name) }
    await world.fault('destination', { kind: 'error_before_applying', status: 500, ...post, times: 5 })
    const held = await world.fault('destination', { kind: 'hold_after_applying', ...post })
    const id = await world.migrate()
    await until('the healing write is applied', async () =>
      (await world.faults('destination')).some((fault) => fault.id === held && fault.hits > 0),
    )
    await world.killChild()
    await world.release('destination')
    const run = await world.finished(id)
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0, counters: { failed: 0 } })
    expect((await world.issues(id)).map(({ state }) => state)).not.toContain('open')
    await expectWhole(world, id)
    await expectHonest(id)
  })
})

describe('pictures', () => {
  test('F4: a picture that cannot be fetched costs that picture and nothing else, and is copied when somebody asks again', async () => {
    const { brands = [], categories = [], images = [], variants = [] } = await world.state('source')
    const brand = brands.find(({ image_url }) => image_url !== '') ?? brands[0]
    const category = categories.find(({ image_url }) => image_url !== '')
    const variant = variants.find(({ image_url }) => image_url !== '')
    const image = images[0]
    if (!brand || !category || !variant || !image) throw new Error('The seed has no pictures.')
    await set('brands', brand.id, { image_url: 'b/missing-brand.png' })
    await set('categories', category.id, { image_url: 'c/missing-category.png' })
    await set('variants', variant.id, { image_url: 'v/missing-variant.png' })
    await set('images', image.id, { image_file: 'a/missing__10001.png' })
    const run = await world.complete()
    expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: 4, counters: { failed: 1 } })
    expect(await issuesBy(run.requestId)).toEqual([
      'open without-picture: brands picture_not_fetched',
      'open without-picture: categories picture_not_fetched',
      'open without-picture: product-images picture_not_fetched',
      'open without-picture: product-variants picture_not_fetched',
    ])
    expect(await counted(world, run.requestId)).toMatchObject({
      categories: { discovered: 6, created: 6 },
      brands: { discovered: 4, created: 4 },
      products: { discovered: 12, created: 12 },
      'product-images': { failed: 1 },
    })
    await expectHonest(run.requestId)

    await set('brands', brand.id, { image_url: 'b/found-brand.png' })
    await set('categories', category.id, { image_url: category.image_url })
    await set('variants', variant.id, { image_url: variant.image_url })
    await set('images', image.id, { image_file: image.image_file })
    const healed = await heal(run.requestId)
    expect(await issuesBy(run.requestId)).toEqual([
      'healed without-picture: brands picture_not_fetched',
      'healed without-picture: categories picture_not_fetched',
      'healed without-picture: product-images picture_not_fetched',
      'healed without-picture: product-variants picture_not_fetched',
    ])
    expect(healed).toMatchObject({ status: 'completed', failuresOpen: 0, counters: { failed: 0 } })
    await expectWhole(world, run.requestId)
    await expectHonest(run.requestId)
  })
})

describe('what stands in the way', () => {
  const lamp = (sku: string) => ({ name: 'Field Lamp', sku, type: 'physical', weight: 1, price: 10 })
  async function plant(side: 'source' | 'destination', sku: string): Promise<{ id: number }> {
    const planted = await callStore<{ id: number }>(world, side, 'POST', '/v3/catalog/products', lamp(sku))
    await world.resetRequests(side)
    return planted
  }

  test('F4: a conflict is tried again only when what stands in the way has changed', async () => {
    await plant('source', 'LAMP-1')
    const { id } = await plant('destination', 'LAMP-2')
    const run = await world.complete()
    expect(await issuesBy(run.requestId)).toEqual(['open adopt: products natural_key_conflict'])
    const attempts = async () => (await world.issues(run.requestId))[0]?.attempts
    const before = await attempts()
    await heal(run.requestId)
    expect(await attempts()).toBe(before)
    await callStore(world, 'destination', 'PUT', `/v3/catalog/products/${id}`, { name: 'Meadow Lamp' })
    const healed = await heal(run.requestId)
    expect(healed).toMatchObject({ status: 'completed', failuresOpen: 0, counters: { failed: 0 } })
    expect(await issuesBy(run.requestId)).toEqual([
      'healed adopt: products natural_key_conflict',
      // The other one keeps its address under its new name.
      'open -: products address_changed',
    ])
    expect((await world.state('destination')).products?.map(({ sku }) => sku)).toContain('LAMP-1')
    await expectHonest(run.requestId)
  })

  test('F4: an item gone from the source is left, and nothing is open about it', async () => {
    const { id } = await plant('source', 'LAMP-1')
    await plant('destination', 'LAMP-2')
    const run = await world.complete()
    await callStore(world, 'source', 'DELETE', `/v3/catalog/products/${id}`)
    await world.resetRequests('source')
    // What stands in the way is unchanged, so only another try of the same item tells.
    await sql`update issues set tried = '{}' where run_id = ${run.requestId}`.execute(world.database)
    const healed = await heal(run.requestId)
    expect(healed).toMatchObject({ status: 'completed', failuresOpen: 0, counters: { failed: 0 } })
    expect(await issuesBy(run.requestId)).toEqual(['healed gone-at-source: products natural_key_conflict'])
    await expectHonest(run.requestId)
  })

  test('F4: a product whose web address is taken is copied, and told with both addresses', async () => {
    const product = await theLast('products')
    const { url } = product.custom_url as { url: string }
    const theirs = { name: 'Only here', custom_url: { url, is_customized: true } }
    await callStore(world, 'destination', 'POST', '/v3/catalog/brands', theirs)
    const run = await world.complete()
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    const [issue, ...others] = await world.issues(run.requestId)
    expect(others).toEqual([])
    const copy = async () =>
      (await world.state('destination')).products?.find(({ name }) => name === product.name)
        ?.custom_url as typeof theirs.custom_url
    expect(issue).toMatchObject({ severity: 'warning', code: 'address_changed', state: 'open' })
    expect(issue?.message).toContain(`has the web address ${url} in the source`)
    expect(issue?.message).toContain((await copy()).url)
    expect((await copy()).url).not.toBe(url)
    await expectHonest(run.requestId)
  })

  test('D4: what had collided with something that replace deleted gets its own web address afterwards', async () => {
    const product = await theLast('products')
    const { url } = product.custom_url as { url: string }
    const theirs = { name: 'Only here', custom_url: { url, is_customized: true } }
    await callStore(world, 'destination', 'POST', '/v3/catalog/brands', theirs)
    const generous = { conflictStrategy: 'replace', pruneLimitPercent: 100, pruneLimitItems: 1000 }
    const run = await world.complete(generous)
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await issuesBy(run.requestId)).toEqual(['healed own-address: products address_changed'])
    await expectWhole(world, run.requestId)
  })
})

describe('with all that names it', () => {
  beforeAll(() => {
    catalogueOnly = false
  })
  afterAll(() => {
    catalogueOnly = true
  })

  test('F4: items refused together with another one are taken by themselves, parents before children', async () => {
    const categories = { method: 'POST', path: '^/v3/catalog/trees/categories$' }
    await world.fault('destination', { kind: 'error_before_applying', status: 422, ...categories })
    const run = await world.complete()
    expect(await issuesBy(run.requestId)).toEqual([
      'healed map-parents: categories missing_reference',
      'healed map-parents: coupons missing_reference',
      'healed map-parents: custom-template-associations missing_reference',
      'healed map-parents: customer-groups reference_left_out',
      'healed map-parents: page-widgets missing_reference',
      'healed map-parents: page-widgets reference_left_out',
      'healed map-parents: products reference_left_out',
      'healed map-parents: promotions reference_left_out',
      'healed map-parents: redirects missing_reference',
      'healed map-parents: search-filter-contexts missing_reference',
      'healed split-batch: categories platform_refused',
    ])
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0, counters: { failed: 0 } })
    expect(await counted(world, run.requestId)).toMatchObject({ categories: { discovered: 6, created: 6 } })
    await expectWhole(world, run.requestId)
    await expectHonest(run.requestId)
  })

  test('F4: without autoHeal the item fails with its picture; healing copies it, and what named it', async () => {
    const { brands = [], products: copies = [] } = await world.state('source')
    const brand = brands.find(({ id }) => copies.some(({ brand_id }) => brand_id === id))
    if (!brand) throw new Error('No product has a brand.')
    await set('brands', brand.id, { image_url: 'b/missing-brand.png' })
    const run = await world.complete({ autoHeal: false })
    expect(await issuesBy(run.requestId)).toEqual([
      'open -: brands picture_not_fetched',
      'open -: custom-template-associations missing_reference',
      'open -: global-widgets reference_left_out',
      'open -: page-widgets missing_reference',
      'open -: products reference_left_out',
      'open -: promotions left_disabled',
      'open -: promotions reference_left_out',
      'open -: redirects missing_reference',
    ])
    expect(await counted(world, run.requestId)).toMatchObject({ brands: { created: 3, failed: 1 } })
    const healed = await heal(run.requestId)
    expect(healed).toMatchObject({ status: 'partial_completed', failuresOpen: 1, counters: { failed: 0 } })
    expect(await issuesBy(run.requestId)).toEqual([
      'healed -: promotions left_disabled',
      'healed map-parents: custom-template-associations missing_reference',
      'healed map-parents: global-widgets reference_left_out',
      'healed map-parents: page-widgets missing_reference',
      'healed map-parents: products reference_left_out',
      'healed map-parents: promotions reference_left_out',
      'healed map-parents: redirects missing_reference',
      'open without-picture: brands picture_not_fetched',
    ])
    const there = await world.state('destination')
    const again = there.brands?.find(({ name }) => name === brand.name)
    const naming = (rows: typeof copies, id: unknown) => rows.filter(({ brand_id }) => brand_id === id).length
    expect(naming(there.products ?? [], again?.id)).toBe(naming(copies, brand.id))
    await expectHonest(run.requestId)
    const dismissed = await world.api('POST', `/v2/migrations/${run.requestId}/issues/dismiss`, { severity: 'failure' })
    expect(dismissed).toMatchObject({ status: 200, body: { dismissed: 1 } })
    expect(await world.detail(run.requestId)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  })
})
