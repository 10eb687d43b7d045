import { expect, test } from 'vitest'
import { PRODUCTS } from './a-shop.ts'
import { aProductWorld } from './product-world.ts'

const choice = (display_name: string) => ({
  display_name,
  type: 'dropdown',
  required: false,
  option_values: [
    { label: 'Yes', sort_order: 0 },
    { label: 'No', sort_order: 1 },
  ],
})

/** A product with two modifiers, and conditions on the first value of each. */
async function aProduct() {
  const world = await aProductWorld()
  const { id } = await world.create()
  const conditions: { modifier_id: number; modifier_value_id: number; variant_id: null }[] = []
  for (const name of ['Gift wrap', 'Engraving']) {
    const modifier = (await world.call('POST', `${PRODUCTS}/${id}/modifiers`, choice(name))).body.data
    const modifier_value_id = modifier.option_values[0].id
    conditions.push({ modifier_id: modifier.id, modifier_value_id, variant_id: null })
  }
  return { ...world, id, conditions, path: `${PRODUCTS}/${id}/complex-rules` }
}

test('a complex rule is created, read, changed and deleted below its product', async () => {
  const { call, get, id, path, conditions } = await aProduct()
  const price_adjuster = { adjuster: 'relative', adjuster_value: 8 }
  const { data } = (await call('POST', path, { conditions, price_adjuster, sort_order: 1 })).body
  expect(data).toMatchObject({ product_id: id, enabled: true, stop: false, sort_order: 1, price_adjuster, conditions })
  expect(data.weight_adjuster).toEqual({})
  expect(data.conditions[0].rule_id).toBe(data.id)
  expect((await get(`${path}/${data.id}`)).body.data).toEqual(data)
  expect((await call('PUT', `${path}/${data.id}`, { enabled: false })).body.data).toEqual({ ...data, enabled: false })
  expect((await call('DELETE', `${path}/${data.id}`)).status).toBe(204)
  expect((await get(path)).body.data).toEqual([])
})

test('a rule needs two choices, or one with a variant', async () => {
  const { call, get, id: productId, path, conditions } = await aProduct()
  expect((await call('POST', path, {})).status).toBe(422)
  expect((await call('POST', path, { conditions: conditions.slice(1) })).status).toBe(422)
  const { id } = (await call('POST', path, { conditions })).body.data
  expect((await call('PUT', `${path}/${id}`, { conditions: [] })).status).toBe(422)
  const variant_id = (await get(`${PRODUCTS}/${productId}`)).body.data.base_variant_id
  expect((await call('POST', path, { conditions: [{ variant_id }] })).status).toBe(422)
  const together = await call('POST', path, { conditions: [{ ...conditions[0], variant_id }] })
  expect(together.body.data.conditions).toMatchObject([{ ...conditions[0], variant_id }])
})

test('a rule with the conditions of another is 409, whatever their order, but an unchanged one is accepted', async () => {
  const { call, path, conditions } = await aProduct()
  const { id } = (await call('POST', path, { conditions })).body.data
  expect((await call('POST', path, { conditions: [...conditions].reverse() })).status).toBe(409)
  expect((await call('PUT', `${path}/${id}`, { conditions })).status).toBe(200)
})

test('a condition on a modifier or variant of another product is 422', async () => {
  const { call, create, path, conditions } = await aProduct()
  const [first] = conditions
  const variant_id = (await create({ name: 'Other' })).base_variant_id
  for (const stranger of [
    { modifier_id: 1, modifier_value_id: 1 },
    { modifier_id: first?.modifier_id, modifier_value_id: conditions[1]?.modifier_value_id },
    { modifier_id: null, modifier_value_id: null, variant_id },
    {},
  ]) {
    expect([stranger, (await call('POST', path, { conditions: [first, stranger] })).status]).toEqual([stranger, 422])
  }
})

test('an adjuster is relative or a percentage', async () => {
  const { call, path, conditions } = await aProduct()
  const price_adjuster = { adjuster: 'double', adjuster_value: 2 }
  expect((await call('POST', path, { conditions, price_adjuster })).status).toBe(422)
})

test('rules are deleted with their product', async () => {
  const { call, id, path, conditions, store } = await aProduct()
  await call('POST', path, { conditions })
  await call('DELETE', `${PRODUCTS}/${id}`)
  expect(store.table('complex_rules').count()).toBe(0)
})
