/**
 * What can be looked up, or sent again, after an answer was lost. Left out: customers, orders, coupons, gift
 * certificates, pages, redirects, widgets and blog posts, which are tested with their resources.
 */
import { describe, expect, it } from 'vitest'
import {
  aLocation,
  aShop,
  BRANDS,
  CATEGORIES,
  LOCATIONS,
  PRICE_LISTS,
  PRODUCTS,
  product,
  type Shop,
  TREES,
  VARIANTS,
} from '../a-shop.ts'

/** A create, and the list that finds its result. */
interface Probe {
  what: string
  path: string
  body(shop: Shop): unknown
  finds(shop: Shop): string
  /** The answer to a second create; the first was applied. */
  again: number
}

const PROBES: Probe[] = [
  {
    what: 'a product by its SKU',
    path: PRODUCTS,
    body: () => product({ sku: 'LS-1' }),
    finds: () => `${PRODUCTS}?sku=LS-1`,
    again: 409,
  },
  {
    what: 'a product without a SKU by its name',
    path: PRODUCTS,
    body: () => product(),
    finds: () => `${PRODUCTS}?name=Linen%20Shirt`,
    again: 409,
  },
  {
    what: 'a category by its tree, its parent and its name',
    path: CATEGORIES,
    body: (shop) => [{ name: 'Shirts', tree_id: shop.treeId() }],
    finds: (shop) => `${CATEGORIES}?tree_id:in=${shop.treeId()}&parent_id:in=0&name=Shirts`,
    again: 422,
  },
  {
    what: 'a brand by its name',
    path: BRANDS,
    body: () => ({ name: 'Loom' }),
    finds: () => `${BRANDS}?name=Loom`,
    again: 409,
  },
  {
    what: 'a price list by its name',
    path: PRICE_LISTS,
    body: () => ({ name: 'Wholesale' }),
    finds: () => `${PRICE_LISTS}?name=Wholesale`,
    again: 409,
  },
  {
    what: 'a location by its code',
    path: LOCATIONS,
    body: () => [aLocation('NORTH')],
    finds: () => `${LOCATIONS}?location_code:in=NORTH`,
    again: 422,
  },
]

describe('a create whose answer is lost', () => {
  it.each(PROBES)('has created a $what that can be looked up, and sending it again is refused', async (probe) => {
    const shop = await aShop()
    expect(await shop.rows(probe.finds(shop))).toEqual([])
    await shop.fault({ kind: 'reset_after_applying', method: 'POST', path: `^${probe.path}$` })
    await expect(shop.call('POST', probe.path, probe.body(shop))).rejects.toThrow()
    const found = await shop.rows(probe.finds(shop))
    expect(found).toHaveLength(1)
    expect((await shop.call('POST', probe.path, probe.body(shop))).status).toBe(probe.again)
    expect(await shop.rows(probe.finds(shop))).toEqual(found)
  })

  it('has created a variant that can be looked up by SKU, and sending it again is refused', async () => {
    const { aProduct, call, fault, made, rows } = await aShop()
    const { id } = await aProduct()
    const option_values = [{ label: 'S', sort_order: 0 }]
    const option = await made('POST', `${PRODUCTS}/${id}/options`, {
      display_name: 'Size',
      type: 'dropdown',
      option_values,
    })
    const choice = { option_id: option.id, id: option.option_values[0].id }
    const send = () => call('PUT', VARIANTS, [{ product_id: id, sku: 'LS-1', option_values: [choice] }])
    await fault({ kind: 'error_after_applying', method: 'PUT' })
    expect((await send()).status).toBe(500)
    expect(await rows(`${VARIANTS}?sku=LS-1`)).toHaveLength(1)
    expect((await send()).status).toBe(422)
    expect(await rows(`${VARIANTS}?sku=LS-1`)).toHaveLength(1)
  })

  it('ignores idempotency keys: the second of two equal creates with the same key is a duplicate', async () => {
    const { call } = await aShop()
    const send = () => call('POST', BRANDS, { name: 'Loom' }, { 'Idempotency-Key': 'one' })
    expect([(await send()).status, (await send()).status]).toEqual([200, 409])
  })
})

/** A write, and the state after it has run once and twice. */
type Write = [what: string, write: (shop: Shop) => Promise<Step>]
interface Step {
  send(): Promise<unknown>
  look(): Promise<unknown>
}

const stockOf = (shop: Shop) => async () => (await shop.rows(`${LOCATIONS}/1/items`))[0].total_inventory_onhand
const item = (quantity: number) => ({ items: [{ location_id: 1, sku: 'LS-1', quantity }] })
async function stocked(shop: Shop): Promise<void> {
  await shop.aProduct({ sku: 'LS-1', inventory_tracking: 'product' })
  await shop.made('PUT', '/v3/inventory/adjustments/absolute', item(3))
}

const REPEATABLE: Write[] = [
  [
    'a change of a category tree',
    async (shop) => ({
      send: () => shop.made('PUT', TREES, [{ id: shop.treeId(), name: 'Everything' }]),
      look: () => shop.rows(TREES),
    }),
  ],
  [
    'an absolute adjustment of stock',
    async (shop) => {
      await stocked(shop)
      return { send: () => shop.made('PUT', '/v3/inventory/adjustments/absolute', item(7)), look: stockOf(shop) }
    },
  ],
  [
    'an upsert of price records',
    async (shop) => {
      await shop.aProduct({ sku: 'LS-1' })
      const records = `${PRICE_LISTS}/${(await shop.made('POST', PRICE_LISTS, { name: 'Wholesale' })).id}/records`
      return {
        send: () => shop.made('PUT', records, [{ sku: 'LS-1', currency: 'usd', price: 5 }]),
        look: async () => (await shop.rows(records)).map(({ price }: { price: number }) => price),
      }
    },
  ],
  [
    'settings',
    async (shop) => {
      const path = '/v3/settings/store/profile'
      return { send: () => shop.made('PUT', path, { store_name: 'Everyday Goods' }), look: () => shop.rows(path) }
    },
  ],
  [
    'channel assignments',
    async (shop) => {
      const product_id = (await shop.aProduct()).id
      const path = `${PRODUCTS}/channel-assignments`
      return { send: () => shop.made('PUT', path, [{ product_id, channel_id: 1 }]), look: () => shop.rows(path) }
    },
  ],
]

const another = (part: string, body: (shop: Shop) => object): Write => [
  part,
  async (shop) => {
    const path = `${PRODUCTS}/${(await shop.aProduct()).id}/${part}`
    return { send: () => shop.made('POST', path, body(shop)), look: async () => (await shop.rows(path)).length }
  },
]

const ADDING: Write[] = [
  another('images', (shop) => ({ image_url: shop.picture('shirt.png') })),
  another('videos', () => ({ video_id: 'z3fRu9pkuXE' })),
  another('reviews', () => ({ title: 'Good', date_reviewed: '2024-01-01T00:00:00Z', rating: 5 })),
  [
    'relative adjustments of stock',
    async (shop) => {
      await stocked(shop)
      return { send: () => shop.made('POST', '/v3/inventory/adjustments/relative', item(2)), look: stockOf(shop) }
    },
  ],
]

describe('a write that is sent twice', () => {
  it.each(REPEATABLE)('has the same effect as sent once: %s', async (_what, write) => {
    const { send, look } = await write(await aShop())
    await send()
    const once = await look()
    await send()
    expect(await look()).toEqual(once)
  })

  it.each(ADDING)('is applied twice: %s', async (_what, write) => {
    const { send, look } = await write(await aShop())
    await send()
    const once = await look()
    await send()
    expect(await look()).not.toEqual(once)
  })
})
