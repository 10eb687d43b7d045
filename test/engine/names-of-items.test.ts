import { expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { aWorld } from '../harness/world.ts'
import { generous, rows } from './replace-story.ts'

interface Pair {
  component: string
  sourceId: string
  item: { name: string | null; sku: string | null }
}

interface Image {
  component: string
  action: string
  destinationId: string
  item: { name: string | null; sku: string | null; parentName: string | null }
}

longTest('S9: item pairs have the names of what was copied or found, and none of people', async () => {
  const world = await aWorld({ entities: ['categories', 'brands', 'products', 'customer-groups', 'customers'] })
  const run = await world.complete()
  const pairs = async (component: string) =>
    (
      await world.api<{ items: Pair[] }>(
        'GET',
        `/v2/migrations/${run.requestId}/mappings?component=${component}&limit=200`,
      )
    ).body.items
  const products = new Map((await rows(world, 'source', 'products')).map((row) => [String(row.id), row]))
  const found = await pairs('products')
  expect(found.length).toBeGreaterThan(0)
  for (const { sourceId, item } of found)
    expect([item.name, item.sku ?? '']).toEqual([products.get(sourceId)?.name, products.get(sourceId)?.sku ?? ''])
  const people = await pairs('customers')
  expect(people.length).toBeGreaterThan(0)
  expect(people.map(({ item }) => item)).toEqual(people.map(() => ({ name: null, sku: null })))
})

test('D6: what was overwritten or deleted is kept with its name, and a part with that of its item', async () => {
  const world = await aWorld({ catalogueOnly: true, entities: ['categories', 'brands', 'products'] })
  await world.complete()
  const [brand] = await rows(world, 'destination', 'brands')
  const [product] = await rows(world, 'destination', 'products')
  const image = (await rows(world, 'destination', 'images')).find(({ product_id }) => product_id === product?.id)
  const set = (table: string, id: number, fields: object) =>
    world.change('destination', { op: 'set', table, id, fields: { ...fields } })
  await set('brands', brand?.id ?? 0, { page_title: 'Theirs' })
  await set('images', image?.id ?? 0, { description: 'Theirs' })
  const run = await world.complete(generous)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const { items } = (await world.api<{ items: Image[] }>('GET', `/v2/migrations/${run.requestId}/before-images`)).body
  const ofBrand = items.filter(({ component }) => component === 'brands')
  expect(ofBrand.map(({ item }) => item)).toContainEqual({ name: brand?.name, sku: null, parentName: null })
  const ofImage = items.filter(({ component }) => component === 'product-images')
  expect(ofImage.map(({ item }) => item.parentName)).toContain(product?.name)
})
