import { expect, test } from 'vitest'
import { PRODUCTS, variant } from './a-shop.ts'
import { aProductWorld } from './product-world.ts'

const RED = { label: 'Red', sort_order: 0, value_data: { colors: ['#ff0000'] } }
const COLOUR = { display_name: 'Colour', type: 'swatch', option_values: [RED, { label: 'Blue', sort_order: 1 }] }

async function aProduct(fields: Record<string, unknown> = {}) {
  const world = await aProductWorld()
  const created = await world.create(fields)
  return { ...world, created, path: `${PRODUCTS}/${created.id}` }
}

test('an option is created with its values and without variants', async () => {
  const { call, get, path } = await aProduct()
  const { data } = (await call('POST', `${path}/options`, COLOUR)).body
  expect(data.option_values[0]).toMatchObject({ label: 'Red', value_data: { colors: ['#ff0000'] }, is_default: false })
  expect((await get(`${path}/variants`)).body.data).toHaveLength(1)
})

test('an option needs a display name, a type and at least one value', async () => {
  const { call, path } = await aProduct()
  for (const field of ['display_name', 'type', 'option_values']) {
    const answer = await call('POST', `${path}/options`, { ...COLOUR, [field]: undefined })
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
  }
})

test('a display name is unique among options and modifiers', async () => {
  const { call, path } = await aProduct()
  await call('POST', `${path}/options`, COLOUR)
  expect((await call('POST', `${path}/options`, { ...COLOUR, display_name: 'colour' })).status).toBe(422)
  const modifier = { display_name: 'Colour', type: 'text', required: false }
  expect((await call('POST', `${path}/modifiers`, modifier)).status).toBe(422)
  expect((await call('POST', `${path}/modifiers`, { ...modifier, display_name: 'Text' })).status).toBe(200)
  expect((await call('POST', `${path}/options`, { ...COLOUR, display_name: 'Text' })).status).toBe(422)
})

test('an option update changes values with an id and adds those without', async () => {
  const { call, path } = await aProduct()
  const { data: option } = (await call('POST', `${path}/options`, COLOUR)).body
  const option_values = [
    { id: option.option_values[0].id, label: 'Crimson', sort_order: 0 },
    { label: 'Green', sort_order: 2 },
  ]
  const answer = await call('PUT', `${path}/options/${option.id}`, {
    display_name: 'Colour',
    type: 'dropdown',
    option_values,
  })
  expect([answer.status, answer.body.data.type]).toEqual([200, 'dropdown'])
  expect(answer.body.data.option_values.map((value: { label: string }) => value.label)).toEqual([
    'Crimson',
    'Blue',
    'Green',
  ])
})

test('option values have calls of their own and unique labels', async () => {
  const { call, get, path } = await aProduct()
  const { data: option } = (await call('POST', `${path}/options`, COLOUR)).body
  const values = `${path}/options/${option.id}/values`
  const { data: green } = (await call('POST', values, { label: 'Green', sort_order: 5 })).body
  expect((await call('POST', values, { label: 'GREEN', sort_order: 6 })).status).toBe(422)
  expect((await call('PUT', `${values}/${green.id}`, { label: 'Lime', sort_order: 5 })).body.data.label).toBe('Lime')
  expect((await call('DELETE', `${values}/${green.id}`)).status).toBe(204)
  expect((await get(values)).body.data).toHaveLength(2)
})

test('deleting an option deletes its variants and leaves a base variant', async () => {
  const { call, get, path } = await aProduct({ variants: [variant('A', { Size: 'S' }), variant('B', { Size: 'M' })] })
  const { data: options } = (await get(`${path}/options`)).body
  expect((await call('DELETE', `${path}/options/${options[0].id}`)).status).toBe(204)
  const { data: variants } = (await get(`${path}/variants`)).body
  expect(variants.map((row: { option_values: unknown[] }) => row.option_values)).toEqual([[]])
  expect((await get(path)).body.data.base_variant_id).toBe(variants[0].id)
})

test('a checkbox is created with Yes and No and accepts no values', async () => {
  const { call, path } = await aProduct()
  const checkbox = { display_name: 'Gift box', type: 'checkbox', required: false, config: { checked_by_default: true } }
  expect(
    (await call('POST', `${path}/modifiers`, { ...checkbox, option_values: [{ label: 'Yes', sort_order: 0 }] })).status,
  ).toBe(422)
  const { data } = (await call('POST', `${path}/modifiers`, checkbox)).body
  const seen = data.option_values.map((value: Record<string, unknown>) => [
    value.label,
    value.value_data,
    value.is_default,
  ])
  expect(seen).toEqual([
    ['Yes', { checked_value: true }, true],
    ['No', { checked_value: false }, false],
  ])
})

test('a value of a product list names its product, in a modifier and in an option', async () => {
  const { call, path } = await aProduct()
  const list = (kind: object, value: object) => ({ display_name: 'Goes with', option_values: [value], ...kind })
  const modifier = { type: 'product_list', required: false }
  const refused = [
    await call('POST', `${path}/modifiers`, list(modifier, { label: 'Set' })),
    await call('POST', `${path}/modifiers`, list(modifier, { label: 'Set', value_data: {} })),
    await call('POST', `${path}/options`, list({ type: 'product_list_with_images' }, { label: 'Set' })),
  ]
  expect(refused.map(({ status }) => status)).toEqual([422, 422, 422])
  const { body } = await call(
    'POST',
    `${path}/modifiers`,
    list(modifier, { label: 'Set', value_data: { product_id: 1 } }),
  )
  const [set] = body.data.option_values
  const one = `${path}/modifiers/${body.data.id}/values/${set.id}`
  expect((await call('PUT', one, { label: 'Sets' })).status).toBe(200)
  expect((await call('PUT', one, { value_data: {} })).status).toBe(422)
})

test('a checkbox gets its adjuster by an update of its value', async () => {
  const { call, path } = await aProduct()
  const { data } = (await call('POST', `${path}/modifiers`, { display_name: 'Box', type: 'checkbox', required: false }))
    .body
  const [yes] = data.option_values
  const adjusters = { price: { adjuster: 'relative', adjuster_value: 4.5 } }
  const answer = await call('PUT', `${path}/modifiers/${data.id}/values/${yes.id}`, {
    label: 'Yes',
    sort_order: 0,
    adjusters,
  })
  expect(answer.body.data.adjusters).toMatchObject({ ...adjusters, purchasing_disabled: { status: false } })
  const wrong = { label: 'Yes', sort_order: 0, adjusters: { price: { adjuster: 'double', adjuster_value: 1 } } }
  expect((await call('PUT', `${path}/modifiers/${data.id}/values/${yes.id}`, wrong)).status).toBe(422)
})

test('a choice modifier keeps its values and adjusters', async () => {
  const { call, get, path } = await aProduct()
  const adjusters = {
    price: { adjuster: 'percentage', adjuster_value: 7.5 },
    weight: { adjuster: 'relative', adjuster_value: 1 },
  }
  const option_values = [{ label: '3 years', sort_order: 0, is_default: true, adjusters }]
  await call('POST', `${path}/modifiers`, { display_name: 'Warranty', type: 'dropdown', required: true, option_values })
  const [modifier] = (await get(`${path}/modifiers`)).body.data
  expect(modifier.option_values[0]).toMatchObject({
    label: '3 years',
    is_default: true,
    option_id: modifier.id,
    adjusters,
  })
})

test('a date modifier with dates that are not ISO 8601 with an offset is a server error', async () => {
  const { call, path } = await aProduct()
  const date = (date_earliest_value: string | undefined) => ({
    display_name: `On ${date_earliest_value}`,
    type: 'date',
    required: false,
    config: { date_limited: true, date_limit_mode: 'earliest', date_earliest_value },
  })
  expect((await call('POST', `${path}/modifiers`, date('2026-01-01'))).status).toBe(500)
  expect((await call('POST', `${path}/modifiers`, date(undefined))).status).toBe(500)
  expect((await call('POST', `${path}/modifiers`, date('2026-01-01T00:00:00+00:00'))).status).toBe(200)
})

test('a null price or weight is the product’s', async () => {
  const { created, call, path } = await aProduct({ price: 49, sale_price: 39, weight: 2 })
  const [base] = created.variants
  expect(base).toMatchObject({ price: null, calculated_price: 39, weight: null, calculated_weight: 2 })
  const answer = await call('PUT', `${path}/variants/${base.id}`, { price: 12, weight: 3 })
  expect(answer.body.data).toMatchObject({ calculated_price: 12, calculated_weight: 3 })
})

test('a variant’s picture is stored, and one that cannot be downloaded is refused', async () => {
  const { created, call, picture, path } = await aProduct()
  const [base] = created.variants
  const answer = await call('POST', `${path}/variants/${base.id}/image`, { image_url: picture('red.png') })
  expect([answer.status, answer.body.data.image_url]).toEqual([200, expect.stringMatching(/\/[a-z]\/red__\d{5}\.png$/)])
  expect((await fetch(answer.body.data.image_url)).status).toBe(200)
  const missing = await call('PUT', `${path}/variants/${base.id}`, { image_url: picture('missing.png') })
  expect([missing.status, Object.keys(missing.body.errors)]).toEqual([422, ['variants.0.image_url']])
})

test('the first real variant replaces the base variant', async () => {
  const { call, get, path } = await aProduct({ sku: 'TOP' })
  const { data: option } = (await call('POST', `${path}/options`, COLOUR)).body
  const option_values = [{ option_id: option.id, id: option.option_values[1].id }]
  const answer = await call('POST', `${path}/variants`, { sku: 'BLUE', option_values })
  expect(answer.body.data.option_values[0].label).toBe('Blue')
  expect((await get(`${path}/variants`)).body.data.map((row: { sku: string }) => row.sku)).toEqual(['BLUE'])
  expect((await get(path)).body.data.base_variant_id).toBeNull()
})

test('a variant with a duplicate SKU or duplicate values is a 409', async () => {
  const { call, created, path } = await aProduct({
    variants: [variant('A', { Size: 'S' }), variant('B', { Size: 'M' })],
  })
  const [a, b] = created.variants
  expect((await call('PUT', `${path}/variants/${b.id}`, { sku: 'a' })).status).toBe(409)
  expect((await call('POST', `${path}/variants`, { sku: 'C', option_values: a.option_values })).status).toBe(409)
})

test('a batch row without an id creates a variant', async () => {
  const { call, created, path } = await aProduct({ variants: [variant('A', { Size: 'S' })] })
  const [{ option_id }] = created.variants[0].option_values
  const { data: value } = (await call('POST', `${path}/options/${option_id}/values`, { label: 'M', sort_order: 1 }))
    .body
  const row = { product_id: created.id, sku: 'B', option_values: [{ option_id, id: value.id }] }
  const answer = await call('PUT', '/v3/catalog/variants', [row])
  expect([answer.status, answer.body.data[0].sku, answer.body.data[0].option_values[0].label]).toEqual([200, 'B', 'M'])
})

test('custom fields have calls of their own and unique pairs', async () => {
  const { call, get, path } = await aProduct()
  const fields = `${path}/custom-fields`
  const { data: care } = (await call('POST', fields, { name: 'Care', value: 'Hand' })).body
  expect((await call('POST', fields, { name: 'Care', value: 'Hand' })).status).toBe(422)
  expect((await call('POST', fields, { name: 'Care', value: 'v'.repeat(251) })).status).toBe(422)
  expect((await call('PUT', `${fields}/${care.id}`, { name: 'Care', value: 'Machine' })).body.data.value).toBe(
    'Machine',
  )
  expect((await call('DELETE', `${fields}/${care.id}`)).status).toBe(204)
  expect((await get(fields)).body.data).toEqual([])
})

test('channel assignments are written, listed by filter, and deleted by filter only', async () => {
  const { call, get, created } = await aProduct()
  const path = `${PRODUCTS}/channel-assignments`
  const row = { product_id: created.id, channel_id: 1 }
  expect((await get(path)).body.data).toEqual([row])
  expect((await call('PUT', path, [row])).status).toBe(204)
  expect((await get(`${path}?product_id:in=${created.id}&channel_id:in=1`)).body.data).toEqual([row])
  expect((await call('PUT', path, [{ product_id: created.id, channel_id: 4_711 }])).status).toBe(422)
  expect((await call('DELETE', path)).status).toBe(422)
  expect((await call('DELETE', `${path}?product_id:in=${created.id}`)).status).toBe(204)
  expect((await get(path)).body.data).toEqual([])
})

test('a product is in at most 1,000 categories, also by assignment', async () => {
  const { store, create, aCategory, call } = await aProductWorld()
  const { id } = await create()
  const path = `${PRODUCTS}/category-assignments`
  const rows = store.transaction(() =>
    Array.from({ length: 1_001 }, (_nothing, at) => ({ product_id: id, category_id: aCategory(`Category ${at}`) })),
  )
  expect((await call('PUT', path, rows)).status).toBe(422)
  expect((await call('PUT', path, rows.slice(1))).status).toBe(204)
  expect((await call('PUT', path, rows.slice(0, 1))).status).toBe(422)
})

test('category assignments add categories and one invalid row refuses all', async () => {
  const { call, get, created, path, aCategory } = await aProduct()
  const [shoes, hats] = [aCategory('Shoes'), aCategory('Hats')]
  const assignments = `${PRODUCTS}/category-assignments`
  const bad = await call('PUT', assignments, [
    { product_id: created.id, category_id: shoes },
    { product_id: created.id, category_id: 1 },
  ])
  expect([bad.status, Object.keys(bad.body.errors)]).toEqual([422, ['1.category_id']])
  const rows = [shoes, hats].map((category_id) => ({ product_id: created.id, category_id }))
  expect((await call('PUT', assignments, rows)).status).toBe(204)
  expect((await get(path)).body.data.categories).toEqual([shoes, hats])
  expect((await call('DELETE', `${assignments}?category_id:in=${shoes}`)).status).toBe(204)
  expect((await get(path)).body.data.categories).toEqual([hats])
})
