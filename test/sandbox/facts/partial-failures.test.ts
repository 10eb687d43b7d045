/**
 * Answers of calls that failed completely or in part: shapes A to E and M of our list. Left out: F to L, which are
 * tested with price lists, locations, stock, customers, pages, promotions and segments.
 */
import { describe, expect, it } from 'vitest'
import {
  aShop,
  BRANDS,
  CATEGORIES,
  metafield,
  PRODUCTS,
  product,
  type Shop,
  STATUS_PAGE,
  TREES,
  times,
  VARIANTS,
  variant,
} from '../a-shop.ts'

const NO_SUCH_ID = 99_999_999

/** The envelope of every v3 error, with its errors by field. */
const envelope = (status: number, errors: unknown = expect.any(Object)) => ({
  status,
  title: expect.any(String),
  type: STATUS_PAGE,
  errors,
})

describe('errors of a single item', () => {
  it('are an envelope of status, title, type and errors by field in v3', async () => {
    const { call } = await aShop()
    const { status, body } = await call('POST', PRODUCTS, { name: 'Shirt' })
    expect([status, body]).toEqual([422, envelope(422, expect.objectContaining({ price: expect.any(String) }))])
  })

  it('are a list of status and message in v2', async () => {
    const { call } = await aShop()
    const { status, body } = await call('POST', '/v2/currencies', {})
    expect([status, body]).toEqual([400, [{ status: 400, message: expect.any(String) }]])
  })

  it('have the title "Input is invalid" and a detail, with 400, if the body of metafields cannot be read', async () => {
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
  ])('have status, title and type if the address or the method is wrong (%i)', async (status, method, path) => {
    const { call } = await aShop()
    const answer = await call(method, path)
    expect([answer.status, answer.body]).toEqual([
      status,
      expect.objectContaining({ status, title: expect.any(String), type: STATUS_PAGE }),
    ])
  })
})

describe('shape A: new categories', () => {
  it('are 207 with the saved ones and errors by row and field if some are invalid', async () => {
    const { call, treeId } = await aShop()
    const row = (fields: object) => ({ tree_id: treeId(), ...fields })
    const bad = [
      row({ name: '' }),
      row({ name: 'SHIRTS' }),
      row({ name: 'x'.repeat(51) }),
      { name: 'Lost', parent_id: NO_SUCH_ID },
      { name: 'Nowhere' },
    ]
    const { status, body } = await call('POST', CATEGORIES, [row({ name: 'Shirts' }), ...bad])
    const fields = ['1.name', '2.name', '3.name', '4.parent_id', '5.tree_id']
    const errors = Object.fromEntries(fields.map((field) => [field, expect.any(String)]))
    expect([status, body]).toEqual([
      207,
      {
        data: [expect.objectContaining({ name: 'Shirts' })],
        errors: envelope(207, errors),
        meta: { total: 6, success: 1, failed: 5 },
      },
    ])
  })

  it('are 422 without data if all are invalid', async () => {
    const { call, treeId } = await aShop()
    const { status, body } = await call('POST', CATEGORIES, [{ name: '', tree_id: treeId() }])
    expect([status, body]).toEqual([
      422,
      { errors: envelope(422, { '0.name': expect.any(String) }), meta: { total: 1, success: 0, failed: 1 } },
    ])
  })
})

describe('shape B: changed categories', () => {
  it('are 200 with counts alone if all are saved, and 207 with errors and counts if some are', async () => {
    const { aCategory, call, rows } = await aShop()
    const [shirts, hats] = [aCategory('Shirts'), aCategory('Hats')]
    const good = { category_id: shirts, description: 'All' }
    const all = await call('PUT', CATEGORIES, [good])
    expect([all.status, all.body]).toEqual([200, { meta: { total: 1, success: 1, failed: 0 } }])
    const bad = [
      { category_id: NO_SUCH_ID, description: 'None' },
      { category_id: hats, name: 'Shirts' },
    ]
    const { status, body } = await call('PUT', CATEGORIES, [{ ...good, is_visible: false }, ...bad])
    const errors = envelope(207, { '1.category_id': expect.any(String), '2.name': expect.any(String) })
    expect([status, body]).toEqual([207, { errors, meta: { total: 3, success: 1, failed: 2 } }])
    expect(await rows(CATEGORIES)).toMatchObject([{ description: 'All', is_visible: false }, { name: 'Hats' }])
  })
})

/** The calls for the metafields of one kind, and an owner. */
type MetafieldKind = [kind: string, owner: (shop: Shop) => Promise<number> | number]

const METAFIELD_KINDS: MetafieldKind[] = [
  ['/v3/catalog/products', async (shop) => (await shop.aProduct()).id],
  ['/v3/catalog/variants', async (shop) => (await shop.aProduct()).base_variant_id],
  ['/v3/catalog/categories', (shop) => shop.aCategory('Shirts')],
  ['/v3/catalog/brands', (shop) => shop.aBrand('Loom')],
  ['/v3/channels', () => 1],
  ['/v3/inventory/locations', () => 1],
]

describe('shape C: metafields of many owners', () => {
  it.each(METAFIELD_KINDS)('of %s are 200 with no errors if all are saved', async (kind, ownerOf) => {
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
  )('of %s are 422 with the saved ones and a list of errors if some are', async (kind, ownerOf) => {
    const shop = await aShop()
    const resource_id = await ownerOf(shop)
    const path = `${kind}/metafields`
    const partly = (key: string, errors: unknown[]) => ({
      data: [expect.objectContaining({ key })],
      errors,
      meta: { total: 1 + errors.length, success: 1, failed: errors.length },
    })
    const first = metafield('first', { resource_id })
    const bad = [
      metafield('second', { resource_id, value: '' }),
      metafield('third', { resource_id: NO_SUCH_ID }),
      first,
    ]
    const created = await shop.call('POST', path, [first, ...bad])
    expect([created.status, created.body]).toEqual([
      422,
      partly(
        'first',
        [422, 404, 409].map((one) => envelope(one)),
      ),
    ])
    const { id } = created.body.data[0]
    const changed = await shop.call('PUT', path, [
      { id, value: 'B-1' },
      { id: NO_SUCH_ID, value: 'B-2' },
    ])
    expect([changed.status, changed.body]).toEqual([422, partly('first', [envelope(404)])])
    const all: { resource_id: unknown }[] = await shop.rows(path)
    expect(all.filter((one) => one.resource_id === resource_id)).toMatchObject([{ value: 'B-1' }])
  })

  it('name the deleted ones by their ids', async () => {
    const { aProduct, call, made } = await aShop()
    const path = `${VARIANTS}/metafields`
    const [{ id }] = await made('POST', path, [metafield('first', { resource_id: (await aProduct()).base_variant_id })])
    const { status, body } = await call('DELETE', path, [id, NO_SUCH_ID])
    expect([status, body]).toEqual([
      422,
      { data: [id], errors: [envelope(404)], meta: { total: 2, success: 1, failed: 1 } },
    ])
  })
})

describe('shape D: saved without one attribute', () => {
  it('is 207 with the brand if its address is in use', async () => {
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

  it('is 207 with the product if its stock cannot be saved, in a create and in an update', async () => {
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

  it('is 207 with all products of a batch if one is not saved completely', async () => {
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

  it('is 207 with the product if one of its pictures cannot be fetched and the store allows that', async () => {
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
    ['leave the others saved if the switch says so', { variant_batch: 'partial' }, 5],
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

describe('shape M: too long a batch', () => {
  it.each([
    ['products', 10, PRODUCTS, 'items'],
    ['variants', 50, VARIANTS, 'items'],
    ['trees', 50, TREES, 'trees'],
    ['customs information', 50, '/v3/shipping/products/customs-information', 'items'],
  ])('is 413 for %s and names %i as the maximum', async (_what, most, path, word) => {
    const { call } = await aShop()
    const rows = times(most + 1, (id) => ({ id }))
    const { status, body } = await call('PUT', path, rows)
    const title = `The request payload is too large. The maximum ${word} allowed in the array is ${most}.`
    expect([status, body]).toEqual([413, { ...envelope(413, {}), title }])
  })
})
