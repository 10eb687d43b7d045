import { expect, test } from 'vitest'
import { addCatalogueParts } from '../comparison/more-catalogue.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { comparedWithItsPlan } from './planned.ts'
import { differences } from './replace-story.ts'
import { firstPair } from './two-storefronts.ts'

interface ProductOption {
  id: number
  display_name: string
  option_values: { id: number; label: string }[]
}

/** The product whose rules name variants by the option `Colour`, at the destination. */
async function deleteColour(world: World): Promise<void> {
  const { products = [], options = [] } = await world.state('destination')
  const product = products.find(({ sku }) => sku === 'SKU-00007')
  const colour = options.find((row) => row.product_id === product?.id && row.display_name === 'Colour')
  await callStore(world, 'destination', 'DELETE', `/v3/catalog/products/${product?.id}/options/${colour?.id}`)
}

test.each([
  'update',
  'replace',
])('C3: `%s` makes an option that was deleted at the destination again, with its variants and their stock, as the dry run said, and the rules that name these name the new ones', async (conflictStrategy) => {
  const world = await aWorld({ catalogueOnly: true, entities: ['categories', 'brands', 'products', 'inventory'] })
  await addCatalogueParts(world, 'source')
  await world.complete()
  expect(await differences(world)).toEqual([])
  await deleteColour(world)
  expect(await differences(world)).not.toEqual([])
  const { onlyPlanned, onlyDone } = await comparedWithItsPlan(world, { conflictStrategy })
  expect({ onlyPlanned, onlyDone }).toEqual({ onlyPlanned: [], onlyDone: [] })
  expect(await differences(world)).toEqual([])
})

test.each([
  'update',
  'replace',
])('C2: `%s` leaves each price at its size when the destination has exchanged the labels of two sizes and the source has renamed another option', async (conflictStrategy) => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products'] })
  const variants = ['S', 'L'].map((label, at) => ({
    ...{ sku: `MUG-${label}`, price: 10 + at },
    option_values: [
      { option_display_name: 'Colour', label: 'Red' },
      { option_display_name: 'Size', label },
    ],
  }))
  const mug = { name: 'Mug', sku: 'MUG', type: 'physical', weight: 1, price: 10, variants }
  await callStore(world, 'source', 'POST', '/v3/catalog/products', mug)
  await world.complete()
  const optionOf = async (side: Side, called: string) => {
    const [product] = (await world.state(side)).products ?? []
    const path = `/v3/catalog/products/${product?.id}/options`
    const options = await callStore<ProductOption[]>(world, side, 'GET', path)
    const option = options.find(({ display_name }) => display_name === called)
    return { path: `${path}/${option?.id}`, values: option?.option_values ?? [] }
  }
  const colour = await optionOf('source', 'Colour')
  await callStore(world, 'source', 'PUT', colour.path, { display_name: 'Shade' })
  const { path, values } = await optionOf('destination', 'Size')
  const [small, large] = ['S', 'L'].map((label) => values.find((value) => value.label === label)?.id)
  for (const [id, label] of [
    [small, 'for a moment'],
    [large, 'S'],
    [small, 'L'],
  ])
    await callStore(world, 'destination', 'PUT', `${path}/values/${id}`, { label })
  expect(await differences(world)).not.toEqual([])
  await world.complete({ conflictStrategy })
  expect(await differences(world)).toEqual([])
})

test('D2: an option that the source has deleted stays under `update`, and under `replace` of one storefront, and the issues say how to delete it', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products'] })
  const variants = ['S', 'M'].map((label) => ({
    sku: `MUG-${label}`,
    option_values: [{ option_display_name: 'Size', label }],
  }))
  const mug = { name: 'Mug', sku: 'MUG', type: 'physical', weight: 1, price: 10, variants }
  const { id } = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/products', mug)
  await world.complete()
  const path = `/v3/catalog/products/${id}`
  const [size] = await callStore<{ id: number }[]>(world, 'source', 'GET', `${path}/options`)
  await callStore(world, 'source', 'DELETE', `${path}/options/${size?.id}`)
  const modifier = { type: 'text', display_name: 'Size', required: false }
  await callStore(world, 'source', 'POST', `${path}/modifiers`, modifier)
  for (const leaving of [{ conflictStrategy: 'update' }, { ...firstPair, conflictStrategy: 'replace' }]) {
    const run = await world.complete(leaving)
    expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: 2 })
    for (const { remedy } of await world.issues(run.requestId))
      expect(remedy).toContain('Copy the whole store with `replace`')
  }
  const generous = { conflictStrategy: 'replace', pruneLimitPercent: 100 }
  expect(await world.complete(generous)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await differences(world)).toEqual([])
})

test('D2: a bulk pricing rule that only the destination has stays under `update`, and the issue of the one that overlaps says how to delete it', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products'] })
  const rule = (quantity_min: number, quantity_max: number) => ({
    ...{ quantity_min, quantity_max, type: 'price', amount: 2 },
  })
  const rope = { name: 'Rope', type: 'physical', weight: 1, price: 10, bulk_pricing_rules: [rule(1, 9), rule(10, 19)] }
  const { id } = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/products', rope)
  await world.complete()
  const path = `/v3/catalog/products/${id}/bulk-pricing-rules`
  const [copy] = (await world.state('destination')).products ?? []
  await callStore(world, 'destination', 'POST', path.replace(String(id), String(copy?.id)), rule(20, 29))
  await callStore(world, 'source', 'POST', path, rule(25, 29))
  const run = await world.complete({ conflictStrategy: 'update' })
  expect((await world.issues(run.requestId)).filter(({ severity }) => severity === 'failure')).toMatchObject([
    { code: 'platform_refused', remedy: expect.stringContaining('Copy the whole store with `replace`') },
  ])
  const generous = { conflictStrategy: 'replace', pruneLimitPercent: 100 }
  expect(await world.complete(generous)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await differences(world)).toEqual([])
})

test.each([
  ['deleted', 'replace'],
  ['renamed', 'replace'],
  ['renamed', 'update'],
])('an option that gets the name of a modifier which the source has %s is made by one `%s`, with its variants, as the dry run said', async (change, conflictStrategy) => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products'] })
  const make = <Made>(path: string, body: object) => callStore<Made>(world, 'source', 'POST', path, body)
  const option_values = ['S', 'M'].map((label, sort_order) => ({ label, sort_order }))
  const size = { display_name: 'Size', type: 'dropdown', option_values }
  const mug = { name: 'Mug', sku: 'MUG', type: 'physical', weight: 1, price: 10 }
  const { id } = await make<{ id: number }>('/v3/catalog/products', mug)
  // With fewer products, a confirmation would be needed.
  for (const name of ['Jug', 'Cup']) await make('/v3/catalog/products', { ...mug, name, sku: name })
  const path = `/v3/catalog/products/${id}`
  const modifier = await make<{ id: number }>(`${path}/modifiers`, { ...size, required: false })
  await world.complete()
  const call = `${path}/modifiers/${modifier.id}`
  if (change === 'deleted') await callStore(world, 'source', 'DELETE', call)
  else await callStore(world, 'source', 'PUT', call, { display_name: 'Printed size' })
  const option = await make<ProductOption>(`${path}/options`, size)
  for (const value of option.option_values)
    await make(`${path}/variants`, {
      ...{ sku: `MUG-${value.label}`, option_values: [{ option_id: option.id, id: value.id }] },
    })
  const compared = await comparedWithItsPlan(world, { conflictStrategy, pruneLimitPercent: 100 })
  expect(compared).toEqual({ onlyPlanned: [], onlyDone: [], refusals: 0, predicted: 0 })
  expect(await differences(world)).toEqual([])
})
