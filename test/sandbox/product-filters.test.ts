import { expect, test } from 'vitest'
import { PRODUCTS, variant } from './a-shop.ts'
import { aProductWorld } from './product-world.ts'

type World = Awaited<ReturnType<typeof aProductWorld>>

const names = async ({ get }: World, query: string) =>
  (await get(`${PRODUCTS}?${query}`)).body.data.map((row: { name: string }) => row.name)

async function shelf(world: World) {
  const [shoes, sale] = [world.aCategory('Shoes'), world.aCategory('Sale')]
  await world.create({ name: 'Boot', categories: [shoes], condition: 'Used', price: 5 })
  await world.create({ name: 'Clog', categories: [shoes, sale], price: 9, sale_price: 3 })
  await world.create({ name: 'Hat', categories: [sale], price: 4, brand_name: 'Lumen' })
  return { shoes, sale }
}

test('categories finds products that are in this category only', async () => {
  const world = await aProductWorld()
  const { shoes, sale } = await shelf(world)
  expect(await names(world, `categories=${shoes}`)).toEqual(['Boot'])
  expect(await names(world, `categories=${sale}`)).toEqual(['Hat'])
})

test('with the switch categories_in it finds those that are in all of them', async () => {
  const world = await aProductWorld({ switches: { categories_in: 'all' } })
  const { shoes, sale } = await shelf(world)
  expect(await names(world, `categories:in=${shoes},${sale}`)).toEqual(['Clog'])
})

test('a list of ids with anything else is 422', async () => {
  const { get } = await aProductWorld()
  for (const filter of ['id:in=many', 'id:not_in=1,x', 'categories:in=shoes', 'inventory_level:in=low'])
    expect([filter, (await get(`${PRODUCTS}?${filter}`)).status]).toEqual([filter, 422])
})

test('the condition is spelled in lower case', async () => {
  const world = await aProductWorld()
  await shelf(world)
  expect(await names(world, 'condition=used')).toEqual(['Boot'])
})

test('a keyword also matches the name of the brand', async () => {
  const world = await aProductWorld()
  await shelf(world)
  expect(await names(world, 'keyword=lumen')).toEqual(['Hat'])
})

test('products are sorted by price including the sale price', async () => {
  const world = await aProductWorld()
  await shelf(world)
  expect(await names(world, 'sort=calculated_price')).toEqual(['Clog', 'Hat', 'Boot'])
})

test('filters and sorting by stock use the stock of the variants', async () => {
  const world = await aProductWorld()
  const sizes = (levels: number[]) =>
    levels.map((inventory_level, at) => variant('', { Size: `${at}` }, { inventory_level }))
  await world.create({ name: 'Many', inventory_tracking: 'variant', variants: sizes([4, 5]) })
  await world.create({ name: 'None', inventory_tracking: 'variant', variants: sizes([0, 0]) })
  await world.create({ name: 'Some', inventory_tracking: 'product', inventory_level: 6 })
  expect(await names(world, 'inventory_level:min=7')).toEqual(['Many'])
  expect(await names(world, 'out_of_stock=1')).toEqual(['None'])
  expect(await names(world, 'sort=inventory_level')).toEqual(['None', 'Some', 'Many'])
})
