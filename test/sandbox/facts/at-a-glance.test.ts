/**
 * Facts of the platform that shape a copy and concern more than one resource, such as batch sizes. Facts of one
 * resource are in its own file, one folder up; partial failures, quotas and caps have files of their own. Left out:
 * what no API can copy, because there is nothing to call.
 */
import { describe, expect, it } from 'vitest'
import { insertGroup } from '../../../sandbox/tables/group-tables.ts'
import {
  aLocation,
  aShop,
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
} from '../a-shop.ts'

const ASSIGNMENTS = `${PRICE_LISTS}/assignments`
const ABSOLUTE = '/v3/inventory/adjustments/absolute'
const PICKUP = '/v3/pickup/methods'
const RELATIVE = '/v3/inventory/adjustments/relative'

describe('creating products', () => {
  it('creates one product per call and refuses a list', async () => {
    const { call, store } = await aShop()
    const answer = await call('POST', PRODUCTS, [product(), product({ name: 'Wool Shirt' })])
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(store.table('products').count()).toBe(0)
  })

  it('ignores options and modifiers of a new product: its options come from its variants', async () => {
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
})

/** A batch of the given length, and the number of its rows in the store afterwards. */
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
  it.each(BATCHES)('accepts at most $most $name per call', async ({ most, send }) => {
    expect((await send(await aShop(), most)).status).toBe(200)
    expect((await send(await aShop(), most + 1)).status).toBe(413)
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
  ])(`documents no maximum for %s: ${ROWS} rows are accepted in one call`, async (_name, send) => {
    const { status } = await send(await aShop({ switches: { category_batch_max: ROWS } }))
    expect([200, 201, 204]).toContain(status)
  })
})

describe('data of other clients and read-only data', () => {
  it('makes the calling account the owner of a copied metafield', async () => {
    const { aBrand, made, aProduct } = await aShop()
    const brand = `/v3/catalog/brands/${aBrand('Loom')}/metafields`
    const own = await made('POST', brand, metafield('location'))
    const copy = await made('POST', brand, { ...metafield('copied'), owner_client_id: 'another-app' })
    const { id } = await aProduct()
    const other = await made('POST', `${PRODUCTS}/${id}/metafields`, metafield('location'))
    expect(own.owner_client_id).not.toBe('another-app')
    expect([copy.owner_client_id, other.owner_client_id]).toEqual([own.owner_client_id, own.owner_client_id])
  })

  it('can mute the mails of a store, for all channels and for one, and unmute them', async () => {
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
