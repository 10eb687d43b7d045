import { expect, test } from 'vitest'
import { PRODUCTS, product, variant } from './a-shop.ts'
import { aProductWorld } from './product-world.ts'

const BRANDS = '/v3/catalog/brands'
const CATEGORIES = '/v3/catalog/trees/categories'

type World = Awaited<ReturnType<typeof aProductWorld>>

const withSwitches = (switches: Record<string, unknown>) => aProductWorld({ switches })

test.each([
  [PRODUCTS, 'id:in'],
  ['/v3/catalog/variants', 'product_id:in'],
  [BRANDS, 'id:in'],
  [CATEGORIES, 'category_id:in'],
  [`${PRODUCTS}/category-assignments`, 'product_id:in'],
])('%s accepts any number of ids in %s unless the switch id_in_max sets a limit', async (path, filter) => {
  const open = await aProductWorld()
  expect((await open.get(`${path}?${filter}=1,2,3`)).status).toBe(200)
  const limited = await withSwitches({ id_in_max: 2 })
  expect((await limited.get(`${path}?${filter}=1,2`)).status).toBe(200)
  expect((await limited.get(`${path}?${filter}=1,2,3`)).status).toBe(413)
})

async function assigning(world: World, count: number): Promise<number> {
  const { id } = await world.create()
  const rows = Array.from({ length: count }, (_nothing, at) => ({
    product_id: id,
    category_id: world.aCategory(`Category ${at}`),
  }))
  return (await world.call('PUT', `${PRODUCTS}/category-assignments`, rows)).status
}

test('batches of assignments have any size unless the switch assignment_batch_max sets a limit', async () => {
  expect(await assigning(await aProductWorld(), 3)).toBe(204)
  expect(await assigning(await withSwitches({ assignment_batch_max: 3 }), 3)).toBe(204)
  expect(await assigning(await withSwitches({ assignment_batch_max: 2 }), 3)).toBe(413)
})

async function describing(world: World, count: number): Promise<number> {
  const resource_id = world.aBrand('Lumen')
  const rows = Array.from({ length: count }, (_nothing, at) => ({
    resource_id,
    namespace: 'n',
    key: `k${at}`,
    value: 'v',
    permission_set: 'read',
  }))
  return (await world.call('POST', `${BRANDS}/metafields`, rows)).status
}

test('batches of metafields have any size unless the switch metafield_batch_max sets a limit', async () => {
  expect(await describing(await aProductWorld(), 3)).toBe(200)
  expect(await describing(await withSwitches({ metafield_batch_max: 3 }), 3)).toBe(200)
  expect(await describing(await withSwitches({ metafield_batch_max: 2 }), 3)).toBe(413)
})

const LONG_AGO = '2020-01-01T00:00:00+00:00'

/** The modified date of a product after each kind of change below it; the date is reset before every change. */
async function datesAfterChildEdits(world: World): Promise<Record<string, string>> {
  const { id } = await world.create({ variants: [variant('S', { Size: 'S' })] })
  const path = `${PRODUCTS}/${id}`
  const variantId = (await world.get(`${path}/variants`)).body.data[0].id
  const edits: [string, string, string, unknown][] = [
    ['image', 'POST', `${path}/images`, { image_url: world.picture('a.png') }],
    ['variant', 'PUT', `${path}/variants/${variantId}`, { price: 3 }],
    ['custom field', 'POST', `${path}/custom-fields`, { name: 'Care', value: 'Wash' }],
    ['video', 'POST', `${path}/videos`, { video_id: 'z3fRu9pkuXE' }],
    ['modifier', 'POST', `${path}/modifiers`, { display_name: 'Note', type: 'text', required: false }],
  ]
  const dates: Record<string, string> = {}
  for (const [name, method, childPath, body] of edits) {
    world.store.table('products').update(id, { date_modified: LONG_AGO })
    expect([name, (await world.call(method, childPath, body)).status]).toEqual([name, 200])
    dates[name] = (await world.get(path)).body.data.date_modified
  }
  return dates
}

test('a change to a child leaves the product’s modified date unchanged', async () => {
  const dates = await datesAfterChildEdits(await aProductWorld())
  expect(new Set(Object.values(dates))).toEqual(new Set([LONG_AGO]))
})

test('with the switch child_edit_bumps_date a change to a child changes the product’s date', async () => {
  const dates = await datesAfterChildEdits(await withSwitches({ child_edit_bumps_date: true }))
  expect(Object.entries(dates).filter(([, date]) => date === LONG_AGO)).toEqual([])
})

test('all variants are included unless the switch included_variants_max sets a limit', async () => {
  const variants = ['S', 'M', 'L'].map((size) => variant(size, { Size: size }))
  const shown = async (world: World) => {
    await world.create({ variants })
    return (await world.get(`${PRODUCTS}?include=variants`)).body.data[0].variants.length
  }
  expect(await shown(await aProductWorld())).toBe(3)
  expect(await shown(await withSwitches({ included_variants_max: 2 }))).toBe(2)
})

/** The statuses of a product, a SKU and a brand whose names differ from existing ones by case only. */
async function otherCase({ call }: World): Promise<number[]> {
  await call('POST', PRODUCTS, product({ sku: 'LINEN' }))
  await call('POST', BRANDS, { name: 'Lumen' })
  const answers = [
    await call('POST', PRODUCTS, product({ name: 'LINEN SHIRT' })),
    await call('POST', PRODUCTS, product({ name: 'Other', sku: 'linen' })),
    await call('POST', BRANDS, { name: 'LUMEN' }),
    await call('POST', PRODUCTS, product({ sku: 'third' })),
  ]
  return answers.map((answer) => answer.status)
}

test('names and SKUs that differ by case only are duplicates', async () => {
  expect(await otherCase(await aProductWorld())).toEqual([409, 409, 409, 409])
})

test('with the switch case_sensitive_names they are not duplicates', async () => {
  expect(await otherCase(await withSwitches({ case_sensitive_names: true }))).toEqual([200, 200, 200, 409])
})

test('a product needs no category unless the switch categories_required is on', async () => {
  expect((await (await aProductWorld()).call('POST', PRODUCTS, product())).status).toBe(200)
  const world = await withSwitches({ categories_required: true })
  expect((await world.call('POST', PRODUCTS, product())).status).toBe(422)
  const shoes = world.aCategory('Shoes')
  expect((await world.call('POST', PRODUCTS, product({ categories: [shoes] }))).status).toBe(200)
})

test('with the switch image_order an image that moves down the list shifts no other', async () => {
  const world = await withSwitches({ image_order: 'keep' })
  const images = ['a', 'b'].map((name, sort_order) => ({ image_url: world.picture(`${name}.png`), sort_order }))
  const { id, images: made } = await world.create({ images })
  await world.call('PUT', `${PRODUCTS}/${id}/images/${made[0].id}`, { sort_order: 1 })
  const rows = (await world.get(`${PRODUCTS}/${id}/images`)).body.data
  expect(rows.map((row: { sort_order: number }) => row.sort_order)).toEqual([1, 1])
})
