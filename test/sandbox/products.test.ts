import { expect, test } from 'vitest'
import { PRODUCTS, product, variant } from './a-shop.ts'
import { aProductWorld, manyProducts } from './product-world.ts'

test('a product is created with 200 and the defaults of the platform', async () => {
  const { call } = await aProductWorld()
  const answer = await call('POST', PRODUCTS, product({ price: 9.99996, sku: 'LS-1' }))
  expect(answer.status).toBe(200)
  expect(answer.body.data).toMatchObject({
    name: 'Linen Shirt',
    price: 10,
    sku: 'LS-1',
    is_visible: true,
    related_products: [-1],
    custom_url: { url: '/linen-shirt/', is_customized: false },
  })
})

test('prices keep four decimals', async () => {
  const { create } = await aProductWorld()
  expect(await create({ price: 1.23456, cost_price: 0.00004 })).toMatchObject({ price: 1.2346, cost_price: 0 })
})

test('the answer of a create has variants, images and custom fields but neither options nor modifiers', async () => {
  const { create } = await aProductWorld()
  const created = await create({
    variants: [variant('A', { Size: 'S' })],
    custom_fields: [{ name: 'Care', value: '30°' }],
  })
  expect(Object.keys(created)).toEqual(
    expect.arrayContaining(['variants', 'images', 'custom_fields', 'primary_image', 'videos', 'bulk_pricing_rules']),
  )
  expect(created).not.toHaveProperty('options')
  expect(created).not.toHaveProperty('modifiers')
})

test.each([
  'name',
  'type',
  'weight',
  'price',
])('a product without %s is refused with 422 that names the field', async (field) => {
  const { call } = await aProductWorld()
  const answer = await call('POST', PRODUCTS, product({ [field]: undefined }))
  expect(answer.status).toBe(422)
  expect(Object.keys(answer.body.errors)).toEqual([field])
})

test('a name of 250 characters is accepted and one of 251 is refused', async () => {
  const { call } = await aProductWorld()
  expect((await call('POST', PRODUCTS, product({ name: 'n'.repeat(250) }))).status).toBe(200)
  const answer = await call('POST', PRODUCTS, product({ name: 'n'.repeat(251) }))
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['name']])
})

test('text is kept byte for byte', async () => {
  const { create, get } = await aProductWorld()
  const text = '<p>Größe &amp; “quality”  —\u00a0日本\r\n\t<a href="/mug/">mug</a></p>'
  const { id } = await create({ description: text })
  expect((await get(`${PRODUCTS}/${id}`)).body.data.description).toBe(text)
})

test('a second product of the same name is a 409 with the title of the platform', async () => {
  const { call, create } = await aProductWorld()
  await create()
  const answer = await call('POST', PRODUCTS, product({ name: 'LINEN SHIRT' }))
  expect([answer.status, answer.body.title, Object.keys(answer.body.errors)]).toEqual([
    409,
    'The product name is a duplicate',
    ['name'],
  ])
})

test('a duplicate SKU of a product or a variant is a 409 with the title of the platform', async () => {
  const { call, create } = await aProductWorld()
  await create({ sku: 'TOP', variants: [variant('TOP-S', { Size: 'S' })] })
  for (const sku of ['TOP', 'TOP-S']) {
    const answer = await call('POST', PRODUCTS, product({ name: `With ${sku}`, sku }))
    expect([answer.status, answer.body.title]).toEqual([409, 'The product sku is a duplicate'])
  }
})

test('products without a SKU do not conflict', async () => {
  const { call, create } = await aProductWorld()
  await create()
  expect((await call('POST', PRODUCTS, product({ name: 'Other', sku: '' }))).status).toBe(200)
})

test('an unknown category or brand is a 409 and nothing is written', async () => {
  const { call, store } = await aProductWorld()
  expect((await call('POST', PRODUCTS, product({ categories: [987_654] }))).status).toBe(409)
  expect((await call('POST', PRODUCTS, product({ brand_id: 987_654 }))).status).toBe(409)
  expect(store.table('products').count()).toBe(0)
})

test('a brand name finds the brand or creates it', async () => {
  const { create, aBrand, store } = await aProductWorld()
  const known = aBrand('Northfold')
  expect((await create({ brand_name: 'northfold' })).brand_id).toBe(known)
  const { brand_id } = await create({ name: 'Mug', brand_name: 'Fresh' })
  expect(store.table('brands').get(brand_id)?.name).toBe('Fresh')
})

test('a simple product gets a base variant that has its SKU', async () => {
  const { create } = await aProductWorld()
  const created = await create({ sku: 'LS-1' })
  expect(created.variants).toHaveLength(1)
  expect(created.variants[0]).toMatchObject({ sku: 'LS-1', option_values: [], price: null, calculated_price: 49 })
  expect(created.base_variant_id).toBe(created.variants[0].id)
})

test('options are created from variants: order of appearance, default display type, no base variant', async () => {
  const { create, get } = await aProductWorld()
  const { id, base_variant_id } = await create({
    variants: [
      variant('A', { Size: 'M', Colour: 'Red' }),
      variant('B', { Size: 'S', Colour: 'Red' }),
      variant('C', { Size: 'S', Colour: 'Blue' }),
    ],
  })
  const { options } = (await get(`${PRODUCTS}/${id}?include=options`)).body.data
  const seen = options.map((option: { display_name: string; type: string; option_values: { label: string }[] }) => [
    option.display_name,
    option.type,
    option.option_values.map((value) => value.label),
  ])
  expect(base_variant_id).toBeNull()
  expect(seen).toEqual([
    ['Size', 'radio_buttons', ['M', 'S']],
    ['Colour', 'radio_buttons', ['Red', 'Blue']],
  ])
  expect(options[0].option_values.map((value: { sort_order: number }) => value.sort_order)).toEqual([0, 1])
})

test('the variants of a create name their values by id and label', async () => {
  const { create } = await aProductWorld()
  const { variants } = await create({ variants: [variant('A', { Size: 'M' }, { price: 5 })] })
  expect(variants[0].option_values).toEqual([
    { id: expect.any(Number), label: 'M', option_id: expect.any(Number), option_display_name: 'Size' },
  ])
  expect(variants[0].calculated_price).toBe(5)
})

test('an address made from the name is changed if it is in use, and a requested one is a 409', async () => {
  const { call, create } = await aProductWorld()
  await create({ custom_url: { url: '/mug/', is_customized: true } })
  expect((await create({ name: 'Mug' })).custom_url).toEqual({ url: '/mug-1/', is_customized: false })
  expect((await call('POST', PRODUCTS, product({ name: 'Cup', custom_url: { url: '/MUG' } }))).status).toBe(409)
})

test('images are fetched and the first becomes the thumbnail when none is marked', async () => {
  const { create, picture } = await aProductWorld()
  const { images, primary_image } = await create({
    images: [{ image_url: picture('front.png'), description: 'Front' }, { image_url: picture('back.png') }],
  })
  expect(images.map((image: { is_thumbnail: boolean }) => image.is_thumbnail)).toEqual([true, false])
  expect(images[0].image_file).toMatch(/^[a-z]\/(\d+\/)?front__\d{5}\.png$/)
  expect(primary_image.id).toBe(images[0].id)
})

test('a marked image becomes the only thumbnail', async () => {
  const { create, picture } = await aProductWorld()
  const image_urls = ['a.png', 'b.png', 'c.png'].map((file) => ({
    image_url: picture(file),
    is_thumbnail: file === 'b.png',
  }))
  const { images } = await create({ images: image_urls })
  expect(images.map((image: { is_thumbnail: boolean }) => image.is_thumbnail)).toEqual([false, true, false])
})

test('an image that cannot be downloaded refuses the whole product', async () => {
  const { call, picture, store } = await aProductWorld()
  const images = [{ image_url: picture('good.png') }, { image_url: picture('missing.png') }]
  const answer = await call('POST', PRODUCTS, product({ images }))
  expect([answer.status, answer.body.errors]).toEqual([422, { 'images.1.image_url': 'image could not be downloaded' }])
  expect(store.table('products').count()).toBe(0)
})

test('a new product is in channel 1 unless the switch says no', async () => {
  for (const [switches, channels] of [
    [{}, [1]],
    [{ auto_assign_channel: false }, []],
  ] as const) {
    const { create, get } = await aProductWorld({ switches })
    const { id } = await create()
    expect((await get(`${PRODUCTS}/${id}?include=channels`)).body.data.channels).toEqual(channels)
  }
})

test('a duplicate custom field is refused, the same name with another value is not', async () => {
  const { call } = await aProductWorld()
  const care = { name: 'Care', value: '30°' }
  expect((await call('POST', PRODUCTS, product({ custom_fields: [care, care] }))).status).toBe(422)
  expect((await call('POST', PRODUCTS, product({ custom_fields: [care, { ...care, value: '40°' }] }))).status).toBe(200)
})

test('200 custom fields are accepted and 201 are refused', async () => {
  const { call } = await aProductWorld()
  const custom_fields = Array.from({ length: 201 }, (_nothing, at) => ({ name: 'Field', value: `${at}` }))
  expect((await call('POST', PRODUCTS, product({ custom_fields }))).status).toBe(422)
  expect((await call('POST', PRODUCTS, product({ custom_fields: custom_fields.slice(1) }))).status).toBe(200)
})

test('a product with the sentinel in its name is refused in every store', async () => {
  const { call } = await aProductWorld()
  expect((await call('POST', PRODUCTS, product({ name: 'Shirt [[refuse]]' }))).status).toBe(422)
})

test('a page has at most 250 products, and 10 if options or modifiers are included', async () => {
  const { store, get } = await aProductWorld()
  manyProducts(store, 251)
  const sizes: [string, number][] = [
    ['limit=250', 250],
    ['limit=251', 250],
    ['limit=10&include=options', 10],
    ['limit=11&include=options', 10],
    ['limit=11&include=variants,modifiers', 10],
    ['limit=11&include=variants', 11],
    ['', 50],
  ]
  for (const [query, size] of sizes) {
    const { data, meta } = (await get(`${PRODUCTS}?${query}`)).body
    expect([query, data.length, meta.pagination.per_page, meta.pagination.total]).toEqual([query, size, size, 251])
  }
})

test('included children belong to their product', async () => {
  const { create, get } = await aProductWorld()
  await create({ variants: [variant('A', { Size: 'S' })], custom_fields: [{ name: 'Care', value: 'Hand' }] })
  await create({ name: 'Mug', sku: 'MUG' })
  const include =
    'bulk_pricing_rules,channels,custom_fields,images,modifiers,options,parent_relations,primary_image,reviews,variants,videos'
  const [shirt, mug] = (await get(`${PRODUCTS}?include=${include}`)).body.data
  expect([shirt.options.length, shirt.variants[0].sku, shirt.custom_fields.length]).toEqual([1, 'A', 1])
  expect([mug.options, mug.variants[0].sku, mug.custom_fields, mug.videos, mug.primary_image]).toEqual([
    [],
    'MUG',
    [],
    [],
    null,
  ])
})

test('products are sorted by id by default, and otherwise by the requested field and direction', async () => {
  const { create, get } = await aProductWorld()
  const b = (await create({ name: 'B', price: 1 })).id
  const a = (await create({ name: 'A', price: 2 })).id
  expect(await idsOf(get, '')).toEqual([b, a])
  expect(await idsOf(get, 'direction=desc')).toEqual([a, b])
  expect(await idsOf(get, 'direction=desc&limit=1&page=2')).toEqual([b])
  expect(await idsOf(get, 'sort=name')).toEqual([a, b])
  expect(await idsOf(get, 'sort=price&direction=desc')).toEqual([a, b])
})

test('an update replaces the categories and adds images and custom fields that have no id', async () => {
  const { create, call, get, picture, aCategory } = await aProductWorld()
  const [old, fresh] = [aCategory('Old'), aCategory('Fresh')]
  const { id } = await create({ categories: [old], custom_fields: [{ name: 'Care', value: 'Hand' }] })
  const body = {
    categories: [fresh],
    images: [{ image_url: picture('a.png') }],
    custom_fields: [{ name: 'Origin', value: 'Peru' }],
  }
  expect((await call('PUT', `${PRODUCTS}/${id}`, body)).status).toBe(200)
  const { data } = (await get(`${PRODUCTS}/${id}?include=images,custom_fields`)).body
  expect([data.categories, data.images.length, data.custom_fields.length]).toEqual([[fresh], 1, 2])
})

test('an update of the SKU changes the base variant as well, and may repeat its own SKU', async () => {
  const { create, call, get } = await aProductWorld()
  const { id } = await create({ sku: 'OLD' })
  expect((await call('PUT', `${PRODUCTS}/${id}`, { sku: 'OLD' })).status).toBe(200)
  expect((await call('PUT', `${PRODUCTS}/${id}`, { sku: 'NEW' })).status).toBe(200)
  expect((await get(`${PRODUCTS}/${id}?include=variants`)).body.data.variants[0].sku).toBe('NEW')
})

test('everything that belongs to a product is deleted with it', async () => {
  const { create, call, store, picture } = await aProductWorld()
  const { id } = await create({ variants: [variant('A', { Size: 'S' })], images: [{ image_url: picture('a.png') }] })
  expect((await call('DELETE', `${PRODUCTS}/${id}`)).status).toBe(204)
  for (const name of [
    'products',
    'variants',
    'options',
    'option_values',
    'images',
    'urls',
    'product_channel_assignments',
  ]) {
    expect([name, store.table(name).count()]).toEqual([name, 0])
  }
})

test('products are deleted by filter only, at most 250 at a time', async () => {
  const { store, call } = await aProductWorld()
  const ids = manyProducts(store, 251)
  expect((await call('DELETE', PRODUCTS)).status).toBe(422)
  expect((await call('DELETE', `${PRODUCTS}?id:in=${ids.join(',')}`)).status).toBe(422)
  expect((await call('DELETE', `${PRODUCTS}?id:in=${ids.slice(1).join(',')}`)).status).toBe(204)
  expect(store.table('products').count()).toBe(1)
})

async function idsOf(get: (path: string) => Promise<{ body: { data: { id: number }[] } }>, query: string) {
  return (await get(`${PRODUCTS}?${query}`)).body.data.map((row) => row.id)
}
