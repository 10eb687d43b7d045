import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALL_SCOPES } from '../../sandbox/server/scopes.ts'
import { type Sandbox, startSandbox } from '../../sandbox/start.ts'
import type { Row } from '../../sandbox/store/store.ts'

type Found = Record<string, unknown>

let sandbox: Sandbox
beforeAll(async () => {
  // Without the scope that shows the metafields of other clients.
  const scopes = ALL_SCOPES.filter((scope) => scope !== 'store_metafield_write_all')
  sandbox = await startSandbox({ stores: [{ name: 'shop', seed: 'awkward', token: 'secret', scopes }] })
})
afterAll(() => sandbox.close())

/** Nothing here writes, so a table is read once. */
const read = new Map<string, Row[]>()
function rows(table: string): Row[] {
  const found = read.get(table) ?? sandbox.store('shop').table(table).find({})
  read.set(table, found)
  return found
}
const named = (name: string): Row => {
  const product = rows('products').find((row) => row.name === name)
  if (!product) throw new Error(`no product ${name}`)
  return product
}
const below = (name: string, table: string) => rows(table).filter((row) => row.product_id === named(name).id)
const distinct = (values: unknown[]) => [...new Set(values)]

async function get(path: string): Promise<Response> {
  return fetch(`${sandbox.stores.shop?.url}${path}`, { headers: { 'X-Auth-Token': 'secret' } })
}

/** A list that has no pages comes whole. */
async function whole(path: string): Promise<Found[]> {
  const { data } = (await (await get(path)).json()) as { data: Found[] }
  return data
}

async function all(path: string): Promise<Found[]> {
  const found: Found[] = []
  for (let page = 1; ; page++) {
    const answer = await get(`${path}?limit=250&page=${page}`)
    const { data, meta } = (await answer.json()) as { data: Found[]; meta: { pagination: { total_pages: number } } }
    found.push(...data)
    if (page >= meta.pagination.total_pages) return found
  }
}

test('the awkward store is small: less than 200 products', () => {
  expect(rows('products').length).toBeGreaterThan(60)
  expect(rows('products').length).toBeLessThan(200)
})

test('the awkward store has a product with 600 variants of two options', async () => {
  const variants = await all(`/v3/catalog/products/${named('600 variants').id}/variants`)
  expect(variants.length).toBe(600)
  expect(distinct(variants.map(({ option_values }) => JSON.stringify(option_values))).length).toBe(600)
  expect(distinct(variants.map(({ sku }) => sku)).length).toBe(600)
})

test('the awkward store has an option with 250 values', async () => {
  const [option] = await all(`/v3/catalog/products/${named('250 values').id}/options`)
  expect((option?.option_values as Found[]).length).toBe(250)
})

test('the awkward store has a product with 1,000 images whose thumbnail is not on the first page', async () => {
  const images = await all(`/v3/catalog/products/${named('1,000 images').id}/images`)
  expect(images.length).toBe(1_000)
  expect(images.slice(0, 250).some(({ is_thumbnail }) => is_thumbnail)).toBe(false)
  expect(images.filter(({ is_thumbnail }) => is_thumbnail).length).toBe(1)
})

test('the awkward store has products with 200 custom fields, 50 bulk pricing rules, 50 related products and 250 metafields', async () => {
  const list = (name: string, path: string) => all(`/v3/catalog/products/${named(name).id}/${path}`)
  expect((await list('200 custom fields', 'custom-fields')).length).toBe(200)
  const rules = await whole(`/v3/catalog/products/${named('50 bulk pricing rules').id}/bulk-pricing-rules`)
  expect(rules.length).toBe(50)
  expect(new Set(named('50 related products').related_products as number[]).size).toBe(50)
  expect((await list('250 metafields', 'metafields')).length).toBe(250)
})

test('the awkward store has names, SKUs, addresses and texts of the maximum length', () => {
  const longest = rows('products').find(({ name }) => String(name).startsWith('A product whose name'))
  const lengths = ['name', 'sku', 'description', 'meta_description', 'page_title', 'mpn', 'upc'].map(
    (field) => String(longest?.[field]).length,
  )
  expect(lengths).toEqual([250, 255, 65_535, 65_535, 255, 255, 14])
  expect((longest?.custom_url as { url: string }).url.length).toBe(255)
  expect(rows('categories').some(({ name }) => String(name).length === 50)).toBe(true)
  expect(rows('categories').some(({ description }) => String(description).length === 65_535)).toBe(true)
  expect(rows('brands').some(({ name }) => String(name).length === 255)).toBe(true)
  expect(rows('custom_fields').some(({ name, value }) => `${name}${value}`.length === 500)).toBe(true)
  expect(rows('product_metafields').some(({ value }) => String(value).length === 65_535)).toBe(true)
})

test('the awkward store has twins that differ by their code points only', () => {
  for (const table of ['products', 'brands', 'categories', 'option_values', 'custom_fields']) {
    const texts = rows(table).map((row) => String(row.name ?? row.label))
    const twins = texts.filter((text) => text !== text.normalize('NFC') && texts.includes(text.normalize('NFC')))
    expect([table, twins.length]).not.toEqual([table, 0])
  }
})

test('the awkward store has texts of scripts that run from right to left, emoji of several code points and control characters', () => {
  const names = rows('products').map(({ name }) => String(name))
  for (const some of [
    /\p{Script=Arabic}/u,
    /\p{Script=Hebrew}/u,
    /\p{Script=Thai}/u,
    /\u200d\p{Emoji}/u,
    /\u202e/,
    /\u0331/,
  ])
    expect(names.some((name) => some.test(name))).toBe(true)
  expect(named('Line ends').description).toMatch(/\r\n.*\t/s)
})

test('the awkward store has HTML that links to existing products, categories and brands by its own addresses', () => {
  const html = String(named('Links to everything').description)
  const paths = [...html.matchAll(/href="(\/[^"?#]*)"/g)].map(([, path]) => String(path))
  const taken = new Set(rows('urls').map(({ path }) => path))
  expect(paths.filter((path) => taken.has(path)).length).toBe(3)
  expect(html).toContain('https://shop.example/')
  expect(html).toMatch(/<img src="\/product_images/)
})

test('the awkward store has names that differ by case only, below different parents', () => {
  const shoes = rows('categories').filter(({ name }) => String(name).toLowerCase() === 'shoes')
  const paths = shoes.map(
    ({ name, parent_id }) => `${rows('categories').find(({ id }) => id === parent_id)?.name}/${name}`,
  )
  expect(paths).toEqual(['Men/Shoes', 'Women/Shoes', 'Kids/SHOES', 'Shoes/Shoes'])
})

test('the awkward store has categories on eight levels', () => {
  const byId = new Map(rows('categories').map((row) => [row.id, row]))
  const level = (row: Row | undefined): number => (row ? 1 + level(byId.get(Number(row.parent_id))) : 0)
  const placed = rows('categories').filter(({ name }) => !String(name).startsWith('Below the'))
  expect(Math.max(...placed.map(level))).toBe(8)
})

test('the awkward store has a category that is older than its parent and one whose parent was deleted', () => {
  const ids = new Set(rows('categories').map(({ id }) => id))
  const parents = rows('categories').map(({ id, parent_id }) => ({ id, parent: Number(parent_id) }))
  expect(parents.filter(({ id, parent }) => parent > id && ids.has(parent)).length).toBeGreaterThan(0)
  expect(parents.filter(({ parent }) => parent !== 0 && !ids.has(parent)).length).toBe(1)
})

test('the awkward store has equal images, reviews and videos twice', () => {
  const equal = (name: string, table: string, fields: string[]) => {
    const seen = below(name, table).map((row) => JSON.stringify(fields.map((field) => row[field])))
    return seen.length - new Set(seen).size
  }
  expect(equal('The same picture twice', 'images', ['sort_order', 'description'])).toBe(1)
  expect(equal('Reviews', 'reviews', ['title', 'name', 'date_reviewed', 'text', 'rating', 'email'])).toBe(1)
  expect(equal('Videos', 'product_videos', ['video_id', 'title', 'description', 'sort_order'])).toBe(1)
})

test('two equal images of the awkward store have equal bytes', async () => {
  const files = below('The same picture twice', 'images').map(({ image_file }) => image_file)
  const pictures = await Promise.all(files.map((file) => fetch(`${sandbox.stores.shop?.url}/images/${file}`)))
  const [one, other] = await Promise.all(pictures.map((picture) => picture.arrayBuffer()))
  expect(one?.byteLength).toBeGreaterThan(0)
  expect(one).toEqual(other)
})

test('the pictures of the awkward store can be fetched, except for the missing ones', async () => {
  const images = rows('images').filter(({ product_id }) => product_id !== named('1,000 images').id)
  for (const { image_file } of images) {
    const status = (await fetch(`${sandbox.stores.shop?.url}/images/${image_file}`)).status
    expect([image_file, status]).toEqual([image_file, String(image_file).includes('missing') ? 404 : 200])
  }
  expect(images.filter(({ image_file }) => String(image_file).includes('missing')).length).toBe(1)
})

test('the awkward store has a variant with a picture, one with a missing picture and one without', async () => {
  const variants = await all(`/v3/catalog/products/${named('Picture of a variant gone').id}/variants`)
  const statuses = variants.map(async ({ image_url }) => (image_url ? (await fetch(String(image_url))).status : 'none'))
  expect(await Promise.all(statuses)).toEqual([200, 404, 'none'])
})

test('the awkward store has products that refer to a deleted brand, category, product, channel and variant', () => {
  const isThere = (table: string, id: unknown) => rows(table).some((row) => row.id === Number(id))
  expect(isThere('brands', named('Brand gone').brand_id)).toBe(false)
  expect(
    below('Category gone', 'product_categories').map(({ category_id }) => isThere('categories', category_id)),
  ).toEqual([true, false])
  const related = named('Related product gone').related_products as number[]
  expect(related.map((id) => isThere('products', id))).toEqual([false, true])
  expect(
    below('Channel gone', 'product_channel_assignments').map(({ channel_id }) => isThere('channels', channel_id)),
  ).toEqual([true, false])
  expect(isThere('variants', named('Base variant gone').base_variant_id)).toBe(false)
  expect(rows('price_records').filter(({ variant_id }) => !isThere('variants', variant_id)).length).toBe(1)
  expect(rows('product_metafields').filter(({ resource_id }) => !isThere('products', resource_id)).length).toBe(1)
})

test('product lists of the awkward store refer to earlier products, later ones, themselves and deleted ones', () => {
  const own = named('Lists of products').id
  const targets = below('Lists of products', 'modifier_values').map(
    ({ value_data }) => (value_data as Found).product_id,
  )
  const there = (id: unknown) => rows('products').some((row) => row.id === id)
  const kinds = targets.map((id) =>
    !there(id) ? 'gone' : id === own ? 'itself' : Number(id) < own ? 'earlier' : 'later',
  )
  expect(kinds).toEqual(['earlier', 'later', 'itself', 'gone', 'earlier', 'later', 'itself', 'gone'])
})

test('the awkward store has every type of option and of modifier', () => {
  const choices = ['dropdown', 'product_list', 'product_list_with_images', 'radio_buttons', 'rectangles', 'swatch']
  const free = ['checkbox', 'date', 'file', 'multi_line_text', 'numbers_only_text', 'text']
  expect(distinct(rows('options').map(({ type }) => type)).sort()).toEqual(choices)
  expect(distinct(rows('modifiers').map(({ type }) => type)).sort()).toEqual([...choices, ...free].sort())
})

test('the awkward store has checkboxes that cost extra when they are checked and when they are not', () => {
  const dear = below('Checkboxes', 'modifier_values').filter(
    ({ adjusters }) => ((adjusters as Found).price as Found).adjuster_value === 4.5,
  )
  expect(dear.map(({ label }) => label)).toEqual(['Yes', 'No'])
})

test('the awkward store has complex rules of two modifiers and of a modifier with a variant', () => {
  const conditions = below('Complex rules', 'complex_rules').flatMap((row) => row.conditions as Found[])
  expect(conditions.length).toBe(8)
  const variant = below('Complex rules', 'variants')[0]?.id
  expect(conditions.filter(({ variant_id }) => variant_id === variant).length).toBe(1)
  const values = new Set(below('Complex rules', 'modifier_values').map(({ id }) => id))
  expect(conditions.every((one) => one.variant_id !== null || values.has(Number(one.modifier_value_id)))).toBe(true)
})

test('the awkward store has nulls beside empty strings, and prices of 0 beside inherited prices', () => {
  const variants = below('Every variant is different', 'variants')
  expect(distinct(variants.map(({ upc }) => upc))).toEqual([null, '', '12345678901234'])
  expect(variants.map(({ price }) => price)).toEqual([null, null, 0, 1.2345, null, null, null])
  expect(rows('products').filter(({ sku }) => sku === '').length).toBeGreaterThan(20)
  expect(named('Free of charge').price).toBe(0)
})

test('the awkward store has products in no category, on no storefront, and hidden ones', () => {
  expect(below('In no category', 'product_categories')).toEqual([])
  expect(below('In every category', 'product_categories').length).toBe(rows('categories').length)
  const active = new Set(
    rows('channels')
      .filter(({ status }) => status === 'active')
      .map(({ id }) => id),
  )
  const closed = below('On no storefront', 'product_channel_assignments')
  expect(closed.length).toBe(3)
  expect(closed.some(({ channel_id }) => active.has(Number(channel_id)))).toBe(false)
  expect(named('Hidden').is_visible).toBe(false)
})

test('a product of the awkward store whose address a category has gets the next free one', () => {
  const url = (name: string) => (named(name).custom_url as { url: string }).url
  expect(url('Wants the address of a category')).toBe('/men/shoes-1/')
  expect([url('Sale'), url('Same Slug!'), url('Same slug?')]).toEqual(['/sale-1/', '/same-slug/', '/same-slug-1/'])
})

test('the awkward store has reviews of every status, and counts the approved ones', () => {
  expect(distinct(below('Reviews', 'reviews').map(({ status }) => status)).sort()).toEqual([
    'approved',
    'disapproved',
    'pending',
  ])
  expect(named('Reviews')).toMatchObject({ reviews_count: 5, reviews_rating_sum: 18 })
})

test('the awkward store has metafields of every permission set on everything that has metafields, and those of another client', async () => {
  for (const kind of ['product', 'variant', 'category', 'brand', 'channel', 'location', 'customer']) {
    const metafields = rows(`${kind}_metafields`)
    expect([kind, distinct(metafields.map(({ permission_set }) => permission_set)).length]).toEqual([kind, 5])
    expect(distinct(metafields.map(({ owner_client_id }) => owner_client_id)).length).toBe(2)
  }
  const seen = await all(`/v3/catalog/products/${named('Metafields of every kind').id}/metafields`)
  expect(seen.length).toBe(
    rows('product_metafields').filter(({ resource_id }) => resource_id === named('Metafields of every kind').id)
      .length - 1,
  )
})

test('the awkward store has stock in several locations, of products and of variants', async () => {
  const items = await all('/v3/inventory/items')
  const places = items
    .flatMap(({ locations }) => locations as Found[])
    .filter((one) => one.total_inventory_onhand !== null)
  expect(distinct(places.map(({ location_id }) => location_id)).length).toBe(5)
  expect(distinct(rows('stock').map(({ variant_id }) => variant_id === null))).toEqual([true, false])
})

test('the awkward store has price lists with prices in two currencies and tiers of every type', () => {
  const records = rows('price_records')
  expect(distinct(records.map(({ currency }) => currency))).toEqual(['usd', 'eur'])
  const tiers = records.flatMap(({ bulk_pricing_tiers }) => bulk_pricing_tiers as Found[])
  expect(distinct(tiers.map(({ type }) => type)).sort()).toEqual(['fixed', 'percent', 'price'])
  expect(rows('price_lists').map(({ active }) => active)).toEqual([true, false, true])
})

test('the awkward store has a category with a sort order that two products share and most do not have', async () => {
  const sale = rows('categories').find(({ name }) => name === 'Sale')
  const order = await whole(`/v3/catalog/categories/${sale?.id}/products/sort-order`)
  const places = order.map(({ sort_order }) => sort_order)
  expect(places.slice(0, 5)).toEqual([0, 7, 7, 2_147_483_647, null])
  expect(places.slice(4).every((place) => place === null)).toBe(true)
})

test('the awkward store has a picture whose address is longer than a call accepts', async () => {
  const product = named('A picture whose address is too long to be named in a call')
  const [image] = await all(`/v3/catalog/products/${product.id}/images`)
  expect(String(image?.url_standard).length).toBeGreaterThan(255)
  expect((await fetch(String(image?.url_standard))).status).toBe(200)
})

test('the awkward store has products with customs information, with codes by country and without any', async () => {
  const declared = await all('/v3/shipping/products/customs-information')
  expect(declared.map(({ product_id }) => product_id)).toEqual([
    named('Declared at customs').id,
    named('Never leaves the country').id,
  ])
  expect(declared.map(({ hs_codes }) => hs_codes)).toEqual([{ JP: '61091000', ALL: '610910' }, {}])
})

test('the awkward store has a product with a custom tax class beside the initial ones', () => {
  const own = rows('tax_classes').filter(({ is_built_in }) => !is_built_in)
  expect(own.map(({ id }) => id)).toContain(named('Taxed otherwise').tax_class_id)
  expect(rows('tax_classes').length).toBeGreaterThan(own.length)
})

test('every SKU of the awkward store belongs to one variant, and every name to one product', () => {
  const skus = rows('variants')
    .map(({ sku }) => String(sku).toLowerCase())
    .filter((sku) => sku !== '')
  expect(new Set(skus).size).toBe(skus.length)
  const names = rows('products').map(({ name }) => String(name).toLowerCase())
  expect(new Set(names).size).toBe(names.length)
})

const shopper = (email: string) => rows('customers').find((row) => row.email === email)
const of = (email: string, table: string) => rows(table).filter((row) => row.customer_id === shopper(email)?.id)

test('the awkward store has a shopper with more addresses and values than a page shows, and attributes of every type', () => {
  expect(of('everything@example.com', 'customer_addresses').length).toBe(12)
  const values = of('everything@example.com', 'customer_attribute_values')
  expect(values.length).toBe(12)
  const types = new Map(rows('customer_attributes').map(({ id, type }) => [id, type]))
  expect(distinct(values.map(({ attribute_id }) => types.get(Number(attribute_id)))).sort()).toEqual([
    'date',
    'number',
    'string',
  ])
})

test('the awkward store has equal addresses, one without a name and one without a city', () => {
  const [one, two, ...others] = of('odd-addresses@example.com', 'customer_addresses')
  expect({ ...one, id: 0 }).toEqual({ ...two, id: 0 })
  expect(others.map(({ first_name, postal_code }) => [first_name === '', postal_code === ''])).toEqual([
    [true, false],
    [false, true],
  ])
})

test('the awkward store has shoppers whose email addresses differ by case only, without a name, of a deleted group, and of closed storefronts', () => {
  expect(rows('customers').filter(({ email }) => String(email).toLowerCase() === 'twin@example.com').length).toBe(2)
  expect(shopper('no-name@example.com')).toMatchObject({ first_name: '', last_name: '' })
  const groups = rows('customer_groups').map(({ id }) => id)
  expect(groups).not.toContain(shopper('group-gone@example.com')?.customer_group_id)
  const closed = rows('channels').find(({ name }) => name === 'Closed-outlet')?.id
  expect(shopper('closed-only@example.com')?.channel_ids).toEqual([closed])
})

test('the awkward store has subscribers who are not customers, and one of two storefronts', () => {
  expect(shopper('guest@example.com')).toBeUndefined()
  const twice = rows('subscribers').filter(({ email }) => email === 'two-storefronts@example.com')
  expect(distinct(twice.map(({ channel_id }) => channel_id)).length).toBe(2)
})

test('the awkward store has an order with every kind of child, sent in two shipments, with notes of almost the maximum length', () => {
  const [order] = rows('orders').filter(({ staff_notes }) => String(staff_notes).length > 59_000)
  const hanging = (table: string) => rows(table).filter(({ order_id }) => order_id === order?.id).length
  const tables = ['products', 'addresses', 'fees', 'coupons', 'taxes', 'messages', 'shipments']
  expect(tables.map((table) => [table, hanging(`order_${table}`)])).toEqual([
    ['products', 3],
    ['addresses', 2],
    ['fees', 1],
    ['coupons', 1],
    ['taxes', 1],
    ['messages', 1],
    ['shipments', 2],
  ])
  expect(rows('order_metafields').map(({ resource_id }) => resource_id)).toEqual([order?.id, order?.id])
})

test('the awkward store has orders of deleted products and customers, on a closed storefront, free of charge, and two with one external number', () => {
  const [customers, products] = ['customers', 'products'].map((table) => new Set(rows(table).map(({ id }) => id)))
  const orders = rows('orders')
  const lines = (order: { id: number }) => rows('order_products').filter(({ order_id }) => order_id === order.id)
  expect(orders.filter(({ customer_id }) => customer_id !== 0 && !customers?.has(Number(customer_id))).length).toBe(1)
  const isGone = ({ product_id }: Record<string, unknown>) => product_id !== 0 && !products?.has(Number(product_id))
  expect(orders.filter((order) => lines(order).every(isGone)).length).toBe(1)
  expect(orders.filter(({ channel_id }) => channel_id !== 1).length).toBe(1)
  expect(orders.filter(({ total_inc_tax }) => total_inc_tax === 0).length).toBe(1)
  expect(orders.filter(({ external_order_id }) => external_order_id === 'E-1').length).toBe(2)
})

test('the awkward store has values that are older than the rules of the platform: stock and prices below 0, addresses that nothing could get, and texts with control characters', () => {
  const products = rows('products')
  expect(named('Oversold').inventory_level).toBeLessThan(0)
  expect(below('Oversold variants', 'variants').map(({ inventory_level }) => inventory_level)).toEqual([-2, 5])
  expect(named('Costs less than nothing').price).toBeLessThan(0)
  expect(named('Eight decimals').price).toBe(9.12345678)
  expect(products.filter(({ name }) => String(name).includes('\t')).map(({ sku }) => sku)).toEqual(['TAB\tBELL'])
  expect(below('Two values of one name', 'option_values').map(({ label }) => label)).toEqual(['One', 'one'])
  expect(below('Custom field without a value', 'custom_fields').map(({ value }) => value)).toEqual([''])
  expect(below('Reviewed on no day', 'reviews').map(({ date_reviewed }) => date_reviewed)).toEqual([
    '0000-00-00 00:00:00',
  ])
  const men = rows('categories').find(({ name }) => name === 'Men')
  const urls = ['Address of another age', 'Address of the category Men'].map((name) => named(name).custom_url)
  expect(urls.map((url) => (url as { url: string }).url)).toEqual([
    '/coffee%20with milk_(2)/',
    (men?.url as Found).path,
  ])
})

test('the awkward store has two categories that are each below the other, and pages that are older than their parent, have lost it or are their own', () => {
  const [one, other] = ['Below the other', 'Below the one'].map((text) =>
    rows('categories').find(({ name }) => name === text),
  )
  expect([one?.parent_id, other?.parent_id]).toEqual([other?.id, one?.id])
  const pages = rows('pages')
  const kinds = pages
    .filter(({ parent_id }) => parent_id !== 0)
    .map(({ id, parent_id }) => {
      if (!pages.some((row) => row.id === parent_id)) return 'gone'
      return parent_id === id ? 'itself' : Number(parent_id) > id ? 'later' : 'earlier'
    })
  expect(distinct(kinds).sort()).toEqual(['earlier', 'gone', 'itself', 'later'])
})

test('the awkward store has redirects that are one to the platform, an email with blanks, a country that is no more and a gift certificate below 0', () => {
  const paths = rows('redirects').map(({ from_path }) => String(from_path).toLowerCase().replace(/\/$/, ''))
  expect(paths.length - new Set(paths).size).toBe(2)
  expect(of(' Blank@Example.com ', 'customer_addresses').map(({ country_code }) => country_code)).toContain('AN')
  expect(rows('gift_certificates').filter(({ balance }) => Number(balance) < 0).length).toBe(1)
})
