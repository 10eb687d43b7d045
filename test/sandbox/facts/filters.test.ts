/**
 * The filters of lists: one small catalogue, and every published filter with the rows it matches. Left out: filters of
 * customers, orders, subscribers and attributes, which are tested with their resources.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../../sandbox/start.ts'
import { insertGroup } from '../../../sandbox/tables/group-tables.ts'
import {
  aLocation,
  aShop,
  BRANDS,
  CATEGORIES,
  LOCATIONS,
  metafield,
  PRICE_LISTS,
  PRODUCTS,
  product,
  type Shop,
  shopOf,
  TREES,
  times,
  VARIANTS,
} from '../a-shop.ts'
import {
  operationKey,
  orHowToGetSpecs,
  readPublishedOperations,
  specsFolder,
} from '../contract/published-operations.ts'
import { isObject, resolve } from '../contract/schema-check.ts'

/** A published filter and the rows it matches. `{name}` in a value is an id of the world below. */
interface FilterList {
  list: string
  /** How a row is named in `finds`. */
  field: string
  finds: Record<string, string[]>
}

let sandbox: Sandbox
let shop: Shop
const world: Record<string, number | string> = {}

beforeAll(async () => {
  sandbox = await startSandbox({ stores: [{ name: 'shop', seed: 'empty', token: 'secret' }] })
  shop = shopOf(sandbox, 'shop')
  Object.assign(world, await aWorld(shop))
})
afterAll(() => sandbox.close())

const A = { name: 'Apron', sku: 'A-1', price: 10, weight: 1, mpn: 'M-A', upc: '111', condition: 'New' }
const B = { name: 'Blanket', sku: 'B-1', price: 20, weight: 2, mpn: 'M-B', upc: '222', condition: 'Used' }
const C = { name: 'Cushion', sku: 'C-1', price: 30, weight: 3, mpn: 'M-C', upc: '333', condition: 'Refurbished' }
const counted = (inventory_level: number) => ({
  inventory_tracking: 'product',
  inventory_level,
  inventory_warning_level: 6,
})

async function aWorld(here: Shop) {
  const { aBrand, aCategory, made, store, treeId } = here
  const [loom, mill] = [aBrand('Loom'), aBrand('Mill')]
  store.table('brands').update(mill, { page_title: 'The mill' })
  const kitchen = aCategory('Kitchen')
  const pantry = aCategory('Pantry', kitchen)
  const uuid = store.table('categories').update(pantry, { page_title: 'Dry goods', is_visible: false }).category_uuid
  const add = (fields: object) => made('POST', PRODUCTS, product({ ...fields }))
  const a = await add({ ...A, ...counted(5), brand_id: loom, categories: [kitchen], is_featured: true })
  const b = await add({
    ...B,
    ...counted(20),
    brand_id: mill,
    is_visible: false,
    is_free_shipping: true,
    availability: 'disabled',
  })
  const c = await add({
    ...C,
    ...counted(0),
    categories: [pantry],
    type: 'digital',
    availability: 'preorder',
    description: 'For apron wearers',
  })
  const outlet = await made('POST', '/v3/channels', { name: 'Outlet', type: 'storefront', platform: 'wordpress' })
  const market = await made('POST', '/v3/channels', { name: 'Market', type: 'marketplace', platform: 'amazon' })
  await here.call('DELETE', `${PRODUCTS}/channel-assignments?product_id:in=${c.id}`)
  await here.call('PUT', `${PRODUCTS}/channel-assignments`, [{ product_id: c.id, channel_id: outlet.id }])
  const dates = ['2024-01-01', '2024-06-01', '2025-01-01'].map((day) => `${day}T12:00:00+00:00`)
  for (const [at, { id }] of [a, b, c].entries()) {
    store.table('products').update(id, { date_modified: dates[at], date_last_imported: dates[at], total_sold: at })
  }
  for (const [at, id] of [1, market.id, outlet.id].entries())
    store.table('channels').update(id, { date_created: dates[at], date_modified: dates[at] })
  store.table('channels').update(outlet.id, { status: 'disconnected' })
  const tree = treeId()
  const secondTree = (await made('PUT', TREES, [{ name: 'Outlet', channels: [outlet.id] }]))[0].id
  const metafields: Record<string, number> = {}
  for (const key of KEYS) {
    const { id } = await made(
      'POST',
      `${BRANDS}/${loom}/metafields`,
      metafield(key, { namespace: key === 'third' ? 'b' : 'a' }),
    )
    metafields[key] = id
    const day = { first: dates[0], second: dates[1], third: dates[2] }[key]
    store.table('brand_metafields').update(id, { date_created: day, date_modified: day })
  }
  await here.call('POST', LOCATIONS, [
    aLocation('NORTH', { type_id: 'VIRTUAL', managed_by_external_source: true }),
    aLocation('SOUTH', { enabled: false, storefront_visibility: false }),
  ])
  const [north] = await here.rows(`${LOCATIONS}?location_code:in=NORTH`)
  const lists = [
    await made('POST', PRICE_LISTS, { name: 'Retail' }),
    await made('POST', PRICE_LISTS, { name: 'Wholesale' }),
  ]
  for (const [at, { id }] of lists.entries())
    store.table('price_lists').update(id, { date_created: dates[at], date_modified: dates[at] })
  const [retail, wholesale] = lists.map((row) => row.id)
  const amounts = { price: 8, sale_price: 7, retail_price: 9, map_price: 6 }
  const records = `${PRICE_LISTS}/${retail}/records`
  await made('PUT', records, [
    { variant_id: a.base_variant_id, currency: 'usd', ...amounts },
    { variant_id: b.base_variant_id, currency: 'eur', price: 18, sale_price: 17, retail_price: 19, map_price: 16 },
  ])
  for (const [at, row] of store.table('price_records').find({}).entries())
    store.table('price_records').update(row.id, { date_created: dates[at], date_modified: dates[at] })
  for (const id of [1, 2]) insertGroup(store, { id, name: `Group ${id}` })
  await made('POST', `${PRICE_LISTS}/assignments`, [
    { price_list_id: retail, customer_group_id: 1 },
    { price_list_id: wholesale, customer_group_id: 2, channel_id: outlet.id },
  ])
  const assignments = store.table('price_list_assignments').find({})
  return {
    a: a.id,
    b: b.id,
    c: c.id,
    va: a.base_variant_id,
    vb: b.base_variant_id,
    vc: c.base_variant_id,
    ...metafields,
    loom,
    mill,
    kitchen,
    pantry,
    uuid: String(uuid),
    tree,
    secondTree,
    outlet: outlet.id,
    north: north.id,
    retail,
    wholesale,
    records,
    assigned: assignments[0]?.id ?? 0,
    alsoAssigned: assignments[1]?.id ?? 0,
  }
}

const JUNE = '2024-06-01T12:00:00Z'

function dateRange(field: string, all: string[], at: number): Record<string, string[]> {
  return { [`${field}:min=${JUNE}`]: all.slice(at), [`${field}:max=${JUNE}`]: all.slice(0, at + 1) }
}

function idRange(all: string[], [first, middle, last]: string[]): Record<string, string[]> {
  const [one = '', two = '', ...rest] = all
  return {
    [`id={${first}}`]: [one],
    [`id:in={${first}},{${middle}}`]: [one, two],
    [`id:not_in={${first}}`]: all.slice(1),
    [`id:min={${middle}}`]: [two, ...rest],
    [`id:max={${middle}}`]: [one, two],
    [`id:greater={${first}}`]: all.slice(1),
    [`id:less={${last}}`]: all.slice(0, -1),
  }
}

const numbers = (field: string, [low, middle, high]: number[], [one = '', two = '', three = '']: string[]) => ({
  [`${field}=${middle}`]: [two],
  [`${field}:in=${low},${high}`]: [one, three],
  [`${field}:not_in=${low},${high}`]: [two],
  [`${field}:min=${middle}`]: [two, three],
  [`${field}:max=${middle}`]: [one, two],
  [`${field}:greater=${middle}`]: [three],
  [`${field}:less=${middle}`]: [one],
})

const priceRange = (field: string, [low, high]: number[]) => ({
  [`${field}=${low}`]: ['usd'],
  [`${field}:min=${high}`]: ['eur'],
  [`${field}:max=${low}`]: ['usd'],
})

const NAMES = ['Apron', 'Blanket', 'Cushion']
const PLATFORMS = ['bigcommerce', 'amazon', 'wordpress']
const KEYS = ['first', 'second', 'third']

const FILTERS: FilterList[] = [
  {
    list: PRODUCTS,
    field: 'name',
    finds: {
      ...idRange(NAMES, ['a', 'b', 'c']),
      'name=apron': ['Apron'],
      'sku=B-1': ['Blanket'],
      'sku:in=A-1,C-1': ['Apron', 'Cushion'],
      'mpn=M-B': ['Blanket'],
      'upc=333': ['Cushion'],
      'price=20': ['Blanket'],
      'weight=3': ['Cushion'],
      'condition=Used': ['Blanket'],
      'brand_id={loom}': ['Apron'],
      'categories={kitchen}': ['Apron'],
      'categories:in={kitchen},{pantry}': ['Apron', 'Cushion'],
      'channel_id:in={outlet}': ['Cushion'],
      [`date_modified=${JUNE}`]: ['Blanket'],
      ...dateRange('date_modified', NAMES, 1),
      [`date_last_imported=${JUNE}`]: ['Blanket'],
      [`date_last_imported:not=${JUNE}`]: ['Apron', 'Cushion'],
      ...dateRange('date_last_imported', NAMES, 1),
      'is_visible=false': ['Blanket'],
      'is_featured=1': ['Apron'],
      'is_free_shipping=true': ['Blanket'],
      ...numbers('inventory_level', [0, 5, 20], ['Cushion', 'Apron', 'Blanket']),
      'inventory_low=1': ['Apron', 'Cushion'],
      'out_of_stock=1': ['Cushion'],
      'total_sold=2': ['Cushion'],
      'type=digital': ['Cushion'],
      'availability=preorder': ['Cushion'],
      'keyword=apron': ['Apron', 'Cushion'],
    },
  },
  {
    list: VARIANTS,
    field: 'sku',
    finds: { 'id={va}': ['A-1'], 'sku=B-1': ['B-1'], 'upc=333': ['C-1'], 'product_id:in={a},{c}': ['A-1', 'C-1'] },
  },
  {
    list: BRANDS,
    field: 'name',
    finds: {
      ...idRange(['Loom', 'Mill'], ['loom', 'mill', 'mill']),
      'name=MILL': ['Mill'],
      'name:like=oo': ['Loom'],
      'page_title=The mill': ['Mill'],
    },
  },
  {
    list: CATEGORIES,
    field: 'name',
    finds: {
      'category_id:in={pantry}': ['Pantry'],
      'category_id:not_in={pantry}': ['Kitchen'],
      'category_uuid:in={uuid}': ['Pantry'],
      'category_uuid:not_in={uuid}': ['Kitchen'],
      'tree_id:in={tree}': ['Kitchen', 'Pantry'],
      'tree_id:not_in={tree}': [],
      'parent_id:in={kitchen}': ['Pantry'],
      'parent_id:not_in=0': ['Pantry'],
      'page_title=Dry goods': ['Pantry'],
      'page_title:like=dry': ['Pantry'],
      'name=kitchen': ['Kitchen'],
      'name:like=itch': ['Kitchen'],
      'keyword=pantry': ['Pantry'],
      'is_visible=false': ['Pantry'],
    },
  },
  {
    list: TREES,
    field: 'id',
    finds: { 'id:in={secondTree}': ['{secondTree}'], 'channel_id:in={outlet}': ['{secondTree}'] },
  },
  {
    list: `${BRANDS}/metafields`,
    field: 'key',
    finds: {
      'key=first': ['first'],
      'key:in=first,third': ['first', 'third'],
      'namespace=b': ['third'],
      'namespace:in=a,b': KEYS,
      ...dateRange('date_created', KEYS, 1),
      ...dateRange('date_modified', KEYS, 1),
    },
  },
  {
    list: `${BRANDS}/{loom}/metafields`,
    field: 'key',
    finds: { ...idRange(KEYS, KEYS), 'key=first': ['first'], 'namespace=b': ['third'] },
  },
  {
    list: `${PRODUCTS}/channel-assignments`,
    field: 'product_id',
    finds: { 'product_id:in={a}': ['{a}'], 'channel_id:in={outlet}': ['{c}'] },
  },
  {
    list: `${PRODUCTS}/category-assignments`,
    field: 'product_id',
    finds: { 'product_id:in={a}': ['{a}'], 'category_id:in={pantry}': ['{c}'] },
  },
  {
    list: LOCATIONS,
    field: 'code',
    finds: {
      'location_id:in={north}': ['NORTH'],
      'location_code:in=NORTH,SOUTH': ['NORTH', 'SOUTH'],
      'is_default=false': ['NORTH', 'SOUTH'],
      'type_id:in=VIRTUAL': ['NORTH'],
      'managed_by_external_source=true': ['NORTH'],
      'is_active=false': ['SOUTH'],
      'storefront_visibility=false': ['SOUTH'],
    },
  },
  {
    list: `${LOCATIONS}/1/items`,
    field: 'identity.sku',
    finds: { 'sku:in=A-1,B-1': ['A-1', 'B-1'], 'variant_id:in={vc}': ['C-1'], 'product_id:in={a}': ['A-1'] },
  },
  {
    list: '/v3/channels',
    field: 'platform',
    finds: {
      'available=false': ['wordpress'],
      'status:in=disconnected': ['wordpress'],
      'type:in=marketplace': ['amazon'],
      'platform:in=amazon': ['amazon'],
      [`date_created=${JUNE}`]: ['amazon'],
      ...dateRange('date_created', PLATFORMS, 1),
      [`date_modified=${JUNE}`]: ['amazon'],
      ...dateRange('date_modified', PLATFORMS, 1),
    },
  },
  {
    list: '/v3/sites',
    field: 'channel_id',
    finds: { 'channel_id:in=1': ['1'], 'url_type:in=primary': ['1'] },
  },
  {
    list: PRICE_LISTS,
    field: 'name',
    finds: {
      'name=Retail': ['Retail'],
      'name:like=whole': ['Wholesale'],
      'id:in={wholesale}': ['Wholesale'],
      [`date_created=${JUNE}`]: ['Wholesale'],
      [`date_modified=${JUNE}`]: ['Wholesale'],
      'date_created:min=2024-02-01': ['Wholesale'],
      'date_created:max=2024-02-01': ['Retail'],
      'date_modified:min=2024-02-01': ['Wholesale'],
      'date_modified:max=2024-02-01': ['Retail'],
    },
  },
  {
    list: `${PRICE_LISTS}/{retail}/records`,
    field: 'currency',
    finds: {
      'variant_id:in={va}': ['usd'],
      'product_id:in={b}': ['eur'],
      'currency=eur': ['eur'],
      'currency:in=usd,eur': ['usd', 'eur'],
      'sku=A-1': ['usd'],
      'sku:in=A-1,B-1': ['usd', 'eur'],
      ...priceRange('price', [8, 18]),
      ...priceRange('sale_price', [7, 17]),
      ...priceRange('retail_price', [9, 19]),
      ...priceRange('map_price', [6, 16]),
      ...priceRange('calculated_price', [7, 17]),
      [`date_created=${JUNE}`]: ['eur'],
      [`date_modified=${JUNE}`]: ['eur'],
      'date_created:min=2024-02-01': ['eur'],
      'date_created:max=2024-02-01': ['usd'],
      'date_modified:min=2024-02-01': ['eur'],
      'date_modified:max=2024-02-01': ['usd'],
    },
  },
  {
    list: `${PRICE_LISTS}/assignments`,
    field: 'price_list_id',
    finds: {
      'id={assigned}': ['{retail}'],
      'id:in={assigned},{alsoAssigned}': ['{retail}', '{wholesale}'],
      'price_list_id={wholesale}': ['{wholesale}'],
      'price_list_id:in={retail}': ['{retail}'],
      'customer_group_id=2': ['{wholesale}'],
      'customer_group_id:in=1': ['{retail}'],
      'channel_id={outlet}': ['{wholesale}'],
      'channel_id:in={outlet}': ['{wholesale}'],
    },
  },
]

const ROWS = FILTERS.flatMap(({ list, field, finds }) =>
  Object.entries(finds).map(([filter, found]) => ({ list, field, filter, found })),
)

const filled = (text: string) => text.replace(/\{(\w+)\}/g, (_whole, name: string) => String(world[name]))
// biome-ignore lint/suspicious/noExplicitAny: rows of every list are read here
const cell = (row: any, field: string) => String(field.split('.').reduce((value, part) => value?.[part], row))

/** Parameters that select or sort fields and pages, not rows. `keyword_context` selects whose search index answers. */
const NO_FILTERS = [
  ...['page', 'limit', 'before', 'after', 'sort', 'direction', 'include', 'include_fields', 'exclude_fields'],
  'keyword_context',
]

describe('filters', () => {
  it.each(ROWS)('finds in $list by $filter exactly the matching rows', async ({ list, field, filter, found }) => {
    const [name = '', value = ''] = filled(filter).split(/=(.*)/s)
    const rows = await shop.rows(`${filled(list)}?${name}=${encodeURIComponent(value)}`)
    expect(rows.map((row: unknown) => cell(row, field)).sort()).toEqual(found.map(filled).sort())
  })
})

it.skipIf(!specsFolder)(orHowToGetSpecs('the filters are all those published for these lists'), () => {
  const published = readPublishedOperations()
  for (const { list, finds } of FILTERS) {
    const path = list.replace(`${LOCATIONS}/1/`, `${LOCATIONS}/{}/`)
    const operation = published.get(operationKey('GET', path.replace(/\{(retail|loom)\}/, '{}')))
    expect(operation, list).toBeDefined()
    const parameters = Array.isArray(operation?.operation.parameters) ? operation.operation.parameters : []
    const names = parameters
      .map((parameter) => resolve(operation?.document ?? {}, parameter))
      .flatMap((parameter) => (isObject(parameter) && parameter.in === 'query' ? [String(parameter.name)] : []))
      .filter((name) => !NO_FILTERS.includes(name))
    const tested = new Set(Object.keys(finds).map((filter) => filter.split('=')[0]))
    expect(
      names.filter((name) => !tested.has(name)),
      list,
    ).toEqual([])
  }
})

describe('ids and dates', () => {
  it('accepts a page of ids in one address', async () => {
    const { rows, store } = await aShop()
    const ids = times(250, (n) => store.table('products').insert({ name: `Shirt ${n}`, sku: '' }).id)
    expect(await rows(`${PRODUCTS}?limit=250&id:in=${ids.join(',')}`)).toHaveLength(250)
  })

  it.each([
    'date_modified:min',
    'date_modified:max',
  ])('adds the time of the request to a date in %s of products', async (filter) => {
    const { aProduct, rows, store } = await aShop()
    const nowMs = Date.now()
    const place = (shiftMs: number) => new Date(nowMs + shiftMs).toISOString().replace(/\.\d+Z$/, '+00:00')
    const HOUR_MS = 3_600_000
    for (const [name, shiftMs] of [
      ['Earlier', -HOUR_MS],
      ['Later', HOUR_MS],
    ] as const) {
      const { id } = await aProduct({ name })
      store.table('products').update(id, { date_modified: place(shiftMs) })
    }
    const found = await rows(`${PRODUCTS}?${filter}=${new Date(nowMs).toISOString().slice(0, 10)}`)
    expect(found).toMatchObject([{ name: filter === 'date_modified:max' ? 'Earlier' : 'Later' }])
  })

  it.each([
    ['categories', CATEGORIES],
    ['brands', BRANDS],
    ['variants', VARIANTS],
  ])('has no date filter for %s: one that is given is refused', async (_name, list) => {
    expect((await shop.get(`${list}?date_modified:min=2100-01-01`)).status).toBe(422)
  })

  it('has no date filter for reviews: one that is given is refused', async () => {
    const { aProduct, get } = await aShop()
    const reviews = `${PRODUCTS}/${(await aProduct()).id}/reviews`
    expect((await get(`${reviews}?date_modified:min=2100-01-01`)).status).toBe(422)
  })
})

describe('fields', () => {
  it.each([
    ['products', PRODUCTS, 'name', 'id'],
    ['brands', BRANDS, 'name', 'id'],
    ['categories', CATEGORIES, 'name', 'category_id'],
    ['variants', VARIANTS, 'sku', 'id'],
    ['metafields', `${BRANDS}/metafields`, 'key', 'id'],
  ])('shows the requested fields of %s and the id', async (_name, list, field, idField) => {
    const [row] = await shop.rows(`${list}?include_fields=${field}`)
    const shown = Object.keys(row).filter((name) => !name.startsWith('gift_wrapping_'))
    expect(shown.sort()).toEqual([field, idField].sort())
  })

  it.each([
    ['products', PRODUCTS, 'name', 'id'],
    ['brands', BRANDS, 'name', 'id'],
    ['categories', CATEGORIES, 'name', 'category_id'],
    ['variants', VARIANTS, 'sku', 'id'],
  ])('leaves out the named fields of %s, but never the id', async (_name, list, field, idField) => {
    const [whole] = await shop.rows(list)
    const [row] = await shop.rows(`${list}?exclude_fields=${field},${idField}`)
    expect(Object.keys(row)).toEqual(Object.keys(whole).filter((name) => name !== field))
  })

  it('shows the gift wrapping of a product whatever fields are requested', async () => {
    const wrappings = { gift_wrapping_options_type: 'any', gift_wrapping_options_list: [] }
    const [included] = await shop.rows(`${PRODUCTS}?include_fields=name`)
    const [excluded] = await shop.rows(`${PRODUCTS}?exclude_fields=${Object.keys(wrappings).join(',')}`)
    expect([included, excluded]).toEqual([expect.objectContaining(wrappings), expect.objectContaining(wrappings)])
  })
})
