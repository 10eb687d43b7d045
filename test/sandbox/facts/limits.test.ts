/**
 * Limits of size and number, each tested at the limit and one beyond. Left out: limits tested with one resource, such
 * as locations, settings, customers, pages, themes and widgets. How long the platform works on a call before it gives
 * up is not documented.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { pngFor } from '../../../sandbox/images/images.ts'
import {
  aShop,
  BRANDS,
  CATEGORIES,
  metafield,
  PRODUCTS,
  product,
  type Shop,
  times,
  VARIANTS,
  variant,
} from '../a-shop.ts'
import { pictureForm } from '../picture-form.ts'

const MB = 1024 * 1024

/** A PNG of this many bytes. */
const pngOf = (bytes: number) => Buffer.concat([pngFor('large'), Buffer.alloc(bytes)]).subarray(0, bytes)

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** The address of a picture of this size on this machine. */
async function aPicture(bytes: number): Promise<string> {
  const picture = pngOf(bytes)
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': bytes }).end(picture)
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(undefined)))
  closing.push(() => {
    server.closeAllConnections()
    return new Promise((closed) => server.close(closed))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/large.png`
}

async function aVariantPath({ aProduct }: Shop): Promise<string> {
  const { id, base_variant_id } = await aProduct()
  return `${PRODUCTS}/${id}/variants/${base_variant_id}`
}

describe('pictures', () => {
  it.each<[string, number, number, (shop: Shop) => Promise<string> | string]>([
    ['a product', 8 * MB, 422, async ({ aProduct }) => `${PRODUCTS}/${(await aProduct()).id}/images`],
    ['a brand', 8 * MB, 422, ({ aBrand }) => `${BRANDS}/${aBrand('Loom')}/image`],
    ['a category', 8 * MB, 422, ({ aCategory }) => `/v3/catalog/categories/${aCategory('Shirts')}/image`],
    ['a variant', MB, 500, async (shop) => `${await aVariantPath(shop)}/image`],
  ])('of %s by form have at most %i bytes; one more is %i', async (_owner, most, status, pathOf) => {
    const shop = await aShop()
    const path = await pathOf(shop)
    expect((await shop.call('POST', path, pictureForm('a.png', pngOf(most)))).status).toBe(200)
    expect((await shop.call('POST', path, pictureForm('b.png', pngOf(most + 1)))).status).toBe(status)
  })

  it('have an address of at most 255 characters when they are added to a product', async () => {
    const { aProduct, call, picture } = await aShop()
    const path = `${PRODUCTS}/${(await aProduct()).id}/images`
    const address = (length: number) => picture(`${'x'.repeat(length - picture('.png').length)}.png`)
    expect(address(255)).toHaveLength(255)
    expect((await call('POST', path, { image_url: address(255) })).status).toBe(200)
    expect((await call('POST', path, { image_url: address(256) })).status).toBe(422)
  })

  it.each<[string, (shop: Shop) => string]>([
    ['a brand', ({ aBrand }) => `${BRANDS}/${aBrand('Loom')}/image`],
    ['a category', ({ aCategory }) => `/v3/catalog/categories/${aCategory('Shirts')}/image`],
  ])('of %s are uploaded by form only: the picture call accepts no address', async (_owner, pathOf) => {
    const shop = await aShop()
    const answer = await shop.call('POST', pathOf(shop), { image_url: shop.picture('a.png') })
    expect(answer.status).toBe(415)
  })

  it('of brands and categories can be set by address when the item itself is changed', async () => {
    const { aBrand, aCategory, made, picture, rows } = await aShop()
    const brand = await made('PUT', `${BRANDS}/${aBrand('Loom')}`, { image_url: picture('brand.png') })
    expect(brand.image_url).toContain('brand')
    await made('PUT', CATEGORIES, [{ category_id: aCategory('Shirts'), image_url: picture('category.png') }])
    expect((await rows(CATEGORIES))[0].image_url).toContain('category')
  })

  it.each<[string, (shop: Shop) => Promise<string>]>([
    ['a product', async ({ aProduct }) => `${PRODUCTS}/${(await aProduct()).id}/images`],
    ['a variant', async (shop) => `${await aVariantPath(shop)}/image`],
  ])('of %s have at most 8 MB by address, where a form may have less', async (_owner, pathOf) => {
    const shop = await aShop()
    const path = await pathOf(shop)
    expect((await shop.call('POST', path, { image_url: await aPicture(8 * MB) })).status).toBe(200)
    expect((await shop.call('POST', path, { image_url: await aPicture(8 * MB + 1) })).status).toBe(400)
  })
})

/** Adds a child to a product that has `count` of them already, inserted directly into the store. */
type Most = [
  most: number,
  what: string,
  fill: (shop: Shop, count: number) => Promise<() => Promise<{ status: number }>>,
]

const filledBelow =
  (part: string, table: string, row: (number: number) => object, body: (shop: Shop) => object) =>
  async (shop: Shop, count: number) => {
    const { id } = await shop.aProduct()
    shop.store.transaction(() => times(count, (n) => shop.store.table(table).insert({ product_id: id, ...row(n) })))
    return () => shop.call('POST', `${PRODUCTS}/${id}/${part}`, body(shop))
  }

const MOST: Most[] = [
  [
    1_000,
    'images',
    filledBelow(
      'images',
      'images',
      (n) => ({ image_file: `a/${n}.png`, sort_order: n, is_thumbnail: n === 1 }),
      ({ picture }) => ({ image_url: picture('a.png') }),
    ),
  ],
  [
    200,
    'custom fields',
    filledBelow(
      'custom-fields',
      'custom_fields',
      (n) => ({ name: `Field ${n}`, value: 'x' }),
      () => ({ name: 'Fabric', value: 'Linen' }),
    ),
  ],
  [
    50,
    'bulk pricing rules',
    filledBelow(
      'bulk-pricing-rules',
      'bulk_pricing_rules',
      (n) => ({ quantity_min: n * 2, quantity_max: n * 2 + 1, type: 'percent', amount: 5 }),
      () => ({ quantity_min: 1_000, quantity_max: 0, type: 'percent', amount: 5 }),
    ),
  ],
  [
    250,
    'metafields of one client',
    async (shop, count) => {
      const path = `${PRODUCTS}/${(await shop.aProduct()).id}/metafields`
      const { id: _id, ...row } = await shop.made('POST', path, metafield('first'))
      const table = shop.store.table('product_metafields')
      shop.store.transaction(() => times(count - 1, (n) => table.insert({ ...row, key: `key-${n}` })))
      return () => shop.call('POST', path, metafield('last'))
    },
  ],
]

const withMany = (field: string, row: (number: number, shop: Shop) => unknown) => async (shop: Shop, count: number) => {
  const rows = shop.store.transaction(() => times(count, (n) => row(n, shop)))
  return shop.call('POST', PRODUCTS, product({ [field]: rows }))
}

describe('a product', () => {
  it.each(MOST)('has at most %i %s', async (most, _what, fill) => {
    const shop = await aShop()
    const add = await fill(shop, most - 1)
    expect((await add()).status).toBe(200)
    const full = await fill(await aShop(), most)
    expect((await full()).status).toBe(422)
  })

  it.each<[number, string, (shop: Shop, count: number) => Promise<{ status: number }>]>([
    [
      600,
      'variants',
      withMany('variants', (n) => variant(`S-${n}`, { Size: `${n % 30}`, Colour: `${Math.floor(n / 30)}` })),
    ],
    [1_000, 'categories', withMany('categories', (n, { aCategory }) => aCategory(`Shelf ${n}`))],
    [
      50,
      'related products',
      withMany(
        'related_products',
        (n, { store }) => store.table('products').insert({ name: `Shirt ${n}`, sku: '' }).id,
      ),
    ],
  ])('is created with at most %i %s', async (most, _what, create) => {
    expect((await create(await aShop(), most + 1)).status).toBe(422)
    expect((await create(await aShop(), most)).status).toBe(200)
  })

  it('is created with variants of at most 250 values per option', async () => {
    const { call } = await aShop()
    const sized = (count: number) => product({ variants: times(count, (n) => variant(`S-${n}`, { Size: `${n}` })) })
    expect((await call('POST', PRODUCTS, sized(251))).status).toBe(422)
    expect((await call('POST', PRODUCTS, sized(250))).status).toBe(200)
  })

  it('has at most 600 variants, whichever call adds them', async () => {
    const shop = await aShop()
    const { id } = await shop.aProduct({ variants: [variant('S-0', { Size: 'S' })] })
    const [option] = await shop.rows(`${PRODUCTS}/${id}/options`)
    const value = await shop.made('POST', `${PRODUCTS}/${id}/options/${option.id}/values`, {
      label: 'M',
      sort_order: 1,
    })
    shop.store.transaction(() =>
      times(599, (n) => shop.store.table('variants').insert({ product_id: id, sku: `X-${n}`, option_values: [] })),
    )
    const row = { product_id: id, sku: 'S-1', option_values: [{ option_id: option.id, id: value.id }] }
    expect((await shop.call('PUT', VARIANTS, [row])).status).toBe(422)
    expect((await shop.call('POST', `${PRODUCTS}/${id}/variants`, row)).status).toBe(422)
  })

  it.each([
    ['options', 'dropdown'],
    ['modifiers', 'dropdown'],
  ])('has %s with at most 250 values', async (part, type) => {
    const { aProduct, call } = await aShop()
    const path = `${PRODUCTS}/${(await aProduct()).id}/${part}`
    const values = (count: number) => times(count, (n) => ({ label: `Value ${n}`, sort_order: n }))
    const body = (count: number) => ({ display_name: 'Shade', type, required: false, option_values: values(count) })
    expect((await call('POST', path, body(251))).status).toBe(422)
    const { status, body: made } = await call('POST', path, body(250))
    expect(status).toBe(200)
    expect((await call('POST', `${path}/${made.data.id}/values`, { label: 'One more', sort_order: 9 })).status).toBe(
      422,
    )
  })
})

describe('a store', () => {
  it('has categories on eight levels', async () => {
    const { aCategory, call } = await aShop()
    const path: number[] = []
    for (const level of times(8, Number)) path.push(aCategory(`Level ${level}`, path.at(-1)))
    expect((await call('POST', CATEGORIES, [{ name: 'Level 8 again', parent_id: path[6] }])).status).toBe(201)
    expect((await call('POST', CATEGORIES, [{ name: 'Level 9', parent_id: path[7] }])).status).toBe(422)
  })

  it.each<
    [number, string, (shop: Shop, count: number) => void, (shop: Shop, name: string) => Promise<{ status: number }>]
  >([
    [
      30_000,
      'brands',
      ({ store }, count) => times(count, (n) => store.table('brands').insert({ name: `Loom ${n}` })),
      ({ call }, name) => call('POST', BRANDS, { name }),
    ],
    [
      16_000,
      'categories',
      ({ store, treeId }, count) =>
        times(count, (n) => store.table('categories').insert({ name: `Shelf ${n}`, tree_id: treeId(), parent_id: 0 })),
      ({ call, treeId }, name) => call('POST', CATEGORIES, [{ name, tree_id: treeId() }]),
    ],
  ])('has at most %i %s', async (most, _what, fill, create) => {
    const shop = await aShop()
    shop.store.transaction(() => fill(shop, most - 1))
    expect((await create(shop, 'The last')).status).toBeLessThan(300)
    expect((await create(shop, 'One more')).status).toBe(403)
  })
})
