import { expect, test } from 'vitest'
import { aWorld } from '../harness/world.ts'
import { callStore } from './call-store.ts'

interface Modifier {
  id: number
  option_values: { id: number }[]
}

interface Rule {
  id: number
  conditions: { modifier_value_id: number | null; variant_id: number | null }[]
}

const products = '/v3/catalog/products'

/** A lamp in two colours that can be engraved and wrapped. */
async function aLamp() {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products'] })
  const call = <Data>(method: string, path: string, body?: object) =>
    callStore<Data>(world, 'source', method, path, body)
  const variants = ['Red', 'Blue'].map((label) => ({ option_values: [{ option_display_name: 'Colour', label }] }))
  const body = { name: 'Lamp', type: 'physical', weight: 1, price: 10, variants }
  const lamp = await call<{ id: number; variants: { id: number }[] }>('POST', products, body)
  const choices: { modifier_id: number; modifier_value_id: number | undefined }[] = []
  for (const display_name of ['Engraving', 'Gift wrap']) {
    const option_values = ['Yes', 'No'].map((label, sort_order) => ({ label, sort_order }))
    const modifier = { display_name, type: 'dropdown', required: false, option_values }
    const made = await call<Modifier>('POST', `${products}/${lamp.id}/modifiers`, modifier)
    choices.push({ modifier_id: made.id, modifier_value_id: made.option_values[0]?.id })
  }
  const rulesAt = async (side: 'source' | 'destination') => {
    const id = side === 'source' ? lamp.id : (await world.state(side)).products?.[0]?.id
    return callStore<Rule[]>(world, side, 'GET', `${products}/${id}/complex-rules`)
  }
  return { world, call, lamp, choices, path: `${products}/${lamp.id}/complex-rules`, rulesAt }
}

test('a rule is copied whose only condition is a choice with a variant', async () => {
  const { world, call, lamp, choices, path, rulesAt } = await aLamp()
  const conditions = [{ ...choices[0], variant_id: lamp.variants[1]?.id }]
  await call('POST', path, { purchasing_disabled: true, conditions })
  const run = await world.complete()
  expect(await world.issues(run.requestId)).toEqual([])
  const { variants = [], modifier_values = [] } = await world.state('destination')
  const [rule] = await rulesAt('destination')
  expect(rule?.conditions).toMatchObject([{ modifier_value_id: modifier_values[0]?.id, variant_id: variants[1]?.id }])
})

test('rules of the control panel that the API does not create are warnings, and the rest of the product is copied', async () => {
  const { world, call, lamp, choices, path, rulesAt } = await aLamp()
  const ofVariant = (variant_id: number) => ({ modifier_id: null, modifier_value_id: null, variant_id })
  const [red = 0, blue = 0] = lamp.variants.map(({ id }) => id)
  const planted = [
    [{ ...choices[0], variant_id: red }],
    [{ ...choices[1], variant_id: null }],
    [ofVariant(red), ofVariant(blue)],
  ]
  for (const [at, conditions] of planted.entries()) {
    const created = [choices[0], { ...choices[1], variant_id: at === 0 ? red : blue }].slice(0, at + 1)
    const { id } = await call<Rule>('POST', path, { conditions: at === 0 ? conditions : created })
    await world.change('source', { op: 'set', table: 'complex_rules', id, fields: { conditions } })
  }
  const left = ['gift wrap=yes', 'variant colour=blue, variant colour=red']
  for (const conflictStrategy of ['skip', 'update']) {
    const run = await world.complete({ conflictStrategy })
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    const found = (await world.findings(run.requestId)).filter(({ component }) => component === 'product-complex-rules')
    expect(found.map(({ item }) => item.name?.toLowerCase()).sort()).toEqual(left)
    for (const one of found) expect(one).toMatchObject({ severity: 'warning', code: 'not_copied' })
    expect(await rulesAt('destination')).toMatchObject([{ conditions: [{ variant_id: expect.any(Number) }] }])
    const { differences } = await world.verify(run.requestId)
    expect(differences.map(({ kind, item }) => `${kind} ${item.name?.toLowerCase()}`).sort()).toEqual(
      left.map((name) => `missing ${name}`),
    )
  }
})

test('a rule for a choice that the product no longer has is not copied, and fails nothing', async () => {
  const { world, call, lamp, choices, path, rulesAt } = await aLamp()
  await call('POST', path, { purchasing_disabled: true, conditions: choices })
  await world.complete()
  const copied = await rulesAt('destination')
  expect(copied).toHaveLength(1)
  const [, wrap] = choices
  await call('DELETE', `${products}/${lamp.id}/modifiers/${wrap?.modifier_id}/values/${wrap?.modifier_value_id}`)
  expect(await rulesAt('source')).toHaveLength(1)
  await call('PUT', `${products}/${lamp.id}`, { price: 11 })
  const run = await world.complete({ conflictStrategy: 'update' })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await rulesAt('destination')).toEqual(copied)
})

test('a rule for a variant that the product no longer has is not copied, and fails nothing', async () => {
  const { world, call, lamp, choices, path, rulesAt } = await aLamp()
  const conditions = [...choices, { modifier_id: null, modifier_value_id: null, variant_id: lamp.variants[1]?.id }]
  await call('POST', path, { purchasing_disabled: true, conditions })
  await world.complete()
  const copied = await rulesAt('destination')
  expect(copied).toHaveLength(1)
  await call('DELETE', `${products}/${lamp.id}/variants/${lamp.variants[1]?.id}`)
  expect(await rulesAt('source')).toHaveLength(1)
  await call('PUT', `${products}/${lamp.id}`, { price: 11 })
  const run = await world.complete({ conflictStrategy: 'update' })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await rulesAt('destination')).toEqual(copied)
})

test('the rule of a copy whose choice was deleted at the destination gets the new one, and stays a single one', async () => {
  const { world, call, lamp, choices, path, rulesAt } = await aLamp()
  await call('POST', path, { purchasing_disabled: true, conditions: choices })
  await world.complete()
  const [rule] = await rulesAt('destination')
  const { products: [copy] = [], modifier_values = [] } = await world.state('destination')
  const [, wrap] = rule?.conditions ?? []
  const row = modifier_values.find(({ id }) => id === wrap?.modifier_value_id)
  const value = `${products}/${copy?.id}/modifiers/${row?.modifier_id}/values/${wrap?.modifier_value_id}`
  await callStore(world, 'destination', 'DELETE', value)
  await call('PUT', `${products}/${lamp.id}`, { price: 11 })
  const run = await world.complete({ conflictStrategy: 'update' })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const rules = await rulesAt('destination')
  expect(rules.map(({ id }) => id)).toEqual([rule?.id])
  expect((await world.verify(run.requestId)).differences).toEqual([])
})

test('a rule for a variant that the destination refuses is not copied without the variant, and comes once the variant has', async () => {
  const { world, call, lamp, choices, path, rulesAt } = await aLamp()
  await world.complete()
  const [option] = await call<{ id: number }[]>('GET', `${products}/${lamp.id}/options`)
  const value = await call<{ id: number }>('POST', `${products}/${lamp.id}/options/${option?.id}/values`, {
    label: 'Green',
    sort_order: 2,
  })
  const green = { sku: 'GREEN', option_values: [{ option_id: option?.id, id: value.id }] }
  const { id: variant_id } = await call<{ id: number }>('POST', `${products}/${lamp.id}/variants`, green)
  const conditions = choices.map((choice) => ({ ...choice, variant_id }))
  await call('POST', path, { purchasing_disabled: true, conditions })
  const refused = { method: 'POST', path: '^/v3/catalog/products/\\d+/variants$', status: 422, times: null } as const
  await world.fault('destination', { kind: 'error_before_applying', ...refused })
  const update = { conflictStrategy: 'update' }
  const without = await world.finished(await world.migrate(update))
  expect(await rulesAt('destination')).toEqual([])
  const [issue] = (await world.issues(without.requestId)).filter(
    ({ component }) => component === 'product-complex-rules',
  )
  expect(issue).toMatchObject({
    code: 'missing_reference',
    message: expect.stringMatching(
      /needs engraving=yes and variant colour=green, which the destination does not have\.$/i,
    ),
  })

  await world.clearFaults('destination')
  expect(await world.complete(update)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const { variants = [] } = await world.state('destination')
  const copy = Math.max(...variants.map(({ id }) => id))
  expect(await rulesAt('destination')).toMatchObject([{ conditions: [{ variant_id: copy }, { variant_id: copy }] }])
})
