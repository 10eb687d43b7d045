/**
 * The facts of the platform that shape a copy, as far as they are about the catalogue, stock, prices or every endpoint.
 * Left out: those about orders, customers, promotions, pages, scripts and themes, which come with their entities; and what
 * no interface moves at all, because there is nothing to ask. Partial failures, quotas and caps have files of their own.
 */
import { describe, expect, it } from 'vitest'
import { insertGroup } from '../../../sandbox/customers/group-tables.ts'
import {
  aLocation,
  aShop,
  ask,
  BRANDS,
  CATEGORIES,
  LOCATIONS,
  metafield,
  PRICE_LISTS,
  PRODUCTS,
  product,
  type Shop,
  TREES,
  times,
  VARIANTS,
  variant,
} from './fact-shop.ts'

const ASSIGNMENTS = `${PRICE_LISTS}/assignments`
const ABSOLUTE = '/v3/inventory/adjustments/absolute'
const PICKUP = '/v3/pickup/methods'
const RELATIVE = '/v3/inventory/adjustments/relative'

describe('creating products', () => {
  it('creates one product per call: a list of products is refused', async () => {
    const { call, store } = await aShop()
    const answer = await call('POST', PRODUCTS, [product(), product({ name: 'Wool Shirt' })])
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(store.table('products').count()).toBe(0)
  })

  it('takes variants, images by address, videos, custom fields and bulk prices along with a new product', async () => {
    const { aProduct, picture, rows } = await aShop()
    const { id } = await aProduct({
      variants: [variant('S-1', { Size: 'S' }), variant('S-2', { Size: 'M' })],
      images: [{ image_url: picture('shirt.png') }],
      videos: [{ video_id: 'z3fRu9pkuXE' }],
      custom_fields: [{ name: 'Fabric', value: 'Linen' }],
      bulk_pricing_rules: [{ quantity_min: 10, quantity_max: 20, type: 'percent', amount: 5 }],
    })
    for (const [part, count] of Object.entries({
      variants: 2,
      images: 1,
      videos: 1,
      'custom-fields': 1,
      'bulk-pricing-rules': 1,
    }))
      expect(await rows(`${PRODUCTS}/${id}/${part}`), part).toHaveLength(count)
  })

  it('does not read options or modifiers of a new product: its options come from its variants', async () => {
    const { aProduct, rows } = await aShop()
    const given = { display_name: 'Engraving', type: 'dropdown', option_values: [{ label: 'Yes', sort_order: 0 }] }
    const { id } = await aProduct({
      options: [given],
      modifiers: [{ ...given, required: false }],
      variants: [variant('S-1', { Size: 'S' }), variant('S-2', { Size: 'M' })],
    })
    const options = await rows(`${PRODUCTS}/${id}/options`)
    expect(options).toMatchObject([{ display_name: 'Size', option_values: [{ label: 'S' }, { label: 'M' }] }])
    expect(await rows(`${PRODUCTS}/${id}/modifiers`)).toEqual([])
  })

  it('creates a variant in the batch update when a row has no id but a product, a SKU and its choices', async () => {
    const { aProduct, made, rows } = await aShop()
    const { id } = await aProduct()
    const sizes = ['S', 'M'].map((label, sort_order) => ({ label, sort_order }))
    const option = await made('POST', `${PRODUCTS}/${id}/options`, {
      display_name: 'Size',
      type: 'dropdown',
      option_values: sizes,
    })
    const choices = (at: number) => [{ id: option.option_values[at].id, option_id: option.id }]
    await made('PUT', VARIANTS, [
      { product_id: id, sku: 'S-1', option_values: choices(0) },
      { product_id: id, sku: 'S-2', option_values: choices(1) },
    ])
    const labels = (await rows(`${PRODUCTS}/${id}/variants`)).map((row: { sku: string; option_values: unknown }) => [
      row.sku,
      row.option_values,
    ])
    expect(labels).toMatchObject([
      ['S-1', [{ label: 'S' }]],
      ['S-2', [{ label: 'M' }]],
    ])
  })
})

/** A batch as long as asked for, and how many rows it has put into the store afterwards. */
interface Batch {
  name: string
  most: number
  send(shop: Shop, rows: number): Promise<{ status: number }>
}

const item = (fields: object) => ({ location_id: 1, sku: 'STOCKED', ...fields })
const stocked = (shop: Shop) => shop.aProduct({ sku: 'STOCKED', inventory_tracking: 'product' })

const BATCHES: Batch[] = [
  {
    name: 'product updates',
    most: 10,
    send: async ({ call, store }, rows) => {
      const ids = times(rows, (n) => store.table('products').insert({ name: `Shirt ${n}`, sku: '' }).id)
      return call(
        'PUT',
        PRODUCTS,
        ids.map((id) => ({ id, price: 5 })),
      )
    },
  },
  {
    name: 'variant updates',
    most: 50,
    send: async ({ call, aProduct, rows: list }, rows) => {
      const variants = times(rows, (n) => variant(`S-${n}`, { Size: `${n}` }))
      const { id } = await aProduct({ variants })
      const made: { id: number }[] = await list(`${PRODUCTS}/${id}/variants?limit=250`)
      return call(
        'PUT',
        VARIANTS,
        made.map((row) => ({ id: row.id, price: 5 })),
      )
    },
  },
  {
    name: 'absolute adjustments of stock',
    most: 2_000,
    send: async (shop, rows) => {
      await stocked(shop)
      return shop.call('PUT', ABSOLUTE, { reason: 'count', items: times(rows, (n) => item({ quantity: n })) })
    },
  },
  {
    name: 'relative adjustments of stock',
    most: 2_000,
    send: async (shop, rows) => {
      await stocked(shop)
      await shop.made('PUT', ABSOLUTE, { reason: 'count', items: [item({ quantity: 0 })] })
      return shop.call('POST', RELATIVE, { reason: 'delivery', items: times(rows, () => item({ quantity: 1 })) })
    },
  },
  {
    name: 'settings of stock',
    most: 2_000,
    send: async (shop, rows) => {
      await stocked(shop)
      const settings = times(rows, (n) => ({ identity: { sku: 'STOCKED' }, safety_stock: n }))
      return shop.call('PUT', `${LOCATIONS}/1/items`, { settings })
    },
  },
  {
    name: 'new price records',
    most: 100,
    send: async ({ call, made, store }, rows) => {
      const list = await made('POST', PRICE_LISTS, { name: 'Wholesale' })
      const ids = times(rows, (n) => store.table('variants').insert({ product_id: 1, sku: `S-${n}` }).id)
      return call(
        'POST',
        `${PRICE_LISTS}/${list.id}/records`,
        ids.map((variant_id) => ({ variant_id, currency: 'usd', price: 5 })),
      )
    },
  },
  {
    name: 'upserted price records',
    most: 1_000,
    send: async ({ call, made, aProduct }, rows) => {
      await aProduct({ sku: 'PRICED' })
      const list = await made('POST', PRICE_LISTS, { name: 'Wholesale' })
      return call(
        'PUT',
        `${PRICE_LISTS}/${list.id}/records`,
        times(rows, (n) => ({ sku: 'PRICED', currency: 'usd', price: n })),
      )
    },
  },
  {
    name: 'assignments of price lists',
    most: 25,
    send: async ({ call, made, store }, rows) => {
      const list = await made('POST', PRICE_LISTS, { name: 'Wholesale' })
      times(rows, (id) => insertGroup(store, { id, name: `Group ${id}` }))
      return call(
        'POST',
        ASSIGNMENTS,
        times(rows, (n) => ({ price_list_id: list.id, customer_group_id: n })),
      )
    },
  },
  {
    name: 'tax classes',
    most: 50,
    send: async ({ call }, rows) =>
      call(
        'POST',
        '/v3/tax/classes',
        times(rows, (n) => ({ name: `Class ${n}` })),
      ),
  },
  {
    name: 'customs information',
    most: 50,
    send: async ({ call, store }, rows) => {
      const ids = times(rows, (n) => store.table('products').insert({ name: `Shirt ${n}`, sku: '' }).id)
      const row = {
        country_of_origin: 'DE',
        commodity_description: 'Shirts',
        international_shipping: true,
        hs_codes: {},
      }
      return call(
        'PUT',
        '/v3/shipping/products/customs-information',
        ids.map((product_id) => ({ ...row, product_id })),
      )
    },
  },
  {
    name: 'new pickup methods',
    most: 100,
    send: async ({ call }, rows) =>
      call(
        'POST',
        PICKUP,
        times(rows, (n) => ({ location_id: 1, display_name: `Counter ${n}` })),
      ),
  },
  {
    name: 'changed pickup methods',
    most: 10,
    send: async ({ call, made }, rows) => {
      const methods: { id: number }[] = await made(
        'POST',
        PICKUP,
        times(rows, (n) => ({ location_id: 1, display_name: `Counter ${n}` })),
      )
      return call(
        'PUT',
        PICKUP,
        methods.map(({ id }) => ({ id, collection_instructions: 'Ring the bell' })),
      )
    },
  },
  {
    name: 'category trees',
    most: 50,
    send: async ({ call, treeId }, rows) =>
      call(
        'PUT',
        TREES,
        times(rows, (n) => ({ id: treeId(), name: `Tree ${n}` })),
      ),
  },
]

describe('sizes of batches', () => {
  it.each(BATCHES)('takes $most $name in one call and no more', async ({ most, send }) => {
    expect((await send(await aShop(), most)).status).toBe(200)
    expect((await send(await aShop(), most + 1)).status).toBe(413)
  })

  it('deletes 250 products at one time and no more', async () => {
    const { call, store } = await aShop()
    const ids = times(251, (n) => store.table('products').insert({ name: `Shirt ${n}`, sku: '' }).id)
    expect((await call('DELETE', `${PRODUCTS}?id:in=${ids.join(',')}`)).status).toBe(422)
    expect(store.table('products').count()).toBe(251)
    expect((await call('DELETE', `${PRODUCTS}?id:in=${ids.slice(1).join(',')}`)).status).toBe(204)
    expect(store.table('products').count()).toBe(1)
  })

  const ROWS = 300
  it.each<[string, (shop: Shop) => Promise<{ status: number }>]>([
    [
      'channel assignments',
      async ({ aProduct, call }) => {
        const { id } = await aProduct()
        return call(
          'PUT',
          `${PRODUCTS}/channel-assignments`,
          times(ROWS, () => ({ product_id: id, channel_id: 1 })),
        )
      },
    ],
    [
      'category assignments',
      async ({ aProduct, aCategory, call }) => {
        const { id } = await aProduct()
        return call(
          'PUT',
          `${PRODUCTS}/category-assignments`,
          times(ROWS, (n) => ({ product_id: id, category_id: aCategory(`Shelf ${n}`) })),
        )
      },
    ],
    [
      'metafields',
      async ({ aBrand, call }) =>
        call(
          'POST',
          '/v3/catalog/brands/metafields',
          times(ROWS, (n) => metafield('location', { resource_id: aBrand(`Loom ${n}`) })),
        ),
    ],
    [
      'locations',
      async ({ call }) =>
        call(
          'POST',
          LOCATIONS,
          times(ROWS, (n) => aLocation(`D${n}`, { enabled: false })),
        ),
    ],
    [
      'categories (where the switch allows it)',
      async ({ call, treeId }) =>
        call(
          'POST',
          CATEGORIES,
          times(ROWS, (n) => ({ name: `Shelf ${n}`, tree_id: treeId(), url: { path: `/shelf-${n}/` } })),
        ),
    ],
  ])(`documents no maximum for %s: ${ROWS} rows are taken in one call`, async (_name, send) => {
    const { status } = await send(await aShop({ switches: { category_batch_max: ROWS } }))
    expect([200, 201, 204]).toContain(status)
  })
})

describe('reading and answering', () => {
  it.each([
    'options',
    'modifiers',
  ])('shows ten products a page when %s are included, whatever the limit', async (child) => {
    const { get, store } = await aShop()
    times(12, (n) => store.table('products').insert({ name: `Shirt ${n}`, sku: '' }))
    const { body } = await get(`${PRODUCTS}?include=${child}&limit=250`)
    expect(body.data).toHaveLength(10)
    expect(body.meta.pagination).toMatchObject({ per_page: 10, total: 12, total_pages: 2 })
    expect((await get(`${PRODUCTS}?include=variants&limit=250`)).body.data).toHaveLength(12)
  })

  it('answers new categories with data and counts, and changed categories with counts alone', async () => {
    const { call, treeId } = await aShop()
    const created = await call('POST', CATEGORIES, [{ name: 'Shirts', tree_id: treeId() }])
    expect(created.body).toMatchObject({ data: [{ name: 'Shirts' }], meta: { total: 1, success: 1, failed: 0 } })
    const { category_id } = created.body.data[0]
    const changed = await call('PUT', CATEGORIES, [{ category_id, description: 'All shirts' }])
    expect(changed.body).toEqual({ meta: { total: 1, success: 1, failed: 0 } })
  })

  it.each<[string, (shop: Shop, records: string) => Promise<unknown>, object]>([
    [
      'price records',
      (shop, records) => shop.made('PUT', records, [{ sku: 'STOCKED', currency: 'usd', price: 5 }]),
      { price: 5 },
    ],
    [
      'absolute adjustments of stock',
      (shop) => shop.made('PUT', ABSOLUTE, { items: [item({ quantity: 8 })] }),
      { quantity: 8 },
    ],
    [
      'relative adjustments of stock',
      (shop) => shop.made('POST', RELATIVE, { items: [item({ quantity: 3 })] }),
      { quantity: 10 },
    ],
    [
      'settings of stock',
      (shop) =>
        shop.made('PUT', `${LOCATIONS}/1/items`, { settings: [{ identity: { sku: 'STOCKED' }, safety_stock: 2 }] }),
      { kept: 2 },
    ],
  ])('names a variant by its SKU in %s, without its id', async (_what, send, effect) => {
    const shop = await aShop()
    await stocked(shop)
    await shop.made('PUT', ABSOLUTE, { items: [item({ quantity: 7 })] })
    const records = `${PRICE_LISTS}/${(await shop.made('POST', PRICE_LISTS, { name: 'Wholesale' })).id}/records`
    await send(shop, records)
    const [stock] = await shop.rows(`${LOCATIONS}/1/items?sku:in=STOCKED`)
    const [record] = await shop.rows(records)
    expect({
      price: record?.price,
      quantity: stock.total_inventory_onhand,
      kept: stock.settings.safety_stock,
    }).toMatchObject(effect)
  })
})

describe('what belongs to one client or cannot be written', () => {
  /** A shop with a brand that has a metafield of each of two accounts; `seen` asks as the second. */
  async function twoAccounts(permission_set: string, scopes: string[]) {
    const shop = await aShop({ accounts: [{ name: 'another', token: 'another-secret', scopes }] })
    const brandId = shop.aBrand('Loom')
    const own = await shop.made('POST', `${BRANDS}/${brandId}/metafields`, metafield('secret', { permission_set }))
    const seen = async (path: string) =>
      (await ask(`${shop.url}${path}`, 'GET', undefined, { 'X-Auth-Token': 'another-secret' })).body.data
    return { brandId, own, seen, url: shop.url }
  }

  it.each([
    ['app_only', ['store_v2_products', 'store_metafield_write'], 0],
    ['app_only', ['store_v2_products', 'store_metafield_write_all'], 1],
    ['read', ['store_v2_products', 'store_metafield_write'], 1],
  ])('shows a metafield that is %s to another client with %j %i times', async (permission_set, scopes, times) => {
    const { seen, brandId } = await twoAccounts(permission_set, scopes)
    expect(await seen(`${BRANDS}/metafields`)).toHaveLength(times)
    expect(await seen(`${BRANDS}/${brandId}/metafields`)).toHaveLength(times)
  })

  it('lets two clients have a metafield of the same namespace and key', async () => {
    const { brandId, own, url } = await twoAccounts('app_only', ['store_v2_products', 'store_metafield_write'])
    const theirs = await ask(`${url}${BRANDS}/${brandId}/metafields`, 'POST', metafield('secret'), {
      'X-Auth-Token': 'another-secret',
    })
    expect(theirs.status).toBe(200)
    expect(theirs.body.data.owner_client_id).not.toBe(own.owner_client_id)
  })

  it('makes the calling account the owner of a metafield, whoever owned the one it is a copy of', async () => {
    const { aBrand, made, aProduct } = await aShop()
    const brand = `/v3/catalog/brands/${aBrand('Loom')}/metafields`
    const own = await made('POST', brand, metafield('location'))
    const copy = await made('POST', brand, { ...metafield('copied'), owner_client_id: 'another-app' })
    const { id } = await aProduct()
    const other = await made('POST', `${PRODUCTS}/${id}/metafields`, metafield('location'))
    expect(own.owner_client_id).not.toBe('another-app')
    expect([copy.owner_client_id, other.owner_client_id]).toEqual([own.owner_client_id, own.owner_client_id])
  })

  it('creates display currencies only: no call makes a currency transactional', async () => {
    const { call, get } = await aShop()
    const euro = {
      name: 'Euro',
      currency_code: 'EUR',
      currency_exchange_rate: '0.9',
      token_location: 'left',
      token: '€',
      decimal_token: ',',
      thousands_token: '.',
      decimal_places: 2,
    }
    expect((await call('POST', '/v2/currencies', { ...euro, is_transactional: true })).status).toBe(400)
    expect((await call('POST', '/v2/currencies', euro)).body).toMatchObject({ is_transactional: false })
    const transactional = (await get('/v2/currencies')).body.filter(
      (row: { is_transactional: boolean }) => row.is_transactional,
    )
    expect(transactional).toMatchObject([{ currency_code: 'USD' }])
  })

  it('silences the mails of a store, for all channels and for one, and brings them back', async () => {
    const { made, rows } = await aShop()
    const path = '/v3/settings/email-statuses'
    const before = await rows(path)
    const silent = Object.fromEntries(Object.keys(before).map((mail) => [mail, false]))
    await made('PUT', path, silent)
    await made('PUT', `${path}?channel_id=1`, silent)
    expect([await rows(path), await rows(`${path}?channel_id=1`)]).toEqual([silent, silent])
    await made('PUT', path, before)
    expect(await rows(path)).toEqual(before)
  })
})
