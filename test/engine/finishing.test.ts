import { expect, test } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { aWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { expectCountersToEqualTheLedger } from './counted.ts'
import { aCatalogue, heal, setSource } from './healing-story.ts'

type Row = { id: number } & Record<string, unknown>

const rows = async (world: World, table: string): Promise<Row[]> => (await world.state('destination'))[table] ?? []

/** A copy of which one variant lacks its picture, and what the merchant has changed of it since. */
async function anEditedCopyWithoutPicture() {
  const world = await aCatalogue({ entities: ['categories', 'brands', 'products'] })
  const variant = (await world.state('source')).variants?.find(({ image_url }) => image_url !== '')
  if (!variant) throw new Error('The seed has no variant with a picture.')
  const dedication = { type: 'text', display_name: 'Dedication', required: false }
  await callStore(world, 'source', 'POST', `/v3/catalog/products/${variant.product_id}/modifiers`, dedication)
  const other = (await world.state('source')).products?.find(({ id }) => id !== variant.product_id)
  const related_products = [other?.id]
  await callStore(world, 'source', 'PUT', `/v3/catalog/products/${variant.product_id}`, { related_products })
  await setSource(world, 'variants', variant.id, { image_url: 'v/missing-variant.png' })
  const { requestId } = await world.complete()
  const copy = (await rows(world, 'variants')).find(({ sku }) => sku === variant.sku)
  const path = `/v3/catalog/products/${copy?.product_id}`
  const [modifier] = (await rows(world, 'modifiers')).filter(({ display_name }) => display_name === 'Dedication')
  const [picture] = (await rows(world, 'images')).filter(({ product_id }) => product_id === copy?.product_id)
  await callStore(world, 'destination', 'PUT', `${path}/modifiers/${modifier?.id}`, { required: true })
  await callStore(world, 'destination', 'PUT', `${path}/variants/${copy?.id}`, { price: 4711 })
  await callStore(world, 'destination', 'DELETE', `${path}/images/${picture?.id}`)
  const related = async () =>
    (await callStore<{ related_products: number[] }>(world, 'destination', 'GET', path)).related_products
  expect(await related()).toHaveLength(1)
  await callStore(world, 'destination', 'PUT', path, { related_products: [] })
  await setSource(world, 'variants', variant.id, { image_url: variant.image_url })
  const now = async () => ({
    variant: (await rows(world, 'variants')).find(({ id }) => id === copy?.id),
    modifier: (await rows(world, 'modifiers')).find(({ id }) => id === modifier?.id),
    pictures: (await rows(world, 'images')).filter(({ product_id }) => product_id === copy?.product_id).length,
    related: await related(),
  })
  return { world, requestId, variant, before: await now(), now }
}

test('C1: `skip` adds the picture that a variant lacked, and keeps what the merchant has changed of the copy since', async () => {
  const { world, before, now } = await anEditedCopyWithoutPicture()
  expect(before.variant).toMatchObject({ image_url: '', price: 4711 })
  const run = await world.complete()
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const after = await now()
  expect(after.variant?.image_url).not.toBe('')
  const { pictures, related } = before
  expect(after).toMatchObject({ variant: { price: 4711 }, modifier: { required: true }, pictures, related })
  await expectCountersToEqualTheLedger(world, run.requestId)
})

test('C1: healing adds the picture that a variant lacked, and nothing else', async () => {
  const { world, requestId, before, now } = await anEditedCopyWithoutPicture()
  expect(await heal(world, requestId)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const after = await now()
  expect(after.variant?.image_url).not.toBe('')
  const { pictures, related } = before
  expect(after).toMatchObject({ variant: { price: 4711 }, modifier: { required: true }, pictures, related })
})

test('C1: a picture that is missing in two runs is added by the third', async () => {
  const { world, variant, now } = await anEditedCopyWithoutPicture()
  await setSource(world, 'variants', variant.id, { image_url: 'v/missing-variant.png' })
  expect(await world.complete()).toMatchObject({ failuresOpen: 1 })
  expect((await now()).variant).toMatchObject({ image_url: '', price: 4711 })
  await setSource(world, 'variants', variant.id, { image_url: variant.image_url })
  expect(await world.complete()).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await now()).variant?.image_url).not.toBe('')
})

test('C1: a picture that `update` could not replace is replaced by `skip`, once it can be fetched', async () => {
  const world = await aCatalogue({ entities: ['categories', 'brands', 'products'] })
  await world.complete()
  const { images = [], variants = [] } = await world.state('source')
  const [image] = images
  const variant = variants.find(({ image_url }) => image_url !== '')
  if (!image || !variant) throw new Error('The seed has no pictures.')
  await setSource(world, 'images', image.id, { image_file: 'a/missing__10001.png' })
  await setSource(world, 'variants', variant.id, { image_url: 'v/missing-variant.png' })
  for (const conflictStrategy of ['update', 'skip'])
    expect(await world.complete({ conflictStrategy })).toMatchObject({ failuresOpen: 2 })
  await setSource(world, 'images', image.id, { image_file: images.at(-1)?.image_file })
  await setSource(world, 'variants', variant.id, { image_url: variant.image_url })
  expect(await world.complete()).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(compareStores(await world.state('source'), await world.state('destination'))).toEqual([])
})

test('C2: `update` writes what the merchant had changed of a copy before `skip` finished it, with a warning', async () => {
  const { world, variant, now } = await anEditedCopyWithoutPicture()
  await world.complete()
  const { requestId } = await world.complete({ conflictStrategy: 'update' })
  expect((await now()).variant).toMatchObject({ price: variant.price })
  const codes = (await world.issues(requestId)).map(({ code }) => code)
  expect(codes).toContain('destination_changed')
})

test('D2: `skip` puts a copy into the categories that it lacked, and leaves it in those that the merchant chose', async () => {
  const world = await aWorld({ catalogueOnly: true, entities: ['products'] })
  await world.complete()
  const { products = [], product_categories: links = [] } = await world.state('source')
  const product = products.find(({ id }) => links.some(({ product_id }) => product_id === id))
  const copy = (await rows(world, 'products')).find(({ name }) => name === product?.name)
  const [tree] = await callStore<Row[]>(world, 'destination', 'GET', '/v3/catalog/trees')
  const offers = [{ tree_id: tree?.id, name: 'Offers of the week', parent_id: 0 }]
  const [chosen] = await callStore<{ category_id: number }[]>(
    ...([world, 'destination', 'POST', '/v3/catalog/trees/categories', offers] as const),
  )
  const categories = [chosen?.category_id]
  await callStore(world, 'destination', 'PUT', `/v3/catalog/products/${copy?.id}`, { categories })
  await world.complete({ entities: ['categories', 'brands', 'products'] })
  const there = await callStore<{ categories: number[] }>(
    world,
    'destination',
    'GET',
    `/v3/catalog/products/${copy?.id}`,
  )
  const own = links.filter(({ product_id }) => product_id === product?.id).length
  expect(there.categories).toContain(chosen?.category_id)
  expect(there.categories).toHaveLength(own + 1)
})

test('D2: `skip` leaves the brand that the merchant chose for a copy without a brand', async () => {
  const world = await aWorld({ catalogueOnly: true, entities: ['products'] })
  await world.complete()
  const branded = (await world.state('source')).products?.find(({ brand_id }) => brand_id !== 0)
  const copyOf = async () => (await rows(world, 'products')).find(({ name }) => name === branded?.name)
  const own = await callStore<Row>(world, 'destination', 'POST', '/v3/catalog/brands', { name: 'House brand' })
  const path = `/v3/catalog/products/${(await copyOf())?.id}`
  await callStore(world, 'destination', 'PUT', path, { brand_id: own.id })
  const run = await world.complete({ entities: ['categories', 'brands', 'products'] })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await copyOf()).toMatchObject({ brand_id: own.id })
  await world.complete({ conflictStrategy: 'update', entities: ['categories', 'brands', 'products'] })
  expect((await copyOf())?.brand_id).not.toBe(own.id)
})
