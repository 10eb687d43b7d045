import { expect, test } from 'vitest'
import { PRODUCTS, product, variant } from './a-shop.ts'
import { aProductWorld } from './product-world.ts'

const MOST = 2_147_483_647

test('stock above 2,147,483,647 is cut to it', async () => {
  const { create } = await aProductWorld()
  expect(await create({ inventory_tracking: 'product', inventory_level: MOST + 1 })).toMatchObject({
    inventory_level: MOST,
  })
})

test('a product update with a duplicate or invalid URL is saved without it: 207; a create is 409', async () => {
  const { call, create, get } = await aProductWorld()
  await create({ name: 'First', custom_url: { url: '/taken/' } })
  const { id, custom_url } = await create({ name: 'Second' })
  for (const url of ['/taken/', 'no address', `/${'u'.repeat(256)}`]) {
    const answer = await call('PUT', `${PRODUCTS}/${id}`, { price: 7, custom_url: { url } })
    expect([url, answer.status, Object.keys(answer.body.errors.errors)]).toEqual([url, 207, ['custom_url']])
  }
  expect((await get(`${PRODUCTS}/${id}`)).body.data).toMatchObject({ price: 7, custom_url })
  expect((await call('POST', PRODUCTS, product({ name: 'Third', custom_url: { url: '/taken/' } }))).status).toBe(409)
})

test('with the switch a product update with a duplicate URL is 409', async () => {
  const { call, create } = await aProductWorld({ switches: { product_url: 'refuse' } })
  await create({ name: 'First', custom_url: { url: '/taken/' } })
  const { id } = await create({ name: 'Second' })
  expect((await call('PUT', `${PRODUCTS}/${id}`, { custom_url: { url: '/taken/' } })).status).toBe(409)
})

async function twoVariants(world: Awaited<ReturnType<typeof aProductWorld>>) {
  const variants = ['S', 'L'].map((size) => variant(size, { Size: size }))
  const { id } = await world.create({ inventory_tracking: 'variant', variants })
  const rows = (await world.get(`${PRODUCTS}/${id}/variants`)).body.data
  return rows.map((row: { id: number }) => `${PRODUCTS}/${id}/variants/${row.id}`)
}

test('a variant with negative stock is saved without it: 207', async () => {
  const world = await aProductWorld()
  const [small] = await twoVariants(world)
  const answer = await world.call('PUT', small, { price: 9, inventory_level: -1 })
  expect(answer).toMatchObject({ status: 207, body: { data: { price: 9, inventory_level: 0 } } })
})

test('the stock of all variants stays within the limit: a single variant is cut to it, the next is saved without: 207', async () => {
  const world = await aProductWorld()
  const [small, large] = await twoVariants(world)
  const alone = await world.call('PUT', small, { inventory_level: MOST + 5 })
  expect(alone).toMatchObject({ status: 200, body: { data: { inventory_level: MOST } } })
  const next = await world.call('PUT', large, { price: 3, inventory_level: 1 })
  expect(next).toMatchObject({ status: 207, body: { data: { price: 3, inventory_level: 0 } } })
})

test('the stock of a product counted by variant is their sum, whatever value is sent', async () => {
  const world = await aProductWorld()
  const [small, large] = await twoVariants(world)
  await world.call('PUT', small, { inventory_level: 4 })
  await world.call('PUT', large, { inventory_level: 3 })
  const path = small.split('/variants/')[0]
  await world.call('PUT', path, { inventory_level: 99 })
  expect((await world.get(path)).body.data.inventory_level).toBe(7)
  expect((await world.get(PRODUCTS)).body.data[0].inventory_level).toBe(7)
  await world.call('DELETE', large)
  expect((await world.get(path)).body.data.inventory_level).toBe(4)
})

test('a price can be hidden only if the product cannot be bought: otherwise 422', async () => {
  const { call, create } = await aProductWorld()
  const hidden = { is_price_hidden: true, price_hidden_label: 'Ask us' }
  expect((await call('POST', PRODUCTS, product(hidden))).status).toBe(422)
  const { id } = await create({ name: 'Lamp' })
  expect((await call('PUT', `${PRODUCTS}/${id}`, hidden)).status).toBe(422)
  expect((await call('PUT', `${PRODUCTS}/${id}`, { ...hidden, availability: 'disabled' })).status).toBe(200)
})

test('the answers of a product POST and PUT show the requested fields', async () => {
  const { call } = await aProductWorld()
  const shown = (answer: { body: { data: Record<string, unknown> } }) =>
    Object.keys(answer.body.data).filter((name) => !name.startsWith('gift_wrapping_options_'))
  const made = await call('POST', `${PRODUCTS}?include_fields=name`, product())
  expect(shown(made)).toEqual(expect.arrayContaining(['id', 'name', 'variants']))
  expect(shown(made)).not.toContain('price')
  const changed = await call('PUT', `${PRODUCTS}/${made.body.data.id}?include_fields=price&include=options`, {
    price: 3,
  })
  expect(shown(changed).sort()).toEqual(['id', 'options', 'price'])
})

test('a single variant needs a SKU', async () => {
  const world = await aProductWorld()
  const { id } = await world.create({ variants: [variant('S', { Size: 'S' })] })
  const option = (await world.get(`${PRODUCTS}/${id}/options`)).body.data[0]
  const value = await world.call('POST', `${PRODUCTS}/${id}/options/${option.id}/values`, { label: 'L', sort_order: 1 })
  const option_values = [{ option_id: option.id, id: value.body.data.id }]
  expect((await world.call('POST', `${PRODUCTS}/${id}/variants`, { option_values })).status).toBe(422)
  expect((await world.call('POST', `${PRODUCTS}/${id}/variants`, { sku: 'L', option_values })).status).toBe(200)
})

test('an image that moves down the list shifts those after its new position, and one that moves up does not', async () => {
  const world = await aProductWorld()
  const images = ['a', 'b', 'c', 'd'].map((name, sort_order) => ({
    image_url: world.picture(`${name}.png`),
    sort_order,
  }))
  const { id, images: made } = await world.create({ images })
  const orders = async () =>
    (await world.get(`${PRODUCTS}/${id}/images`)).body.data.map((row: { sort_order: number }) => row.sort_order)
  await world.call('PUT', `${PRODUCTS}/${id}/images/${made[0].id}`, { sort_order: 2 })
  expect(await orders()).toEqual([2, 1, 3, 4])
  await world.call('PUT', `${PRODUCTS}/${id}/images/${made[3].id}`, { sort_order: 0 })
  expect(await orders()).toEqual([2, 1, 3, 0])
})

test('a product with an option set cannot be given options: 422', async () => {
  const { call, create, store } = await aProductWorld()
  const { id } = await create()
  store.table('products').update(id, { option_set_id: 12 })
  const option = { display_name: 'Size', type: 'dropdown', option_values: [{ label: 'S', sort_order: 0 }] }
  expect((await call('POST', `${PRODUCTS}/${id}/options`, option)).status).toBe(422)
})
