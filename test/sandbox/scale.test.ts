import { expect, test } from 'vitest'
import { PRODUCTS, product, variant } from './a-shop.ts'
import { aProductWorld } from './product-world.ts'

type Rows = Record<string, unknown>[]

/** Products that differ in every filtered field, inserted directly into the table. */
const COUNT = 2_500

function* things() {
  for (let n = 0; n < COUNT; n++) {
    yield {
      name: `Thing ${(n * 7) % COUNT}`,
      sku: `T-${n}`,
      price: (n * 13) % 100,
      weight: 1,
      brand_id: n % 5,
      is_visible: n % 3 !== 0,
      is_featured: n % 10 === 0,
      condition: n % 4 === 0 ? 'Used' : 'New',
      total_sold: n % 17,
      date_modified: new Date(Date.UTC(2024, 0, 1) + n * 60_000).toISOString().replace('.000Z', '+00:00'),
      ...(n % 2 === 0 ? { date_last_imported: '2024-02-01T00:00:00+00:00' } : {}),
    }
  }
}

async function aLoadedWorld() {
  const world = await aProductWorld()
  const { store } = world
  await world.get(`${PRODUCTS}?limit=1`)
  expect(store.load('products', things())).toBe(COUNT)
  const rows = store.table('products').find({}) as (Record<string, unknown> & { id: number })[]
  const links = (field: string, keep: (n: number) => number[]) =>
    rows.flatMap(({ id }, n) => keep(n).map((other) => ({ product_id: id, [field]: other })))
  await world.get(`${PRODUCTS}?categories:in=1&channel_id:in=1`)
  store.load(
    'product_categories',
    links('category_id', (n) => (n % 50 === 0 ? [7, 8] : [])),
  )
  store.load(
    'product_channel_assignments',
    links('channel_id', (n) => (n % 9 === 0 ? [] : [1])),
  )
  const list = async (query: string) => (await world.get(`${PRODUCTS}?limit=250&${query}`)).body
  return { ...world, rows, list }
}

test('loaded rows get the next ids, are indexed, and count at once', async () => {
  const { store } = await aProductWorld()
  const table = store.table('things', ['colour'])
  const first = table.insert({ colour: 'red' }).id
  expect(table.nextId()).toBe(first + 1)
  function* many() {
    for (let n = 0; n < 12_000; n++) yield { colour: n % 2 === 0 ? 'blue' : 'red' }
  }
  expect(store.load('things', many())).toBe(12_000)
  expect(table.count()).toBe(12_001)
  expect(table.count({ colour: 'red' })).toBe(6_001)
  expect(table.nextId()).toBe(first + 12_001)
  expect(store.load('things', [{ id: 500_000, colour: 'green' }])).toBe(1)
  expect(table.find({ colour: 'green' })).toEqual([{ id: 500_000, colour: 'green' }])
})

test('a load that fails keeps complete steps, but none inside a transaction of its caller', async () => {
  const { store } = await aProductWorld()
  const table = store.table('things', ['colour'])
  function* broken() {
    for (let n = 0; n < 7_000; n++) yield { colour: 'blue' }
    throw new Error('no more')
  }
  expect(() => store.transaction(() => store.load('things', broken()))).toThrow('no more')
  expect(store.table('things').count()).toBe(0)
  expect(() => store.load('things', broken())).toThrow('no more')
  expect(store.table('things').count()).toBe(5_000)
  expect(store.table('things').count({ colour: 'blue' })).toBe(5_000)
  expect(table.find({ colour: 'blue' })).toHaveLength(5_000)
})

const day = Date.UTC(2024, 0, 1) + 1_000 * 60_000
const ms = (row: Record<string, unknown>, field: string) => Date.parse(String(row[field]))
const FILTERS: [string, (row: Record<string, unknown>, n: number) => boolean][] = [
  ['is_visible=true', (row) => row.is_visible === true],
  ['is_featured=1&condition=Used', (row) => row.is_featured === true && row.condition === 'Used'],
  ['price=26', (row) => row.price === 26],
  ['price=none', () => false],
  ['brand_id=3&is_visible=false', (row) => row.brand_id === 3 && row.is_visible === false],
  [`date_modified:min=${new Date(day).toISOString()}`, (row) => ms(row, 'date_modified') >= day],
  [`date_modified:max=${new Date(day).toISOString()}`, (row) => ms(row, 'date_modified') <= day],
  ['date_last_imported:min=2024-01-31T00:00:00Z', (row) => row.date_last_imported !== undefined],
  ['date_last_imported:not=2024-02-01T00:00:00Z', (row) => row.date_last_imported === undefined],
  ['categories:in=7', (_row, n) => n % 50 === 0],
  ['categories:in=7,8&channel_id:in=1', (_row, n) => n % 50 === 0 && n % 9 !== 0],
  ['channel_id:in=1', (_row, n) => n % 9 !== 0],
  ['channel_id:in=1&total_sold=4', (row, n) => n % 9 !== 0 && row.total_sold === 4],
  ['channel_id:in=2', () => false],
  ['keyword=thing 24', (row) => String(row.name).includes('Thing 24')],
]

test.each(FILTERS)('%s finds among thousands of rows what a full scan finds, page by page', async (query, matches) => {
  const { list, rows } = await aLoadedWorld()
  const expected = rows.filter(matches).map(({ id }) => id)
  const found: unknown[] = []
  for (let page = 1; page <= Math.max(1, Math.ceil(expected.length / 250)); page++) {
    const { data, meta } = await list(`${query}&page=${page}`)
    expect(meta.pagination.total).toBe(expected.length)
    found.push(...(data as Rows).map(({ id }) => id))
  }
  expect(found).toEqual(expected)
})

test.each([
  'name',
  'price',
  'date_modified',
  'is_visible',
  'total_sold',
  'sku',
])('sort=%s sorts in both directions, then by id', async (field) => {
  const { list, rows } = await aLoadedWorld()
  const before = (left: unknown, right: unknown) => (left === right ? 0 : (left as number) < (right as number) ? -1 : 1)
  const ascending = rows.toSorted((a, b) => before(a[field], b[field]) || a.id - b.id).map(({ id }) => id)
  const ids = async (query: string) => ((await list(query)).data as Rows).map(({ id }) => id)
  expect(await ids(`sort=${field}&page=3`)).toEqual(ascending.slice(500, 750))
  expect(await ids(`sort=${field}&direction=desc&page=2`)).toEqual(ascending.toReversed().slice(250, 500))
})

test('reading by id reports how many are left, and sees rows that are added and deleted meanwhile', async () => {
  const { store, list, rows } = await aLoadedWorld()
  const from = (n: number) => rows[n]?.id ?? 0
  const left = async (n: number) => (await list(`id:greater=${from(n)}`)).meta.pagination.total
  expect([await left(249), await left(499), await left(749)]).toEqual([2_250, 2_000, 1_750])
  store.table('products').delete(from(1_000))
  expect(await left(749)).toBe(1_749)
  store.table('products').insert({ name: 'New', price: 1, weight: 1 })
  expect(await left(999)).toBe(1_500)
})

test('the summary covers the rows as they are now', async () => {
  const { create, get, call } = await aProductWorld()
  const summary = async () => (await get('/v3/catalog/summary')).body.data
  expect(await summary()).toMatchObject({ variant_count: 0, lowest_variant_price: '0', oldest_variant_date: '' })
  const { id } = await create({ price: 10, inventory_level: 3, inventory_tracking: 'product' })
  await create(
    product({
      name: 'Hat',
      price: 8,
      sale_price: 6,
      variants: [variant('H-1', { Size: 'S' }, { price: 30 }), variant('H-2', { Size: 'M' })],
    }),
  )
  expect(await summary()).toMatchObject({
    variant_count: 3,
    lowest_variant_price: '6',
    highest_variant_price: 30,
    average_variant_price: 46 / 3,
    inventory_count: 3,
    inventory_value: 30,
  })
  await call('PUT', `${PRODUCTS}/${id}`, { price: 2 })
  expect(await summary()).toMatchObject({ lowest_variant_price: '2', inventory_value: 6 })
})

test('doubling a product doubles its options, values and variants, and the copies refer to each other', async () => {
  const { doubleRow } = await import('../../sandbox/admin/double-row.ts')
  const { create, get, store, call } = await aProductWorld()
  const sizes = [variant('A', { Size: 'S' }), variant('B', { Size: 'M' })]
  const { id } = await create({ variants: sizes })
  const modifier = { type: 'checkbox', display_name: 'Gift', required: false, option_values: [], config: {} }
  await call('POST', `${PRODUCTS}/${id}/modifiers`, { ...modifier, config: { checkbox_label: 'Yes' } })
  const copy = doubleRow(store as Parameters<typeof doubleRow>[0], 'products', id)
  const children = async (of: number) => (await get(`${PRODUCTS}/${of}?include=options,variants,modifiers`)).body.data
  const [one, other] = [await children(id), await children(copy)]
  expect(other.variants).toHaveLength(2)
  const labels = (of: typeof one) =>
    of.variants.map(({ option_values }: { option_values: Rows }) => option_values.map(({ label }) => label))
  expect(labels(other)).toEqual([['S'], ['M']])
  const choice = other.variants[0].option_values[0]
  expect(choice.option_id).toBe(other.options[0].id)
  expect(choice.id).toBe(other.options[0].option_values[0].id)
  expect(choice.id).not.toBe(one.options[0].option_values[0].id)
  expect(other.modifiers).toHaveLength(one.modifiers.length)
  expect(store.table('option_values').find({ product_id: copy })).toHaveLength(2)
  expect(store.table('option_values').find({ product_id: id })).toHaveLength(2)
})
