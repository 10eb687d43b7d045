import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { startWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'

/** One store copied, then run again with `update`; each story edits what it needs and puts it right again. */
let world: World
let first: string
beforeAll(async () => {
  world = await startWorld({ catalogueOnly: true })
  first = (await world.complete()).requestId
})
afterAll(() => world?.stop())

const update = () => world.complete({ conflictStrategy: 'update' })
const writes = async () => (await world.requests('destination')).filter(({ method }) => method !== 'GET')
const rows = async (table: string) => (await world.state('destination'))[table] ?? []
const firstOf = async (table: string) => (await rows(table))[0] as { id: number } & Record<string, unknown>
const set = async (table: string, id: number, fields: Record<string, unknown>) => {
  await world.change('destination', { op: 'set', table, id, fields })
}
const differences = async () => compareStores(await world.state('source'), await world.state('destination'))
const warnings = async (id: string) =>
  (await world.issues(id)).map(({ code, item }) => `${code} ${item.name?.replace(/\d+$/, '*')}`).sort()

describe('update over a copy that nobody touched', () => {
  test('C2: writes nothing, because both checksums are as they were', async () => {
    await world.resetRequests('destination')
    const run = await update()
    expect(await writes()).toEqual([])
    expect(run.status).toBe('completed')
    expect(run.counters.done).toBeGreaterThan(50)
    expect(run.phases.flatMap(({ components }) => components).filter(({ success }) => success > 0)).toEqual([])
    await expectCountersToEqualTheLedger(world, run.requestId)
  })

  test('C2: a list of everything but options is enough: no product is read at the destination by itself', async () => {
    await world.resetRequests('destination')
    await update()
    const reads = (await world.requests('destination')).filter(({ path }) => path === '/v3/catalog/products')
    expect(reads.filter(({ query }) => query.includes('id%3Ain'))).toEqual([])
  })
})

describe('update over a copy that somebody edited', () => {
  test('C2: repairs exactly what was edited, and warns once for each item', async () => {
    const product = (await rows('products')).find((row) => row.name === 'Amber Linen Sneaker') as { id: number }
    const of = async (table: string) =>
      (await rows(table)).find((row) => row.product_id === product.id) as { id: number }
    await set('products', product.id, { price: 1.23, description: 'Edited' })
    await set('images', (await of('images')).id, { description: 'Edited' })
    await set('variants', (await of('variants')).id, { price: 9.99 })
    const brand = await firstOf('brands')
    await set('brands', brand.id, { page_title: 'Edited' })
    const category = await firstOf('categories')
    await set('categories', category.id, { description: 'Edited' })
    const field = await firstOf('custom_fields')
    await set('custom_fields', field.id, { value: 'Edited' })
    const metafield = await firstOf('product_metafields')
    await set('product_metafields', metafield.id, { value: 'Edited' })
    expect(await differences()).not.toEqual([])

    const run = await update()
    expect(run.status).toBe('completed')
    expect(await differences()).toEqual([])
    const counts = await counted(world, run.requestId)
    expect([counts.products?.updated, counts['product-images']?.updated, counts['product-variants']?.updated]).toEqual([
      1, 1, 1,
    ])
    expect([counts.brands?.updated, counts.categories?.updated, counts['product-metafields']?.updated]).toEqual([
      1, 1, 1,
    ])
    expect(counts['product-custom-fields']?.updated).toBe(1)
    const owner = (await rows('products')).find((row) => row.id === field.product_id)
    expect(await warnings(run.requestId)).toEqual(
      [
        'destination_changed Amber Linen Sneaker',
        ...(owner?.name === 'Amber Linen Sneaker' ? [] : [`destination_changed ${owner?.name}`]),
        `destination_changed ${brand.name}`,
        `destination_changed ${category.name}`,
        'destination_changed Product metafields *',
      ].sort(),
    )
    await expectCountersToEqualTheLedger(world, run.requestId)
  })

  test('C2: what was deleted there is created again with a warning, and a deleted child comes back', async () => {
    const [gone, kept] = (await rows('products')).filter((row) => row.sku !== '') as { id: number; name?: string }[]
    await callStore(world, 'destination', 'DELETE', `/v3/catalog/products/${gone?.id}`)
    const image = (await rows('images')).find((row) => row.product_id === kept?.id)
    if (image) await callStore(world, 'destination', 'DELETE', `/v3/catalog/products/${kept?.id}/images/${image.id}`)
    const run = await update()
    expect(await differences()).toEqual([])
    expect(await warnings(run.requestId)).toContain(`destination_deleted ${gone?.name}`)
  })

  test('D1: a stock level that was changed there stays, and only overwriteLiving writes it over', async () => {
    const product = (await rows('products')).find((row) => row.inventory_tracking === 'product') as { id: number }
    await set('products', product.id, { inventory_level: 4711 })
    await world.resetRequests('destination')
    await update()
    expect(await writes()).toEqual([])
    await world.complete({ conflictStrategy: 'update', overwriteLiving: ['products'] })
    expect((await rows('products')).find((row) => row.id === product.id)?.inventory_level).not.toBe(4711)
    expect(await differences()).toEqual([])
  })

  test('B6: a picture that took the place of another one in the source takes its copy, too', async () => {
    const { images = [] } = await world.state('source')
    const [gone] = images
    const path = `/v3/catalog/products/${gone?.product_id}/images`
    const { image_url } = { image_url: `${world.address('source').url}/images/${gone?.image_file}` }
    await callStore(world, 'source', 'DELETE', `${path}/${gone?.id}`)
    await callStore(world, 'source', 'POST', path, { image_url, description: 'Another one', sort_order: 50 })
    await update()
    expect(await differences()).toEqual([])
    await world.resetRequests('destination')
    await update()
    expect(await writes()).toEqual([])
  })

  test('D1: what is taken as the copy keeps its living values, and nothing that stood there counts as created', async () => {
    const product = (await rows('products')).find((row) => row.inventory_tracking === 'product') as {
      id: number
      inventory_level: number
    }
    await set('products', product.id, { inventory_level: 4711, description: 'Theirs' })
    await sql`delete from mappings where component like 'product%' or component like 'variant%'`.execute(world.database)
    const run = await update()
    const after = (await rows('products')).find((row) => row.id === product.id)
    expect(after).toMatchObject({ inventory_level: 4711 })
    expect(after?.description).not.toBe('Theirs')
    const counts = await counted(world, run.requestId)
    // One names another product, which is found after it.
    expect(counts.products).toEqual({ discovered: 12, updated: 2, matched: 10 })
    for (const count of Object.values(counts)) expect(count.created).toBeUndefined()
    await set('products', product.id, { inventory_level: product.inventory_level })
    expect(await differences()).toEqual([])
  })

  test('D2: a child that only the destination has stays and is no reason to write', async () => {
    const product = (await rows('products'))[0] as { id: number }
    const extra = { name: 'Only here', value: 'yes' }
    await callStore(world, 'destination', 'POST', `/v3/catalog/products/${product.id}/custom-fields`, extra)
    await update()
    const fields = (await rows('custom_fields')).filter((row) => row.product_id === product.id)
    expect(fields.map((row) => row.name)).toContain('Only here')
  })
})

test('D6: what update wrote over is kept as it stood, field by field, and a private value only sealed', async () => {
  const { rows: images } = await sql<{ component: string; body: Record<string, unknown> | null; sealed: boolean }>`
    select component, body, body_sealed is not null as sealed from before_images order by component`.execute(
    world.database,
  )
  const product = images.find(({ component, body }) => component === 'products' && body?.description === 'Edited')
  expect(product?.body).toEqual({ price: 1.23, description: 'Edited' })
  const metafield = images.find(({ component }) => component === 'product-metafields')
  expect(metafield).toMatchObject({ body: null, sealed: true })
})

test('the first run is still the origin of what it created', async () => {
  const { rows: origins } = await sql<{ origin: string }>`
    select distinct origin from mappings where component = 'brands' and run_id = ${first}`.execute(world.database)
  expect(origins).toEqual([{ origin: 'created' }])
})
