/**
 * What a call answers that has failed, and what one answers of which a part has failed: shapes A to H and M of our list.
 * Left out: the shapes of customers, pages, promotions and segments (I to L), which come with their entities.
 */
import { describe, expect, it } from 'vitest'
import { insertGroup } from '../../../sandbox/customers/group-tables.ts'
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
  STATUS_PAGE,
  TREES,
  times,
  VARIANTS,
  variant,
} from './fact-shop.ts'

const NOBODY = 99_999_999

/** The envelope of every v3 error, with what it says about fields. */
const envelope = (status: number, errors: unknown = expect.any(Object)) => ({
  status,
  title: expect.any(String),
  type: STATUS_PAGE,
  errors,
})

describe('errors of one thing', () => {
  it('are an envelope of status, title, type and errors by field in version 3', async () => {
    const { call } = await aShop()
    const { status, body } = await call('POST', PRODUCTS, { name: 'Shirt' })
    expect([status, body]).toEqual([422, envelope(422, expect.objectContaining({ price: expect.any(String) }))])
  })

  it('are a list of status and message in version 2', async () => {
    const { call } = await aShop()
    const { status, body } = await call('POST', '/v2/currencies', {})
    expect([status, body]).toEqual([400, [{ status: 400, message: expect.any(String) }]])
  })

  it('have the title "Input is invalid" and a detail where the body of metafields cannot be read, with 400', async () => {
    const { call } = await aShop()
    const json = { 'Content-Type': 'application/json' }
    const { status, body } = await call('POST', `${BRANDS}/metafields`, '[{"key":', json)
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({
        status: 400,
        title: 'Input is invalid',
        type: STATUS_PAGE,
        detail: expect.any(String),
      }),
    ])
  })

  it.each([
    [404, 'GET', '/v3/catalog/nothing'],
    [405, 'PUT', BRANDS],
  ])('have status, title and type where the address or the method is wrong (%i)', async (status, method, path) => {
    const { call } = await aShop()
    const answer = await call(method, path)
    expect([answer.status, answer.body]).toEqual([
      status,
      expect.objectContaining({ status, title: expect.any(String), type: STATUS_PAGE }),
    ])
  })

  it.each([
    ['name', { sku: 'OTHER' }],
    ['sku', { name: 'Other', sku: 'TAKEN' }],
  ])('name the %s that a product shares with another, with 409', async (field, fields) => {
    const { aProduct, call } = await aShop()
    await aProduct({ sku: 'TAKEN' })
    const { status, body } = await call('POST', PRODUCTS, product(fields))
    expect([status, body.title, Object.keys(body.errors)]).toEqual([
      409,
      `The product ${field} is a duplicate`,
      [field],
    ])
  })
})

describe('shape A: new categories', () => {
  const good = (shop: Shop) => ({ name: 'Shirts', tree_id: shop.treeId() })
  const bad = (shop: Shop) => ({ name: '', tree_id: shop.treeId() })

  it('are 201 with data and counts when all are saved', async () => {
    const shop = await aShop()
    const { status, body } = await shop.call('POST', CATEGORIES, [good(shop)])
    expect([status, body]).toEqual([
      201,
      { data: [expect.objectContaining({ name: 'Shirts' })], meta: { total: 1, success: 1, failed: 0 } },
    ])
  })

  it('are 207 with the saved ones and errors by row and field when some are', async () => {
    const shop = await aShop()
    const { status, body } = await shop.call('POST', CATEGORIES, [good(shop), bad(shop)])
    expect([status, body]).toEqual([
      207,
      {
        data: [expect.objectContaining({ name: 'Shirts' })],
        errors: { ...envelope(207), errors: { '1.name': expect.any(String) } },
        meta: { total: 2, success: 1, failed: 1 },
      },
    ])
  })

  it('are 422 without data when none is', async () => {
    const shop = await aShop()
    const { status, body } = await shop.call('POST', CATEGORIES, [bad(shop)])
    expect([status, body]).toEqual([
      422,
      { errors: envelope(422, { '0.name': expect.any(String) }), meta: { total: 1, success: 0, failed: 1 } },
    ])
  })
})

describe('shape B: changed categories', () => {
  it('are 200 with counts alone when all are saved', async () => {
    const { aCategory, call } = await aShop()
    const { status, body } = await call('PUT', CATEGORIES, [{ category_id: aCategory('Shirts'), description: 'All' }])
    expect([status, body]).toEqual([200, { meta: { total: 1, success: 1, failed: 0 } }])
  })

  it('are 207 with errors and counts, and without data, when some are', async () => {
    const { aCategory, call } = await aShop()
    const rows = [
      { category_id: aCategory('Shirts'), description: 'All' },
      { category_id: NOBODY, description: 'None' },
    ]
    const { status, body } = await call('PUT', CATEGORIES, rows)
    expect([status, body]).toEqual([
      207,
      {
        errors: { ...envelope(207), errors: { '1.category_id': expect.any(String) } },
        meta: { total: 2, success: 1, failed: 1 },
      },
    ])
  })
})

/** Where the metafields of one kind live, and something they hang on. */
type MetafieldKind = [kind: string, owner: (shop: Shop) => Promise<number> | number]

const METAFIELD_KINDS: MetafieldKind[] = [
  ['/v3/catalog/products', async (shop) => (await shop.aProduct()).id],
  ['/v3/catalog/variants', async (shop) => (await shop.aProduct()).base_variant_id],
  ['/v3/catalog/categories', (shop) => shop.aCategory('Shirts')],
  ['/v3/catalog/brands', (shop) => shop.aBrand('Loom')],
  ['/v3/channels', () => 1],
  ['/v3/inventory/locations', () => 1],
]

describe('shape C: metafields of many', () => {
  it.each(METAFIELD_KINDS)('of %s are 200 with no errors when all are saved', async (kind, ownerOf) => {
    const shop = await aShop()
    const rows = [metafield('first', { resource_id: await ownerOf(shop) })]
    const { status, body } = await shop.call('POST', `${kind}/metafields`, rows)
    expect([status, body]).toEqual([
      200,
      { data: [expect.objectContaining({ key: 'first' })], errors: [], meta: { total: 1, success: 1, failed: 0 } },
    ])
  })

  it.each(
    METAFIELD_KINDS,
  )('of %s are 422 with the saved ones and a list of errors when some are', async (kind, ownerOf) => {
    const shop = await aShop()
    const resource_id = await ownerOf(shop)
    const path = `${kind}/metafields`
    const partly = (key: string, errors: unknown[]) => ({
      data: [expect.objectContaining({ key })],
      errors,
      meta: { total: 2, success: 1, failed: 1 },
    })
    const created = await shop.call('POST', path, [
      metafield('first', { resource_id }),
      metafield('second', { resource_id, value: '' }),
    ])
    expect([created.status, created.body]).toEqual([422, partly('first', [envelope(422)])])
    const { id } = created.body.data[0]
    const changed = await shop.call('PUT', path, [
      { id, value: 'B-1' },
      { id: NOBODY, value: 'B-2' },
    ])
    expect([changed.status, changed.body]).toEqual([422, partly('first', [envelope(404)])])
    expect((await shop.rows(path)).map((row: { value: string }) => row.value)).toEqual(['B-1'])
  })

  it('name the deleted ones by their ids', async () => {
    const { aProduct, call, made } = await aShop()
    const path = `${VARIANTS}/metafields`
    const [{ id }] = await made('POST', path, [metafield('first', { resource_id: (await aProduct()).base_variant_id })])
    const { status, body } = await call('DELETE', path, [id, NOBODY])
    expect([status, body]).toEqual([
      422,
      { data: [id], errors: [envelope(404)], meta: { total: 2, success: 1, failed: 1 } },
    ])
  })
})

describe('shape D: saved but for one attribute', () => {
  it('is 207 with the brand when its address is taken', async () => {
    const { call, rows } = await aShop()
    const named = (name: string) => ({ name, custom_url: { url: '/loom/', is_customized: true } })
    await call('POST', BRANDS, named('Loom'))
    const { status, body } = await call('POST', BRANDS, named('Mill'))
    expect([status, body]).toEqual([
      207,
      { data: expect.objectContaining({ name: 'Mill' }), errors: envelope(207), meta: {} },
    ])
    expect(await rows(`${BRANDS}?name=Mill`)).toHaveLength(1)
  })

  const unsaved = (field: string) => envelope(207, { [field]: expect.any(String) })

  it('is 207 with the product when its stock cannot be saved, on a create and on an update', async () => {
    const { call } = await aShop()
    const counted = product({ inventory_tracking: 'product', inventory_level: -1 })
    const created = await call('POST', PRODUCTS, counted)
    expect([created.status, created.body]).toEqual([
      207,
      { data: expect.objectContaining({ inventory_level: 0 }), errors: unsaved('inventory_level'), meta: {} },
    ])
    const changed = await call('PUT', `${PRODUCTS}/${created.body.data.id}`, { price: 5, inventory_level: -1 })
    expect([changed.status, changed.body]).toEqual([
      207,
      { data: expect.objectContaining({ price: 5 }), errors: unsaved('inventory_level'), meta: {} },
    ])
  })

  it('is 207 with the product when its address is taken by an update, and 409 by a create', async () => {
    const { aProduct, call } = await aShop()
    const custom_url = { url: '/shirt/', is_customized: true }
    await aProduct({ custom_url })
    const { id } = await aProduct({ name: 'Wool Shirt' })
    const changed = await call('PUT', `${PRODUCTS}/${id}`, { price: 5, custom_url })
    expect([changed.status, changed.body]).toEqual([
      207,
      { data: expect.objectContaining({ price: 5 }), errors: unsaved('custom_url'), meta: {} },
    ])
    expect((await call('POST', PRODUCTS, product({ name: 'Coat', custom_url }))).status).toBe(409)
  })

  it('is 207 with all products of a batch of which one is not saved whole', async () => {
    const { aProduct, call } = await aShop()
    const ids = [(await aProduct()).id, (await aProduct({ name: 'Wool Shirt' })).id]
    const rows = ids.map((id, at) => ({ id, price: 5, inventory_level: -at }))
    const { status, body } = await call('PUT', PRODUCTS, rows)
    expect([status, body]).toEqual([
      207,
      {
        data: ids.map((id) => expect.objectContaining({ id, price: 5 })),
        errors: unsaved('1.inventory_level'),
        meta: {},
      },
    ])
  })

  it('is 207 with the variant when its stock cannot be saved', async () => {
    const shop = await aShop()
    const { id } = await shop.aProduct({ variants: [variant('S-1', { Size: 'S' })] })
    const [{ id: variantId }] = await shop.rows(`${PRODUCTS}/${id}/variants`)
    const path = `${PRODUCTS}/${id}/variants/${variantId}`
    const { status, body } = await shop.call('PUT', path, { price: 5, inventory_level: -1 })
    expect([status, body.data]).toEqual([207, expect.objectContaining({ price: 5 })])
  })

  it('is 207 with the product when one of its pictures is not there and the store takes it so', async () => {
    const { call, picture, rows } = await aShop({ switches: { image_failure: 'partial' } })
    const images = ['shirt.png', 'missing.png'].map((file) => ({ image_url: picture(file) }))
    const { status, body } = await call('POST', PRODUCTS, product({ images }))
    expect([status, body]).toEqual([
      207,
      { data: expect.objectContaining({ name: 'Linen Shirt' }), errors: envelope(207), meta: {} },
    ])
    expect(await rows(`${PRODUCTS}/${body.data.id}/images`)).toHaveLength(1)
  })
})

async function twoVariants(shop: Shop): Promise<number[]> {
  const { id } = await shop.aProduct({ variants: [variant('S-1', { Size: 'S' }), variant('S-2', { Size: 'M' })] })
  return (await shop.rows(`${PRODUCTS}/${id}/variants`)).map((row: { id: number }) => row.id)
}

describe('shape E: variants of which one is refused', () => {
  it.each([
    ['refuse the others too', {}, null],
    ['leave the others saved where the store works so', { variant_batch: 'partial' }, 5],
  ])('are 422 with a list of errors, and %s', async (_what, switches, price) => {
    const shop = await aShop({ switches })
    const [first, second] = await twoVariants(shop)
    const { status, body } = await shop.call('PUT', VARIANTS, [
      { id: first, price: 5 },
      { id: second, sku: 'S-1' },
    ])
    expect([status, body]).toEqual([422, { batch_errors: [expect.objectContaining(envelope(expect.any(Number)))] }])
    expect((await shop.rows(`${VARIANTS}?id=${first}`))[0].price).toBe(price)
  })
})

describe('shape F: price records of which one is refused', () => {
  const good = { sku: 'S-1', currency: 'usd', price: 5 }
  const bad = { sku: 'NOBODY', currency: 'usd', price: 5 }
  const refused = (price_list_id: number) => ({
    data: expect.objectContaining({ price_list_id, sku: 'NOBODY', currency: 'usd' }),
    field_errors: { sku: expect.any(String) },
  })
  async function aList(shop: Shop) {
    await twoVariants(shop)
    return (await shop.made('POST', PRICE_LISTS, { name: 'Wholesale' })).id
  }

  it.each([
    'PUT',
    'POST',
  ])('are 422 with the bad rows when %s to one list, and the good ones are saved', async (method) => {
    const shop = await aShop()
    const id = await aList(shop)
    const { status, body } = await shop.call(method, `${PRICE_LISTS}/${id}/records`, [good, bad])
    expect([status, body]).toEqual([422, { batch_errors: [refused(id)] }])
    expect(await shop.rows(`${PRICE_LISTS}/${id}/records`)).toHaveLength(1)
  })

  it.each(['PUT', 'POST'])('are 422 with one bad row and no list of them when %s to several lists', async (method) => {
    const shop = await aShop()
    const price_list_id = await aList(shop)
    const rows = [good, bad].map((row) => ({ ...row, price_list_id }))
    const { status, body } = await shop.call(method, `${PRICE_LISTS}/records`, rows)
    expect([status, body]).toEqual([422, refused(price_list_id)])
  })
})

describe('shape G: assignments of price lists', () => {
  it('are 422 with errors and the number of those that are saved', async () => {
    const { call, made, rows, store } = await aShop()
    for (const at of [1, 2]) insertGroup(store, { id: at, name: `Group ${at}` })
    const { id } = await made('POST', PRICE_LISTS, { name: 'Wholesale' })
    const assignments = [
      { price_list_id: id, customer_group_id: 1 },
      { price_list_id: NOBODY, customer_group_id: 2 },
    ]
    const { status, body } = await call('POST', `${PRICE_LISTS}/assignments`, assignments)
    expect([status, body]).toEqual([422, { ...envelope(422), meta: { saved_records: expect.any(Number) } }])
    expect(await rows(`${PRICE_LISTS}/assignments`)).toHaveLength(body.meta.saved_records)
  })
})

/** A batch with one bad row, whose 422 is the envelope with an error about that row. */
type Refused = [what: string, send: (shop: Shop) => Promise<{ status: number; body: unknown }>]

const REFUSED: Refused[] = [
  [
    'channel assignments',
    async ({ aProduct, call }) => {
      const product_id = (await aProduct()).id
      const rows = [1, NOBODY].map((channel_id) => ({ product_id, channel_id }))
      return call('PUT', `${PRODUCTS}/channel-assignments`, rows)
    },
  ],
  [
    'category assignments',
    async ({ aProduct, aCategory, call }) => {
      const product_id = (await aProduct()).id
      const rows = [aCategory('Shirts'), NOBODY].map((category_id) => ({ product_id, category_id }))
      return call('PUT', `${PRODUCTS}/category-assignments`, rows)
    },
  ],
  ['locations', ({ call }) => call('POST', LOCATIONS, [aLocation('D1'), aLocation('D1')])],
  [
    'adjustments of stock',
    async ({ aProduct, call }) => {
      await aProduct({ sku: 'STOCKED', inventory_tracking: 'product' })
      const items = ['STOCKED', 'NOBODY'].map((sku) => ({ location_id: 1, sku, quantity: 5 }))
      return call('PUT', '/v3/inventory/adjustments/absolute', { items })
    },
  ],
]

describe('shape H: one bad row in a batch without counts', () => {
  it.each(REFUSED)('is 422 with the envelope for %s', async (_what, send) => {
    const { status, body } = await send(await aShop())
    expect([status, body]).toEqual([422, expect.objectContaining(envelope(422))])
  })
})

describe('shape M: too long a batch', () => {
  it.each([
    ['products', 10, PRODUCTS, 'items'],
    ['variants', 50, VARIANTS, 'items'],
    ['trees', 50, TREES, 'trees'],
    ['customs information', 50, '/v3/shipping/products/customs-information', 'items'],
  ])('is 413 for %s and says that %i are the most', async (_what, most, path, word) => {
    const { call } = await aShop()
    const rows = times(most + 1, (id) => ({ id }))
    const { status, body } = await call('PUT', path, rows)
    const title = `The request payload is too large. The maximum ${word} allowed in the array is ${most}.`
    expect([status, body]).toEqual([413, { ...envelope(413, {}), title }])
  })
})
