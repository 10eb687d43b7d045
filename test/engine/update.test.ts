import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { longTest } from '../harness/long-form.ts'
import { mappingsWhere } from '../harness/map-items.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'
import { heal } from './healing-story.ts'

type Row = { id: number } & Record<string, unknown>

/** One store, copied once: the tests edit it, and `update` corrects the edits. */
async function aCopy(): Promise<{ world: World; first: string }> {
  const world = await aWorld({ catalogueOnly: true, entities: ['categories', 'brands', 'products'] })
  return { world, first: (await world.complete()).requestId }
}

const update = (world: World, more: object = {}) => world.complete({ conflictStrategy: 'update', ...more })
const writes = async (world: World) => (await world.requests('destination')).filter(({ method }) => method !== 'GET')
const rows = async (world: World, table: string): Promise<Row[]> => (await world.state('destination'))[table] ?? []
const differences = async (world: World) => compareStores(await world.state('source'), await world.state('destination'))
const warnings = async (world: World, id: string) =>
  (await world.issues(id)).map(({ code, item }) => `${code} ${item.name?.replace(/\d+$/, '*')}`).sort()

async function set(world: World, table: string, row: Row | undefined, fields: Record<string, unknown>): Promise<void> {
  if (!row) throw new Error(`The destination has nothing to edit in ${table}.`)
  await world.change('destination', { op: 'set', table, id: row.id, fields })
}

/** A product whose stock the store tracks. */
async function countedProduct(world: World): Promise<Row> {
  const found = (await rows(world, 'products')).find((row) => row.inventory_tracking === 'product')
  if (!found) throw new Error('The seed has a product with stock of its own.')
  return found
}

longTest('C2: over an unedited copy `update` writes nothing, and reads no product by its id', async () => {
  const { world } = await aCopy()
  await world.resetRequests('destination')
  const run = await update(world)
  expect(await writes(world)).toEqual([])
  expect(run.status).toBe('completed')
  expect(run.counters.done).toBeGreaterThan(50)
  expect(run.phases.flatMap(({ components }) => components).filter(({ success }) => success > 0)).toEqual([])
  await expectCountersToEqualTheLedger(world, run.requestId)
  // A list of everything except options is enough.
  const reads = (await world.requests('destination')).filter(({ path }) => path === '/v3/catalog/products')
  expect(reads.length).toBeGreaterThan(0)
  expect(reads.filter(({ query }) => query.includes('id%3Ain'))).toEqual([])
})

longTest(
  'C2: what was only added to a copy is no edit: `update` leaves it, `replace` deletes it, and neither reports an overwritten edit',
  async () => {
    const { world } = await aCopy()
    const [product] = await rows(world, 'products')
    const added = { name: 'Only there', value: 'Added' }
    const there = async () => (await rows(world, 'custom_fields')).filter(({ name }) => name === added.name).length
    for (const [conflictStrategy, left] of [
      ['replace', 0],
      ['update', 1],
    ] as const) {
      await callStore(world, 'destination', 'POST', `/v3/catalog/products/${product?.id}/custom-fields`, added)
      const run = await world.complete({ conflictStrategy })
      expect([await warnings(world, run.requestId), await there()], conflictStrategy).toEqual([[], left])
    }
  },
)

test('C2, D6: `update` corrects exactly what was edited, with one warning per item, and keeps what it overwrote', async () => {
  const { world, first } = await aCopy()
  const product = (await rows(world, 'products')).find((row) => row.name === 'Amber Linen Sneaker')
  const ofProduct = async (table: string) =>
    (await rows(world, table)).find((row) => row.product_id === product?.id) as Row
  await set(world, 'products', product, { price: 1.23, description: 'Edited' })
  await set(world, 'images', await ofProduct('images'), { description: 'Edited' })
  await set(world, 'variants', await ofProduct('variants'), { price: 9.99 })
  const [brand] = await rows(world, 'brands')
  await set(world, 'brands', brand, { page_title: 'Edited' })
  const [category] = await rows(world, 'categories')
  await set(world, 'categories', category, { description: 'Edited' })
  const [field] = await rows(world, 'custom_fields')
  await set(world, 'custom_fields', field, { value: 'Edited' })
  const [metafield] = await rows(world, 'product_metafields')
  await set(world, 'product_metafields', metafield, { value: 'Edited' })
  expect(await differences(world)).not.toEqual([])

  const run = await update(world)
  expect(run.status).toBe('completed')
  expect(await differences(world)).toEqual([])
  const counts = await counted(world, run.requestId)
  const repaired = ['products', 'product-images', 'product-variants', 'product-custom-fields', 'product-metafields']
  for (const component of [...repaired, 'brands', 'categories']) expect(counts[component]?.updated, component).toBe(1)
  const owner = (await rows(world, 'products')).find((row) => row.id === field?.product_id)
  const edited = new Set(['Amber Linen Sneaker', owner?.name, brand?.name, category?.name, 'Product metafield *'])
  expect(await warnings(world, run.requestId)).toEqual([...edited].map((name) => `destination_changed ${name}`).sort())
  await expectCountersToEqualTheLedger(world, run.requestId)

  // Field by field, and private values only encrypted.
  const { rows: images } = await sql<{ component: string; body: Record<string, unknown> | null; sealed: boolean }>`
    select component, body, body_sealed is not null as sealed from before_images
    where run_id = ${run.requestId}`.execute(world.database)
  const products = images.filter(({ component, body }) => component === 'products' && body?.description === 'Edited')
  expect(products.map(({ body }) => body)).toEqual([{ price: 1.23, description: 'Edited' }])
  expect(images.find(({ component }) => component === 'product-metafields')).toMatchObject({ body: null, sealed: true })
  // An item created by the first run stays with that run.
  const { rows: origins } = await sql<{ origin: string }>`
    select distinct origin from mappings_of_pairs where component = 'brands' and run_id = ${first}`.execute(
    world.database,
  )
  expect(origins).toEqual([{ origin: 'created' }])
})

longTest(
  'C2: an item deleted at the destination is created again with a warning, and a deleted child is restored',
  async () => {
    const { world } = await aCopy()
    const [gone, kept] = (await rows(world, 'products')).filter((row) => row.sku !== '')
    const image = (await rows(world, 'images')).find((row) => row.product_id === kept?.id)
    expect(image).toBeDefined()
    await callStore(world, 'destination', 'DELETE', `/v3/catalog/products/${gone?.id}`)
    await callStore(world, 'destination', 'DELETE', `/v3/catalog/products/${kept?.id}/images/${image?.id}`)
    const run = await update(world)
    expect(await differences(world)).toEqual([])
    expect(await warnings(world, run.requestId)).toContain(`destination_deleted ${gone?.name}`)
  },
)

longTest('D1: a stock level changed at the destination is kept, and only overwriteLiving overwrites it', async () => {
  const { world } = await aCopy()
  const product = await countedProduct(world)
  await set(world, 'products', product, { inventory_level: 4711 })
  await world.resetRequests('destination')
  await update(world)
  expect(await writes(world)).toEqual([])
  await update(world, { overwriteLiving: ['products'] })
  expect((await rows(world, 'products')).find(({ id }) => id === product.id)?.inventory_level).not.toBe(4711)
  expect(await differences(world)).toEqual([])
})

longTest(
  'B6: a picture that replaces another one in the source replaces its copy, too, and a second run writes nothing',
  async () => {
    const { world } = await aCopy()
    const [gone] = (await world.state('source')).images ?? []
    const path = `/v3/catalog/products/${gone?.product_id}/images`
    const image_url = `${world.address('source').url}/images/${gone?.image_file}`
    await callStore(world, 'source', 'DELETE', `${path}/${gone?.id}`)
    await callStore(world, 'source', 'POST', path, { image_url, description: 'Another one', sort_order: 50 })
    await update(world)
    expect(await differences(world)).toEqual([])
    await world.resetRequests('destination')
    await update(world)
    expect(await writes(world)).toEqual([])
  },
)

const review = (title: string) => ({
  ...{ title, text: 'As written.', status: 'approved', rating: 4, name: 'Morgan' },
  ...{ email: 'morgan@shoppers.example', date_reviewed: '2026-01-02T03:04:05Z' },
})

/** The first product with a picture, as both stores have it. */
async function picturedProduct(world: World): Promise<{ source: string; destination: string }> {
  const source = await world.state('source')
  const product = source.products?.find(({ id }) => source.images?.some(({ product_id }) => product_id === id))
  const copy = (await rows(world, 'products')).find(({ name }) => name === product?.name)
  const path = '/v3/catalog/products'
  return { source: `${path}/${product?.id}`, destination: `${path}/${copy?.id}` }
}

test.each([
  'update',
  'replace',
])('G3: a review that a shopper wrote at the destination stays under `%s` when the source gets another one', async (conflictStrategy) => {
  const { world } = await aCopy()
  const paths = await picturedProduct(world)
  await callStore(world, 'source', 'POST', `${paths.source}/reviews`, review('Written at the source'))
  const theirs = await callStore<Row>(world, 'destination', 'POST', `${paths.destination}/reviews`, review('Theirs'))
  const run = await update(world, { conflictStrategy })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const after = await rows(world, 'reviews')
  expect(after.find(({ id }) => id === theirs.id)).toMatchObject({ title: 'Theirs' })
  expect(after.map(({ title }) => title)).toContain('Written at the source')
  await expectCountersToEqualTheLedger(world, run.requestId)
  await world.resetRequests('destination')
  await update(world)
  expect(await writes(world)).toEqual([])
})

longTest('G3: a shopper’s review of a product that is adopted stays beside those of the source', async () => {
  const { world } = await aCopy()
  const paths = await picturedProduct(world)
  await callStore(world, 'source', 'POST', `${paths.source}/reviews`, review('Written at the source'))
  await callStore(world, 'destination', 'POST', `${paths.destination}/reviews`, review('Theirs'))
  await sql`delete from mappings where ${mappingsWhere(sql`organisation_id = ${world.organisationId}
    and component like 'product%'`)}`.execute(world.database)
  await update(world)
  const titles = (await rows(world, 'reviews')).map(({ title }) => title)
  expect(titles).toEqual(expect.arrayContaining(['Written at the source', 'Theirs']))
})

longTest(
  'D2: a custom field that was added to a copy stays under `update` when the source gets one of the same name',
  async () => {
    const { world } = await aCopy()
    const paths = await picturedProduct(world)
    const add = (side: 'source' | 'destination', value: string) =>
      callStore(world, side, 'POST', `${paths[side]}/custom-fields`, { name: 'Material', value })
    await add('source', 'Linen')
    await update(world)
    await add('source', 'Wool')
    await add('destination', 'Cotton')
    await update(world)
    const values = (await rows(world, 'custom_fields')).flatMap(({ name, value }) => (name === 'Material' ? value : []))
    expect(values.sort()).toEqual(['Cotton', 'Linen', 'Wool'])
  },
)

longTest('D2: a picture that was added to a copy stays under `update` when the source gets another one', async () => {
  const { world } = await aCopy()
  const paths = await picturedProduct(world)
  const files = (await world.state('source')).images ?? []
  const add = (side: 'source' | 'destination', at: number, description: string) =>
    callStore<Row>(world, side, 'POST', `${paths[side]}/images`, {
      ...{ image_url: `${world.address('source').url}/images/${files.at(at)?.image_file}`, description, sort_order: 9 },
    })
  await add('source', -1, 'Added at the source')
  const theirs = await add('destination', -2, 'Theirs')
  const run = await update(world)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const after = await rows(world, 'images')
  expect(after.find(({ id }) => id === theirs.id)).toMatchObject({ description: 'Theirs' })
  expect(after.map(({ description }) => description)).toContain('Added at the source')
  const replaced = await update(world, { conflictStrategy: 'replace' })
  expect(replaced.status).toBe('completed')
  expect(await differences(world)).toEqual([])
})

test('D1: an adopted item keeps its destination-owned values, and nothing that existed counts as created', async () => {
  const { world } = await aCopy()
  const product = await countedProduct(world)
  await set(world, 'products', product, { inventory_level: 4711, description: 'Theirs' })
  await sql`delete from mappings where ${mappingsWhere(sql`organisation_id = ${world.organisationId}
    and (component like 'product%' or component like 'variant%')`)}`.execute(world.database)
  const run = await update(world)
  const after = (await rows(world, 'products')).find(({ id }) => id === product.id)
  expect(after).toMatchObject({ inventory_level: 4711 })
  expect(after?.description).not.toBe('Theirs')
  const counts = await counted(world, run.requestId)
  // One names another product, which is found after it.
  expect(counts.products).toEqual({ discovered: 12, updated: 2, matched: 10 })
  for (const count of Object.values(counts)) expect(count.created).toBeUndefined()
  await set(world, 'products', product, { inventory_level: product.inventory_level })
  expect(await differences(world)).toEqual([])
})

longTest('D2: a child that only the destination has is kept and causes no write', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products'] })
  const lamp = { name: 'Lamp', type: 'physical', weight: 1, price: 1 }
  await callStore(world, 'source', 'POST', '/v3/catalog/products', lamp)
  await world.complete()
  const [copy] = await rows(world, 'products')
  const extra = { name: 'Only here', value: 'yes' }
  await callStore(world, 'destination', 'POST', `/v3/catalog/products/${copy?.id}/custom-fields`, extra)
  await world.resetRequests('destination')
  expect((await update(world)).status).toBe('completed')
  expect(await writes(world)).toEqual([])
  expect((await rows(world, 'custom_fields')).map(({ name }) => name)).toEqual(['Only here'])
})

test('C2: a checksum is stored only when nothing is pending, so `update` completes what was left out', async () => {
  const world = await aWorld({ catalogueOnly: true, entities: ['products'] })
  await world.complete()
  const checksums = async () => {
    const { rows: found } = await sql<{ pending: boolean; kept: boolean }>`
      select distinct owed <> '{}' as pending, draft_checksum is not null as kept from mappings_of_pairs
      where organisation_id = ${world.organisationId} and component = 'products' order by 1`.execute(world.database)
    return found
  }
  expect(await checksums()).toEqual([{ pending: true, kept: false }])
  await update(world, { entities: ['categories', 'brands', 'products'] })
  expect(await checksums()).toEqual([{ pending: false, kept: true }])
  expect(await differences(world)).toEqual([])
})

test('C2: `update` corrects what was edited on a copy before an earlier run completed it', async () => {
  const world = await aWorld({ catalogueOnly: true, entities: ['products'] })
  await world.complete()
  const all = { entities: ['categories', 'brands', 'products'] }
  const branded = (await world.state('source')).products?.find(({ brand_id }) => Number(brand_id) > 0)
  const copy = async () => (await rows(world, 'products')).find(({ name }) => name === branded?.name)
  await callStore(world, 'destination', 'PUT', `/v3/catalog/products/${(await copy())?.id}`, { price: 98.76 })
  await world.complete(all)
  expect(await copy()).toMatchObject({ price: 98.76, brand_id: expect.any(Number) })
  await update(world, all)
  expect((await copy())?.price).toBe(branded?.price)
})

const lampOf = (name: string, more: object = {}) => ({ name, type: 'physical', weight: 1, price: 10, ...more })

test.each(['nested', 'flat'])('F4: so is a category, if the answer of the store is %s', async (form) => {
  const switches = { destination: { category_errors: form } }
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['categories'], switches })
  const path = '/v3/catalog/trees/categories'
  const [tree] = await callStore<Row[]>(world, 'source', 'GET', '/v3/catalog/trees')
  const categories = ['Chairs', 'Tables'].map((name) => ({ tree_id: tree?.id, name, parent_id: 0 }))
  const made = await callStore<{ category_id: number }[]>(world, 'source', 'POST', path, categories)
  await world.complete()
  for (const [at, url] of ['/between/', '/chairs/', '/tables/'].entries())
    await callStore(world, 'source', 'PUT', path, [
      { ...made[at % 2], description: 'As new', url: { path: url, is_customized: true } },
    ])
  const run = await update(world)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await warnings(world, run.requestId)).toEqual(['address_changed Chairs', 'address_changed Tables'])
  expect((await rows(world, 'categories')).map(({ description }) => description)).toEqual(['As new', 'As new'])
})

test('a variant is added to an option and a value that the destination writes with other capitals', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products'] })
  const shirt = (option_display_name: string, labels: string[]) => ({
    ...lampOf('Shirt', { sku: 'SHIRT' }),
    variants: labels.flatMap((label) =>
      ['S', 'M'].map((size) => ({
        sku: `SHIRT-${label}-${size}`,
        option_values: [
          { option_display_name, label },
          { option_display_name: 'Size', label: size },
        ],
      })),
    ),
  })
  await callStore(world, 'source', 'POST', '/v3/catalog/products', shirt('Colour', ['Red', 'Blue']))
  await callStore(world, 'destination', 'POST', '/v3/catalog/products', shirt('colour', ['red']))
  const run = await update(world)
  expect(await world.issues(run.requestId)).toEqual([])
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await rows(world, 'variants')).map(({ sku }) => sku).sort()).toEqual(
    ['Blue-M', 'Blue-S', 'Red-M', 'Red-S'].map((one) => `SHIRT-${one}`),
  )
})

test('F4: a product that was given an address that is taken at the destination is updated in everything else', async () => {
  const switches = { destination: { product_url: 'refuse' } }
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products'], switches })
  const { id } = await callStore<Row>(world, 'source', 'POST', '/v3/catalog/products', lampOf('Lamp'))
  await world.complete()
  const custom_url = { url: '/lights/', is_customized: true }
  await callStore(world, 'destination', 'POST', '/v3/catalog/brands', { name: 'Lights', custom_url })
  await callStore(world, 'source', 'PUT', `/v3/catalog/products/${id}`, { price: 12, custom_url })
  const fields = { name: 'Material', value: 'Brass' }
  await callStore(world, 'source', 'POST', `/v3/catalog/products/${id}/custom-fields`, fields)
  const run = await update(world)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await warnings(world, run.requestId)).toEqual(['address_changed Lamp'])
  expect(await rows(world, 'products')).toMatchObject([{ price: 12, custom_url: { url: '/lamp/' } }])
  expect(await rows(world, 'custom_fields')).toMatchObject([fields])
  await expectCountersToEqualTheLedger(world, run.requestId)
})

test('C2: the order of a category that a product has left in the source is no edit of the destination', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['categories', 'products'] })
  const [tree] = await callStore<Row[]>(world, 'source', 'GET', '/v3/catalog/trees')
  const [lamps] = await callStore<{ category_id: number }[]>(world, 'source', 'POST', '/v3/catalog/trees/categories', [
    { tree_id: tree?.id, name: 'Lamps', parent_id: 0 },
  ])
  const categories = [lamps?.category_id]
  const ids: number[] = []
  for (const name of ['Oak Lamp', 'Pine Lamp', 'Elm Lamp']) {
    const product = lampOf(name, { categories })
    ids.push((await callStore<Row>(world, 'source', 'POST', '/v3/catalog/products', product)).id)
  }
  const sortProducts = (side: 'source' | 'destination', category: unknown, products: number[]) => {
    const order = products.map((product_id, sort_order) => ({ product_id, sort_order }))
    return callStore(world, side, 'PUT', `/v3/catalog/categories/${category}/products/sort-order`, order)
  }
  await sortProducts('source', lamps?.category_id, ids)
  await world.complete()
  await callStore(world, 'source', 'PUT', `/v3/catalog/products/${ids[0]}`, { categories: [] })
  await sortProducts('source', lamps?.category_id, ids.slice(1))
  expect(await warnings(world, (await update(world)).requestId)).toEqual([])
  const [copy] = await rows(world, 'categories')
  const copies = (await rows(world, 'products')).map(({ id }) => id)
  await sortProducts('destination', copy?.id, copies.slice(1).reverse())
  expect(await warnings(world, (await update(world)).requestId)).toEqual(['destination_changed Lamps'])
})

const page = (name: string) => ({ type: 'page', channel_id: 1, name, body: name })
const coupon = (name: string) => ({
  ...{ name, code: `CODE-${name}`, type: 'percentage_discount', amount: '10' },
  applies_to: { entity: 'categories', ids: [0] },
})
const certificate = {
  ...{ to_name: 'A. Friend', to_email: 'friend@shop.example', from_name: 'B. Buyer', from_email: 'buyer@shop.example' },
  amount: '10',
}
const emailOf = (name: string) => `${name.replaceAll(' ', '-').toLowerCase()}@shop.example`
const exchanges: [
  what: string,
  entity: string,
  path: string,
  body: (name: string) => object,
  renamed: (name: string, at: number) => object,
  /** The platform takes a list, in which changed ones have their ids. */
  isList?: true,
][] = [
  ['names of products', 'products', '/v3/catalog/products', (name) => lampOf(name), (name) => ({ name })],
  [
    'SKUs of products',
    'products',
    '/v3/catalog/products',
    (name) => lampOf(name, { sku: name }),
    (sku) => ({ sku, price: 12 }),
  ],
  [
    'names of products with SKUs',
    'products',
    '/v3/catalog/products',
    (name) => lampOf(name, { sku: name }),
    (name) => ({ name }),
  ],
  ['names of brands', 'brands', '/v3/catalog/brands', (name) => ({ name }), (name) => ({ name })],
  ['names of pages', 'pages', '/v3/content/pages', page, (name) => page(name)],
  [
    'codes of coupons',
    'coupons',
    '/v2/coupons',
    coupon,
    (name, at) => ({ ...coupon(name), name: ['X', 'Y', 'Z'][at] }),
  ],
  ['names and codes of coupons', 'coupons', '/v2/coupons', coupon, (name) => coupon(name)],
  ['names of price lists', 'price-lists', '/v3/pricelists', (name) => ({ name, active: true }), (name) => ({ name })],
  [
    'names of customer groups',
    'customer-groups',
    '/v2/customer_groups',
    (name) => ({ name }),
    (name) => ({ name, discount_rules: [] }),
  ],
  [
    'codes of gift certificates',
    'gift-certificates',
    '/v2/gift_certificates',
    (code) => ({ ...certificate, code }),
    (code) => ({ ...certificate, code }),
  ],
  ['names of tax classes', 'tax-classes', '/v3/tax/classes', (name) => ({ name }), (name) => ({ name }), true],
  ['names of segments', 'segments', '/v3/segments', (name) => ({ name }), (name) => ({ name }), true],
  [
    'names of customer attributes of two types',
    'customer-attributes',
    '/v3/customers/attributes',
    (name) => ({ name, type: name === 'Torch' ? 'number' : 'string' }),
    (name) => ({ name }),
    true,
  ],
  [
    'emails of subscribers',
    'subscribers',
    '/v3/customers/subscribers',
    (name) => ({ email: emailOf(name), first_name: name, channel_id: 1 }),
    (name) => ({ email: emailOf(name) }),
  ],
]

test.each(exchanges)('B6: %s that have been exchanged in the source are exchanged by `update`', async (...exchange) => {
  const [, entity, path, body, renamed, isList] = exchange
  const world = await aWorld({ seeds: { source: 'empty' }, entities: [entity] })
  const call = async (method: string, of: string, sent: object) =>
    [await callStore<Row | Row[]>(world, 'source', method, of, isList ? [sent] : sent)].flat()
  const ids: number[] = []
  for (const name of ['Lamp', 'Torch', 'Beam']) ids.push(...(await call('POST', path, body(name))).map(({ id }) => id))
  await world.complete()
  const names = ['Torch', 'Beam', 'Lamp']
  for (const round of [names.map((name) => `${name} for now`), names])
    for (const [at, name] of round.entries())
      await (isList
        ? call('PUT', path, { id: ids[at], ...renamed(name, at) })
        : call('PUT', `${path}/${ids[at]}`, renamed(name, at)))
  const run = await update(world)
  expect((await world.issues(run.requestId)).filter(({ state }) => state === 'open')).toEqual([])
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await differences(world)).toEqual([])
  await world.resetRequests('destination')
  await update(world)
  expect(await writes(world)).toEqual([])
})

/** Two items that the source has renamed into each other after they were copied. */
async function swapped(table: string, path: string, body: (name: string) => object, more: object = {}) {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: [table] })
  const call = (method: string, at: string, sent: object) => callStore<Row>(world, 'source', method, at, sent)
  const ids = [(await call('POST', path, body('Lamp'))).id, (await call('POST', path, body('Torch'))).id]
  await world.complete()
  for (const [at, name] of ['In between', 'Lamp', 'Torch'].entries())
    await call('PUT', `${path}/${ids[at % 2]}`, { name, ...more })
  return { world, names: async () => (await rows(world, table)).map(({ name }) => name) }
}

test('B6: products that swap their names do so although the destination then refuses something else of one of them', async () => {
  const { world, names } = await swapped('products', '/v3/catalog/products', lampOf, { price: 12 })
  await world.fault('destination', { kind: 'hold_after_applying', method: 'PUT', body: '"Torch \\d+"', times: 1 })
  const id = await world.migrate({ conflictStrategy: 'update' })
  await until('a product has another name for a moment', async () =>
    (await names()).some((name) => /^Torch \d+$/.test(String(name))),
  )
  const refusal = { kind: 'error_before_applying', status: 422, method: 'PUT', times: null } as const
  await world.fault('destination', { ...refusal, body: '"name":"Torch".*"price":12' })
  await world.release('destination')
  expect(await world.finished(id)).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
  expect(await names()).toEqual(['Torch', 'Lamp'])
})

test('B6: a brand that an earlier migration left with the name it had for a moment gets its own one', async () => {
  const { world, names } = await swapped('brands', '/v3/catalog/brands', (name) => ({ name }))
  await update(world)
  expect(await names()).toEqual(['Torch', 'Lamp'])
  const [first] = await rows(world, 'brands')
  await set(world, 'brands', first, { name: `Torch ${first?.id}` })
  const [id] = ((await world.state('source')).brands ?? []).filter(({ name }) => name === 'Torch').map((row) => row.id)
  await world.change('source', { op: 'set', table: 'brands', id: id ?? 0, fields: { page_title: 'a'.repeat(300) } })
  expect(await update(world)).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
  expect(await names()).toEqual(['Torch', 'Lamp'])
})

test('B6: two categories that have swapped their names below another one do so by `update`, and one of the same name elsewhere stays', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['categories'] })
  const path = '/v3/catalog/trees/categories'
  const [tree] = await callStore<Row[]>(world, 'source', 'GET', '/v3/catalog/trees')
  const add = async (parent_id: number, ...names: string[]) => {
    const sent = names.map((name) => ({ tree_id: tree?.id, name, parent_id }))
    return (await callStore<{ category_id: number }[]>(world, 'source', 'POST', path, sent)).map(
      (one) => one.category_id,
    )
  }
  const [home = 0] = await add(0, 'Home', 'Chairs')
  const ids = await add(home, 'Chairs', 'Tables')
  await world.complete()
  for (const [at, name] of ['In between', 'Chairs', 'Tables'].entries())
    await callStore(world, 'source', 'PUT', path, [{ category_id: ids[at % 2], name }])
  await world.resetRequests('destination')
  const run = await update(world)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await rows(world, 'categories')).map(({ name }) => name)).toEqual(['Home', 'Chairs', 'Tables', 'Chairs'])
  expect(await differences(world)).toEqual([])
})

test('B6: metafields of a brand that have exchanged their keys in the source do so in one `update`', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['brands'] })
  const call = <Data>(method: string, path: string, body: object) =>
    callStore<Data>(world, 'source', method, path, body)
  const { id } = await call<Row>('POST', '/v3/catalog/brands', { name: 'Acme' })
  const path = '/v3/catalog/brands/metafields'
  const field = { resource_id: id, namespace: 'care', permission_set: 'write' }
  const made = await call<Row[]>('POST', path, [
    { ...field, key: 'wash', value: 'cold' },
    { ...field, key: 'iron', value: 'no' },
  ])
  await world.complete()
  for (const [at, key] of ['between', 'wash', 'iron'].entries())
    await call('PUT', path, [{ id: made[at % 2]?.id, key }])
  expect(await update(world)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await differences(world)).toEqual([])
})

test('B6: two products that have swapped their names are reported with each other where nothing is tried again, and updated once one is renamed by hand', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products'] })
  const add = (name: string) => callStore<Row>(world, 'source', 'POST', '/v3/catalog/products', lampOf(name))
  const ids = [(await add('Lamp')).id, (await add('Torch')).id]
  await world.complete()
  const [lamp, torch] = await rows(world, 'products')
  const rename = (side: 'source' | 'destination', id: number | undefined, name: string) =>
    callStore(world, side, 'PUT', `/v3/catalog/products/${id}`, { name })
  for (const [at, name] of ['In between', 'Lamp', 'Torch'].entries()) await rename('source', ids[at % 2], name)
  const run = await update(world, { autoHeal: false })
  expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: 2 })
  const issues = await world.issues(run.requestId)
  expect(issues.map(({ code, destinationId }) => [code, destinationId]).sort()).toEqual([
    ['natural_key_collision', String(lamp?.id)],
    ['natural_key_collision', String(torch?.id)],
  ])
  for (const { remedy } of issues) expect(remedy).toContain('if the two items have swapped theirs')
  await rename('destination', lamp?.id, 'By hand')
  expect(await heal(world, run.requestId)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await rows(world, 'products')).map(({ name }) => name)).toEqual(['Torch', 'Lamp'])
})

test('a rule is copied to a product whose modifiers the destination writes with other capitals', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products'] })
  const engraved = async (store: 'source' | 'destination', names: readonly [string, string], label: string) => {
    const { id } = await callStore<Row>(world, store, 'POST', '/v3/catalog/products', lampOf('Lamp', { sku: 'LAMP' }))
    const values = await Promise.all(
      names.map(async (display_name) => {
        const option_values = [label, `${label} and more`].map((one, sort_order) => ({ label: one, sort_order }))
        const modifier = { display_name, type: 'dropdown', required: false, option_values }
        const path = `/v3/catalog/products/${id}/modifiers`
        const made = await callStore<Row & { option_values: Row[] }>(world, store, 'POST', path, modifier)
        return { modifier_id: made.id, modifier_value_id: made.option_values[0]?.id, variant_id: null }
      }),
    )
    return { path: `/v3/catalog/products/${id}/complex-rules`, conditions: values }
  }
  const { path, conditions } = await engraved('source', ['Engraving', 'Gift wrap'], 'Plain')
  const rule = { sort_order: 0, enabled: true, stop: false, purchasing_disabled: true, conditions }
  await callStore(world, 'source', 'POST', path, rule)
  const copy = await engraved('destination', ['engraving', 'GIFT WRAP'], 'plain')
  const run = await update(world)
  expect(await world.issues(run.requestId)).toEqual([])
  expect(await callStore(world, 'destination', 'GET', copy.path)).toMatchObject([{ conditions: copy.conditions }])
})

test.each([
  ['two that swap them', ['BLUE', 'RED', 'GREEN']],
  ['three in a ring', ['GREEN', 'RED', 'BLUE']],
  ['a row whose last one gets a new one', ['BLUE', 'GREEN', 'NEW']],
])('C2: variants of a product that exchange their SKUs in the source do so in one `update`: %s', async (_what, skus) => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products'] })
  const variant = (sku: string) => ({ sku, option_values: [{ option_display_name: 'Colour', label: `Colour ${sku}` }] })
  const body = { ...lampOf('Lamp'), variants: ['RED', 'BLUE', 'GREEN'].map(variant) }
  const { id } = await callStore<Row>(world, 'source', 'POST', '/v3/catalog/products', body)
  await world.complete()
  const variants = (await world.state('source')).variants ?? []
  for (const named of [['1', '2', '3'], skus])
    for (const [at, sku] of named.entries())
      await callStore(world, 'source', 'PUT', `/v3/catalog/products/${id}/variants/${variants[at]?.id}`, { sku })
  expect(await world.issues((await update(world)).requestId)).toEqual([])
  expect((await rows(world, 'variants')).map(({ sku }) => sku)).toEqual(skus)
  expect(await differences(world)).toEqual([])
})

test('B6: variants of two products that exchange their SKUs in the source do so in one `update`', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products'] })
  const call = <Data = Row>(method: string, path: string, body?: object) =>
    callStore<Data>(world, 'source', method, path, body)
  const paths: string[] = []
  for (const name of ['Lamp', 'Torch']) {
    const variants = ['Red', 'Blue'].map((label) => ({
      sku: `${name}-${label}`,
      option_values: [{ option_display_name: 'Colour', label }],
    }))
    const made = await call<Row & { variants: Row[] }>('POST', '/v3/catalog/products', { ...lampOf(name), variants })
    paths.push(`/v3/catalog/products/${made.id}/variants/${made.variants[0]?.id}`)
  }
  await world.complete()
  for (const [at, sku] of ['In between', 'Lamp-Red', 'Torch-Red'].entries())
    await call('PUT', paths[at % 2] ?? '', { sku })
  const run = await update(world)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await differences(world)).toEqual([])
})

test('B6: products that exchange their SKUs free that of a new one in the same `update`', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products'] })
  const call = (method: string, path: string, body: object) => callStore<Row>(world, 'source', method, path, body)
  const ids: number[] = []
  for (const sku of ['A', 'B', 'C'])
    ids.push((await call('POST', '/v3/catalog/products', lampOf(`Lamp ${sku}`, { sku }))).id)
  await world.complete()
  for (const skus of [
    ['X', 'Y', 'Z'],
    ['B', 'C', 'D'],
  ])
    for (const [at, sku] of skus.entries()) await call('PUT', `/v3/catalog/products/${ids[at]}`, { sku })
  await call('POST', '/v3/catalog/products', lampOf('New lamp', { sku: 'A' }))
  const run = await update(world)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await differences(world)).toEqual([])
})

test('C2: values, options and modifiers that took over the former name of another one keep their copies under `update`', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products'] })
  const call = <Data = Row>(method: string, path: string, body?: object) =>
    callStore<Data>(world, 'source', method, path, body)
  const variants = ['Red', 'Blue', 'Green'].map((label) => ({
    sku: `SHIRT-${label}`,
    option_values: [
      { option_display_name: 'Colour', label },
      { option_display_name: 'Cut', label: `Cut ${label}` },
    ],
  }))
  const { id } = await call('POST', '/v3/catalog/products', { ...lampOf('Shirt', { sku: 'SHIRT' }), variants })
  const path = `/v3/catalog/products/${id}`
  for (const display_name of ['Engraving', 'Gift wrap'])
    await call('POST', `${path}/modifiers`, { type: 'text', display_name, required: false })
  await world.complete()
  const before = await rows(world, 'option_values')
  const [colour, cut] = await call<(Row & { option_values: Row[] })[]>('GET', `${path}/options`)
  const values = colour?.option_values ?? []
  for (const [at, label] of [
    [2, 'Lime'],
    [1, 'Green'],
    [0, 'Blue'],
  ] as const)
    await call('PUT', `${path}/options/${colour?.id}/values/${values[at]?.id}`, { label })
  const rename = (of: string, row: Row | undefined, display_name: string) =>
    call('PUT', `${path}/${of}/${row?.id}`, { display_name })
  await rename('options', cut, 'Fit')
  await rename('options', colour, 'Cut')
  const [engraving, wrap] = await call<Row[]>('GET', `${path}/modifiers`)
  await rename('modifiers', wrap, 'Ribbon')
  await rename('modifiers', engraving, 'Gift wrap')
  const run = await update(world)
  expect(await world.issues(run.requestId)).toEqual([])
  expect((await rows(world, 'option_values')).map((one) => one.id)).toEqual(before.map((one) => one.id))
  expect((await rows(world, 'variants')).map(({ sku }) => sku)).toEqual(['SHIRT-Red', 'SHIRT-Blue', 'SHIRT-Green'])
  expect(await differences(world)).toEqual([])
})

test('C2: options and modifiers that have exchanged their names in the source do so in one `update`, and keep their values and variants', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products'] })
  const call = <Data = Row>(method: string, path: string, body?: object) =>
    callStore<Data>(world, 'source', method, path, body)
  const variants = [
    ['Red', 'S'],
    ['Red', 'M'],
    ['Blue', 'S'],
  ].map(([colour, size]) => ({
    sku: `${colour}-${size}`,
    option_values: [
      { option_display_name: 'Colour', label: colour },
      { option_display_name: 'Size', label: size },
    ],
  }))
  const { id } = await call('POST', '/v3/catalog/products', { ...lampOf('Shirt', { sku: 'SHIRT' }), variants })
  const path = `/v3/catalog/products/${id}`
  for (const display_name of ['Wrapping', 'Card']) {
    const option_values = ['None', `${display_name} of paper`].map((label, sort_order) => ({ label, sort_order }))
    await call('POST', `${path}/modifiers`, { type: 'dropdown', display_name, required: false, option_values })
  }
  await world.complete()
  const ids = async (table: string) => (await rows(world, table)).map((row) => row.id)
  const tables = ['options', 'option_values', 'variants', 'modifiers', 'modifier_values']
  const before = await Promise.all(tables.map(ids))
  for (const of of ['options', 'modifiers']) {
    const both = await call<(Row & { display_name: string })[]>('GET', `${path}/${of}`)
    const names = ['In between', both[0]?.display_name, both[1]?.display_name]
    for (const [at, display_name] of names.entries())
      await call('PUT', `${path}/${of}/${both[at % 2]?.id}`, { display_name })
  }
  const run = await update(world)
  expect(await world.issues(run.requestId)).toEqual([])
  expect(await Promise.all(tables.map(ids))).toEqual(before)
  expect(await differences(world)).toEqual([])
})

test.each([
  ['brands', 409],
  ['categories', 422],
  ['products', 422],
] as const)('B5: an update of %s that the destination has applied counts as written, although it answered with %i', async (table, status) => {
  const { world } = await aCopy()
  const [one] = await rows(world, table)
  await set(world, table, one, { meta_description: 'Edited' })
  const path = table === 'categories' ? '^/v3/catalog/trees/categories$' : `^/v3/catalog/${table}`
  await world.fault('destination', { kind: 'error_after_applying', status, method: 'PUT', path, times: null })
  const run = await update(world, { autoHeal: false })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await counted(world, run.requestId))[table]?.updated).toBe(1)
  expect(await warnings(world, run.requestId)).toEqual([`destination_changed ${one?.name}`])
  expect(await differences(world)).toEqual([])
})
