/**
 * How lists are cut into pages. Left out: `min_id` and `max_id` of orders, the counts of version 2, the cursors of customers and
 * promotion codes and the pages of listings, which come with their entities. The largest page is documented for products and
 * categories (250), stock and locations (1,000); 250 for the others is our guess, and `per_page` says it.
 */
import { describe, expect, it } from 'vitest'
import { insertGroup } from '../../../sandbox/tables/group-tables.ts'
import {
  aShop,
  BRANDS,
  CATEGORIES,
  LOCATIONS,
  metafield,
  PRICE_LISTS,
  PRODUCTS,
  type Shop,
  times,
  VARIANTS,
} from '../a-shop.ts'

const ids = (rows: { id: number }[]) => rows.map((row) => row.id)

function manyBrands(shop: Shop, count: number): number[] {
  return shop.store.transaction(() => times(count, (n) => shop.aBrand(`Loom ${n}`)))
}

/** The path of a list, after its rows were created. */
type Listed = [name: string, largest: number, path: (shop: Shop) => Promise<string> | string]

const below = (part: string) => async (shop: Shop) => `${PRODUCTS}/${(await shop.aProduct()).id}/${part}`
const aList = async ({ made }: Shop) => `${PRICE_LISTS}/${(await made('POST', PRICE_LISTS, { name: 'Wholesale' })).id}`

const LISTS: Listed[] = [
  ['products', 250, () => PRODUCTS],
  ['categories', 250, () => CATEGORIES],
  ['brands', 250, () => BRANDS],
  ['variants', 250, () => VARIANTS],
  ['variants of a product', 250, below('variants')],
  ['options', 250, below('options')],
  ['modifiers', 250, below('modifiers')],
  ['videos', 250, below('videos')],
  ['custom fields', 250, below('custom-fields')],
  ['complex rules', 250, below('complex-rules')],
  ['metafields of a product', 250, below('metafields')],
  ['metafields of products', 250, () => `${PRODUCTS}/metafields`],
  ['channel assignments', 250, () => `${PRODUCTS}/channel-assignments`],
  ['category assignments', 250, () => `${PRODUCTS}/category-assignments`],
  ['price lists', 250, () => PRICE_LISTS],
  ['price records', 250, async (shop) => `${await aList(shop)}/records`],
  ['assignments of price lists', 250, () => `${PRICE_LISTS}/assignments`],
  ['channels', 250, () => '/v3/channels'],
  ['sites', 250, () => '/v3/sites'],
  ['stock', 1_000, () => '/v3/inventory/items'],
  ['stock of a location', 1_000, () => `${LOCATIONS}/1/items`],
  ['locations', 1_000, () => LOCATIONS],
]

describe('pages by number', () => {
  it.each(LISTS)('shows 50 rows of %s by default, and at most %i', async (_name, largest, pathOf) => {
    const shop = await aShop()
    const path = await pathOf(shop)
    const perPage = async (query: string) => (await shop.get(`${path}${query}`)).body.meta.pagination.per_page
    expect(await perPage('')).toBe(50)
    expect(await perPage(`?limit=${largest}`)).toBe(largest)
    expect(await perPage(`?limit=${largest + 1}`)).toBe(largest)
  })

  it('reports total, count, page size, page and pages, with links as query strings', async () => {
    const shop = await aShop()
    manyBrands(shop, 7)
    const pagination = async (page: number) => (await shop.get(`${BRANDS}?page=${page}&limit=3`)).body.meta.pagination
    const common = { total: 7, per_page: 3, total_pages: 3 }
    const [first, second, last] = ['?page=1&limit=3', '?page=2&limit=3', '?page=3&limit=3']
    expect(await pagination(1)).toEqual({
      ...common,
      count: 3,
      current_page: 1,
      links: { current: first, next: second },
    })
    expect(await pagination(2)).toEqual({
      ...common,
      count: 3,
      current_page: 2,
      links: { previous: first, current: second, next: last },
    })
    expect(await pagination(3)).toEqual({
      ...common,
      count: 1,
      current_page: 3,
      links: { previous: second, current: last },
    })
  })

  it('shows an empty page after the last one', async () => {
    const shop = await aShop()
    manyBrands(shop, 3)
    const { status, body } = await shop.get(`${BRANDS}?page=2&limit=3`)
    expect([status, body.data, body.meta.pagination.total]).toEqual([200, [], 3])
  })

  it('clamps a limit that is too large, or refuses it with 413 if the switch says so; 422 if it is not a number', async () => {
    const cutting = await aShop()
    expect((await cutting.get(`${BRANDS}?limit=251`)).status).toBe(200)
    expect((await cutting.get(`${BRANDS}?limit=a`)).status).toBe(422)
    const refusing = await aShop({ switches: { over_limit: 'refuse' } })
    expect((await refusing.get(`${BRANDS}?limit=251`)).status).toBe(413)
    expect((await refusing.get(`${BRANDS}?limit=250`)).status).toBe(200)
  })

  it('skips a row of a list that loses one between two pages', async () => {
    const shop = await aShop()
    const brands = manyBrands(shop, 6)
    const first = ids(await shop.rows(`${BRANDS}?page=1&limit=3`))
    await shop.call('DELETE', `${BRANDS}/${brands[0]}`)
    const second = ids(await shop.rows(`${BRANDS}?page=2&limit=3`))
    expect([...first, ...second]).not.toContain(brands[3])
  })

  it.each(['id:greater', 'id:min'])('skips no product if a list that loses one is read by %s', async (filter) => {
    const { store, rows, call } = await aShop()
    const products = times(6, (n) => store.table('products').insert({ name: `Shirt ${n}`, sku: '' }).id)
    const sorted = `${PRODUCTS}?sort=id&direction=asc&limit=3`
    const first = ids(await rows(sorted))
    await call('DELETE', `${PRODUCTS}/${products[0]}`)
    const bound = Number(first.at(-1)) + (filter === 'id:min' ? 1 : 0)
    expect([...first, ...ids(await rows(`${sorted}&${filter}=${bound}`))]).toEqual(products)
  })
})

/** A list with cursors and five rows. */
type CursorList = [name: string, fill: (shop: Shop) => Promise<string>]

async function metafieldsAt(shop: Shop, path: string): Promise<string> {
  for (const n of times(5, Number)) await shop.made('POST', path, metafield(`key-${n}`))
  return path
}

const CURSOR_LISTS: CursorList[] = [
  ['metafields of a brand', (shop) => metafieldsAt(shop, `${BRANDS}/${shop.aBrand('Loom')}/metafields`)],
  [
    'metafields of a variant',
    async (shop) => {
      const { id, base_variant_id } = await shop.aProduct()
      return metafieldsAt(shop, `${PRODUCTS}/${id}/variants/${base_variant_id}/metafields`)
    },
  ],
  ...[
    'catalog/products',
    'catalog/brands',
    'catalog/categories',
    'catalog/variants',
    'channels',
    'inventory/locations',
  ].map(
    (kind): CursorList => [
      `metafields of all ${kind}`,
      async (shop) => {
        const product = await shop.aProduct()
        const owners = {
          'catalog/products': product.id,
          'catalog/brands': shop.aBrand('Loom'),
          'catalog/categories': shop.aCategory('Shirts'),
          'catalog/variants': product.base_variant_id,
          channels: 1,
          'inventory/locations': 1,
        }
        const path = `/v3/${kind}/metafields`
        const resource_id = owners[kind as keyof typeof owners]
        await shop.made(
          'POST',
          path,
          times(5, (n) => metafield(`key-${n}`, { resource_id })),
        )
        return path
      },
    ],
  ),
  [
    'metafields of the store',
    async ({ made }) => {
      await made(
        'POST',
        '/v3/store/metafields',
        times(5, (n) => metafield(`key-${n}`)),
      )
      return '/v3/store/metafields'
    },
  ],
  [
    'price lists',
    async (shop) => {
      for (const n of times(5, Number)) await shop.made('POST', PRICE_LISTS, { name: `List ${n}` })
      return PRICE_LISTS
    },
  ],
  [
    'price records',
    async (shop) => {
      const records = `${await aList(shop)}/records`
      const currencies = ['usd', 'eur', 'gbp', 'aud', 'cad']
      const variant_id = (await shop.aProduct()).base_variant_id
      await shop.made(
        'PUT',
        records,
        currencies.map((currency) => ({ variant_id, currency, price: 5 })),
      )
      return records
    },
  ],
  [
    'assignments of price lists',
    async (shop) => {
      const price_list_id = Number((await aList(shop)).split('/').at(-1))
      times(5, (id) => insertGroup(shop.store, { id, name: `Group ${id}` }))
      await shop.made(
        'POST',
        `${PRICE_LISTS}/assignments`,
        times(5, (customer_group_id) => ({ price_list_id, customer_group_id })),
      )
      return `${PRICE_LISTS}/assignments`
    },
  ],
]

describe('pages by cursor', () => {
  it.each(CURSOR_LISTS)('reads %s forwards and backwards by the cursors in the pages', async (_name, fill) => {
    const shop = await aShop()
    const path = await fill(shop)
    const page = async (cursor: string) => {
      const { data, meta } = (await shop.get(`${path}?limit=2${cursor}`)).body
      const { count, per_page, start_cursor, end_cursor, links } = meta.cursor_pagination
      expect([count, per_page, links.current]).toEqual([data.length, 2, '?limit=2'])
      return {
        data,
        links,
        after: `&after=${encodeURIComponent(end_cursor)}`,
        before: `&before=${encodeURIComponent(start_cursor)}`,
      }
    }
    const first = await page('')
    const second = await page(first.after)
    const third = await page(second.after)
    expect([...first.data, ...second.data, ...third.data]).toEqual((await shop.get(path)).body.data)
    expect([first.links.next, second.links.next, third.links.next]).toEqual([
      expect.stringContaining('after='),
      expect.stringContaining('after='),
      undefined,
    ])
    expect((await page(third.before)).data).toEqual(second.data)
  })

  it('cannot be combined with a page number: the cursor wins', async () => {
    const shop = await aShop()
    for (const n of times(5, Number)) await shop.made('POST', PRICE_LISTS, { name: `List ${n}` })
    const { end_cursor } = (await shop.get(`${PRICE_LISTS}?limit=1`)).body.meta.cursor_pagination
    const { data, meta } = (await shop.get(`${PRICE_LISTS}?limit=1&page=4&after=${end_cursor}`)).body
    expect(data).toMatchObject([{ name: 'List 2' }])
    expect(meta.pagination).toBeUndefined()
  })

  it('shows both ways of paging for price lists if only a limit is given', async () => {
    const { get, made } = await aShop()
    await made('POST', PRICE_LISTS, { name: 'Wholesale' })
    expect((await get(`${PRICE_LISTS}?limit=5`)).body.meta).toMatchObject({
      pagination: { total: 1, per_page: 5 },
      cursor_pagination: { count: 1, per_page: 5 },
    })
  })
})

describe('pages of version 2', () => {
  it('show 50 rows by default, and at most 250', async () => {
    const { get, store } = await aShop()
    times(260, (n) => store.table('currencies').insert({ currency_code: `X${n}`, currency_code_key: `X${n}` }))
    const rows = async (query: string) => (await get(`/v2/currencies${query}`)).body.length
    expect([await rows(''), await rows('?limit=250'), await rows('?limit=251')]).toEqual([50, 250, 250])
  })
})
