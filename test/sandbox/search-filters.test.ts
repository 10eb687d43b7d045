import { expect, test } from 'vitest'
import { product, variant } from './a-shop.ts'
import { aProductWorld } from './product-world.ts'

const FILTERS = '/v3/settings/search/filters'

interface Filter {
  id: string
  type: string
  name: string
}

async function aWorldWithSizes() {
  const world = await aProductWorld()
  const category = world.aCategory('Shirts')
  const shirt = product({
    price: 49,
    brand_id: world.aBrand('Loom'),
    categories: [category],
    variants: [variant('S', { Size: 'Small' }), variant('L', { Size: 'Large' })],
    custom_fields: [{ name: 'Fabric', value: 'Linen' }],
  })
  await world.call('POST', '/v3/catalog/products', shirt)
  await world.call('POST', '/v3/catalog/products', product({ name: 'Wool Hat', price: 19 }))
  const available = async (query = ''): Promise<Filter[]> =>
    (await world.get(`${FILTERS}/available?${query}`)).body.data
  return { ...world, category, available }
}

test('available filters come from the catalogue: options, custom fields, prices and counts', async () => {
  const { available, category } = await aWorldWithSizes()
  const all = await available()
  expect(all.map(({ type, name }) => `${type} ${name}`)).toEqual([
    'category Category',
    'brand Brand',
    'rating Rating',
    'price Price',
    'product Size',
    'product Fabric',
    'other Other',
  ])
  expect(all[0]).toMatchObject({ product_count: 1 })
  expect(all[3]).toMatchObject({ price_range_min: 19, price_range_max: 49 })
  expect(all[4]).toMatchObject({ product_count: 1 })
  expect((await available(`category_id=${category}`))[3]).toMatchObject({ price_range_min: 49, price_range_max: 49 })
  expect((await available('channel_id=99')).some(({ type }) => type === 'product')).toBe(false)
})

test('the filters of a store are replaced as an ordered list, by this store’s ids', async () => {
  const { call, get, available } = await aWorldWithSizes()
  const [brand, size] = (await available()).filter(({ name }) => ['Brand', 'Size'].includes(name))
  const wanted = [
    {
      id: size?.id,
      type: 'product',
      display_name: 'Size',
      is_enabled: true,
      items_to_show: 15,
      sort_by: 'option_values',
    },
    { id: brand?.id, type: 'brand', display_name: 'Maker', is_enabled: true, items_to_show: 5, sort_by: 'alpha' },
  ]
  expect((await get(FILTERS)).body.data).toHaveLength(5)
  expect((await call('PUT', FILTERS, wanted)).body.data).toEqual(wanted)
  expect((await get(FILTERS)).body.data).toEqual(wanted)
  const other = await aProductWorld({ hash: 'other' })
  expect((await other.call('PUT', FILTERS, [wanted[1]])).body.errors).toHaveProperty(['0.id'])
})

test('a filter keeps its type and can be sorted and limited as its type allows', async () => {
  const { call, available } = await aWorldWithSizes()
  const brand = (await available()).find(({ type }) => type === 'brand')
  const status = async (fields: object) =>
    (await call('PUT', FILTERS, [{ id: brand?.id, type: 'brand', display_name: 'Maker', ...fields }])).status
  expect(await status({})).toBe(200)
  expect(await status({ type: 'product' })).toBe(422)
  expect(await status({ sort_by: 'option_values' })).toBe(422)
  expect(await status({ items_to_show: 7 })).toBe(422)
})

test('a channel or a category has filters of its own until an empty list removes them', async () => {
  const { call, get, category } = await aWorldWithSizes()
  const contexts = `${FILTERS}/contexts`
  const [first, second] = (await get(FILTERS)).body.data
  const rows = [
    { context: { channel_id: 1 }, data: [first] },
    { context: { category_id: category }, data: [second, first] },
  ]
  expect((await call('PUT', contexts, rows)).body.data).toEqual(rows)
  expect((await get(contexts)).body).toMatchObject({ data: rows, meta: { pagination: { total: 2 } } })
  expect((await get(`${contexts}?category_id=${category}`)).body.data).toEqual([rows[1]])
  await call('PUT', contexts, [{ context: { channel_id: 1 }, data: [second] }])
  expect((await get(`${contexts}?channel_id=1`)).body.data).toEqual([{ context: { channel_id: 1 }, data: [second] }])
  await call('PUT', contexts, [{ context: { channel_id: 1 }, data: [] }])
  expect((await get(contexts)).body.data).toEqual([rows[1]])
  expect((await call('PUT', contexts, [{ context: { channel_id: 99 }, data: [] }])).status).toBe(422)
  expect((await call('PUT', contexts, [{ data: [first] }])).status).toBe(422)
})
