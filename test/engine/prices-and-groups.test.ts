import { expect, test } from 'vitest'
import { brokenReferenceRemedy } from '../../src/contract/issue-codes.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { writesTo } from './content.ts'
import { counted } from './counted.ts'
import { planOf } from './planned.ts'
import { listed } from './replace-story.ts'

/** Prices and groups, and the items that they name. */
const entities = ['categories', 'brands', 'products', 'price-lists', 'customer-groups']
const keys = ['price-lists', 'price-records', 'price-list-assignments', 'customer-groups']
const tables = ['price_lists', 'price_records', 'price_list_assignments', 'customer_groups']

/** All of it was copied once; the runs that follow cover prices and groups alone. */
async function aWorldWithPrices(): Promise<World> {
  const world = await aWorld({ entities: ['price-lists', 'customer-groups'] })
  await world.complete({ entities })
  return world
}

const update = (world: World, body: object = {}) => world.complete({ conflictStrategy: 'update', ...body })
const differences = async (world: World) =>
  compareStores(await world.state('source'), await world.state('destination')).filter(({ entity }) =>
    keys.includes(entity),
  )
const rows = async (world: World, table: string, side: Side = 'destination') => (await world.state(side))[table] ?? []
const named = async (world: World, table: string, name: string, side: Side = 'destination') => {
  const found = (await rows(world, table, side)).find((row) => row.name === name)
  if (!found) throw new Error(`${side} has no ${name}`)
  return found
}
const set = (world: World, table: string, id: unknown, fields: Record<string, unknown>, side: Side = 'destination') =>
  world.change(side, { op: 'set', table, id: Number(id), fields })
/** @returns the id of the copy. */
const double = async (world: World, table: string, id: unknown, fields: Record<string, unknown>, side?: Side) => {
  const made = await world.change(side ?? 'destination', { op: 'double', table, id: Number(id) })
  await set(world, table, made.id, fields, side)
  return Number(made.id)
}
const remove = (world: World, table: string, id: unknown, side: Side = 'destination') =>
  world.change(side, { op: 'remove', table, id: Number(id) })
const pricesOf = async (world: World, listId: unknown) =>
  (await rows(world, 'price_records')).filter((row) => row.price_list_id === listId)

longTest('E2: prices of a list are sent in one call, and groups before the assignments that name them', async () => {
  const world = await aWorld({ entities })
  await world.complete()
  for (const table of tables)
    expect([table, (await rows(world, table)).length]).toEqual([table, (await rows(world, table, 'source')).length])
  expect((await rows(world, 'price_records')).length).toBeGreaterThan(3)
  expect(await differences(world)).toEqual([])
  const calls = (await writesTo(world)).filter((call) => /pricelists|customer_groups/.test(call))
  expect(calls.map((call) => call.replace(/\d+/g, '*').replace('/v*', ''))).toEqual([
    'POST /pricelists',
    'PUT /pricelists/*/records',
    'POST /customer_groups',
    'POST /customer_groups',
    'POST /customer_groups',
    'POST /pricelists/assignments',
  ])
})

test('a bulk price without a largest quantity is copied, however the store shows that there is none', async () => {
  const world = await aWorld({ entities })
  const tier = (quantity_max: number | null) => ({ quantity_min: 5, quantity_max, type: 'percent', amount: 10 })
  const setTo = (id: unknown, side: Side, quantity_max: number | null) =>
    set(world, 'price_records', id, { bulk_pricing_tiers: [tier(quantity_max)] }, side)
  const prices = await rows(world, 'price_records', 'source')
  for (const { id } of prices) await setTo(id, 'source', null)
  expect(await world.complete()).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const [first, second, third] = await rows(world, 'price_records')
  await setTo(first?.id, 'destination', 2_147_483_647)
  await setTo(second?.id, 'destination', 0)
  await setTo(third?.id, 'destination', 9)
  await world.resetRequests('destination')
  const run = await update(world)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await writesTo(world)).map((call) => call.replace(/\d+/g, '*'))).toEqual(['PUT /v*/pricelists/*/records'])
  expect((await world.verify(run.requestId)).differences).toEqual([])
})

longTest('C2: a second run over prices and groups writes nothing, under skip and under update', async () => {
  const world = await aWorldWithPrices()
  await world.resetRequests('destination')
  for (const conflictStrategy of ['skip', 'update']) {
    const counts = await counted(world, (await world.complete({ conflictStrategy })).requestId)
    expect(await writesTo(world), conflictStrategy).toEqual([])
    for (const key of keys) {
      expect(counts[key]?.discovered).toBeGreaterThan(0)
      expect(counts[key]).toEqual({ discovered: counts[key]?.discovered, matched: counts[key]?.discovered })
    }
  }
})

longTest(
  'F1, C2: verify reports what differs, is missing or is extra; update corrects what differs or is missing',
  async () => {
    const world = await aWorldWithPrices()
    const run = await world.complete()
    expect((await world.verify(run.requestId)).differences).toEqual([])
    await set(world, 'customer_groups', (await named(world, 'customer_groups', 'Trade')).id, { discount_rules: [] })
    const [first, second] = await rows(world, 'price_records')
    await set(world, 'price_records', first?.id, { price: 0.5 })
    await remove(world, 'price_records', second?.id)
    const extra = await double(world, 'price_lists', first?.price_list_id, { name: 'Only there' })
    const reported = async () =>
      (await world.verify(run.requestId)).differences.map(({ component, kind }) => `${component} ${kind}`).sort()
    // The assignment and the prices of a list are duplicated with it.
    const alongWithList = [
      'price-list-assignments extra',
      'price-lists extra',
      ...(await pricesOf(world, extra)).map(() => 'price-records extra'),
    ]
    const edited = ['customer-groups different', 'price-records different', 'price-records missing']
    expect(await reported()).toEqual([...edited, ...alongWithList].sort())
    await update(world)
    expect(await reported()).toEqual(alongWithList)

    const [assignment, ...others] = await rows(world, 'price_list_assignments')
    expect(others.map(({ price_list_id }) => price_list_id)).toEqual([extra])
    for (const table of ['price_list_assignments', 'price_records', 'price_lists'])
      for (const { id, price_list_id } of await rows(world, table))
        if (extra === (table === 'price_lists' ? id : price_list_id)) await remove(world, table, id)
    await remove(world, 'price_list_assignments', assignment?.id)
    await update(world)
    expect(await differences(world)).toEqual([])
  },
)

longTest('F2: a dry run writes nothing and counts what the real run does', async () => {
  const world = await aWorldWithPrices()
  const group = await named(world, 'customer_groups', 'Trade')
  await set(world, 'customer_groups', group.id, { category_access: { type: 'none' } })
  await set(world, 'price_lists', (await rows(world, 'price_lists'))[0]?.id, { active: false })
  await world.resetRequests('destination')
  const dry = await counted(world, (await update(world, { mode: 'dry-run' })).requestId)
  expect(await writesTo(world)).toEqual([])
  const real = await counted(world, (await update(world)).requestId)
  for (const key of keys) expect(dry[key]).toEqual(real[key])
  expect([real['customer-groups']?.updated, real['price-lists']?.updated]).toEqual([1, 1])
  expect(await differences(world)).toEqual([])
})

longTest(
  'D4: replace deletes lists, prices and groups that only the destination has, and keeps the default group',
  async () => {
    const world = await aWorldWithPrices()
    const [record] = await rows(world, 'price_records')
    await double(world, 'price_lists', record?.price_list_id, { name: 'Only there' })
    await double(world, 'price_records', record?.id, { currency: 'eur' })
    const trade = await named(world, 'customer_groups', 'Trade')
    await double(world, 'customer_groups', trade.id, { name: 'Old' })
    const byDefault = await double(world, 'customer_groups', trade.id, { name: 'Old default', is_default: true })
    const run = await world.complete({ conflictStrategy: 'replace', pruneLimitPercent: 100 })
    const counts = await counted(world, run.requestId)
    const pruned = ['price-lists', 'price-records', 'customer-groups'].map((key) => counts[key]?.pruned)
    expect(pruned).toEqual([1, 1, 1])
    expect((await rows(world, 'customer_groups')).map(({ name }) => name)).toContain('Old default')
    // Nothing else is left that only the destination had.
    await remove(world, 'customer_groups', byDefault)
    await set(world, 'customer_groups', (await named(world, 'customer_groups', 'Retail')).id, { is_default: true })
    expect(await differences(world)).toEqual([])
  },
)

longTest(
  'C4: a discount rule for a missing product is left out and reported, and a price of a missing variant fails',
  async () => {
    const world = await aWorldWithPrices()
    const trade = await named(world, 'customer_groups', 'Trade', 'source')
    const rules = trade.discount_rules as object[]
    const rule = { type: 'product', product_id: 1, method: 'percent', amount: '1.0000' }
    await set(world, 'customer_groups', trade.id, { discount_rules: [...rules, rule] }, 'source')
    const [record] = await rows(world, 'price_records', 'source')
    await double(world, 'price_records', record?.id, { variant_id: 1 }, 'source')
    const run = await update(world)
    const reported = (await world.issues(run.requestId)).map(({ component, code }) => `${component} ${code}`)
    expect(reported.sort()).toEqual(['customer-groups reference_left_out', 'price-records missing_reference'])
    expect((await named(world, 'customer_groups', 'Trade')).discount_rules).toHaveLength(rules.length)
  },
)

test('a group that the store first saves without its sitewide discount gets it in the same run', async () => {
  const world = await aWorld({ entities: ['customer-groups'] })
  const name = 'Late [[late-discount]]'
  const discount_rules = [{ type: 'all', method: 'percent', amount: '7.0000' }]
  const [group, ...others] = await rows(world, 'customer_groups', 'source')
  for (const { id } of others) await remove(world, 'customer_groups', id, 'source')
  const fields = { name, discount_rules, category_access: { type: 'all' } }
  await set(world, 'customer_groups', group?.id, fields, 'source')
  const run = await world.complete()
  expect((await named(world, 'customer_groups', name)).discount_rules).toEqual(discount_rules)
  expect(await world.issues(run.requestId)).toEqual([])
  const again = await counted(world, (await update(world)).requestId)
  expect(again['customer-groups']).toEqual({ discovered: 1, matched: 1 })
})

test('D2: a new group takes nothing from the groups that the destination has for new customers and for guests, unless the strategy is update', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['customer-groups'] })
  const make = (side: Side, name: string, role: object) =>
    callStore(world, side, 'POST', '/v2/customer_groups', { name, ...role })
  const chosen = async () => {
    const groups = await rows(world, 'customer_groups')
    const nameOf = (field: string) => groups.filter((group) => group[field] === true).map(({ name }) => name)
    return { newCustomers: nameOf('is_default'), guests: nameOf('is_group_for_guests') }
  }
  await make('source', 'Regulars', { is_default: true })
  await make('source', 'Passers-by', { is_group_for_guests: true })
  await make('destination', 'Own', { is_default: true })
  const run = await world.complete()
  expect(await chosen()).toEqual({ newCustomers: ['Own'], guests: ['Passers-by'] })
  const reported = (await world.findings(run.requestId)).filter(({ component }) => component === 'customer-groups')
  expect(reported).toMatchObject([{ code: 'not_copied', severity: 'warning', item: { name: 'Regulars' } }])
  expect(reported[0]?.message).toMatch(/does not become the group for new customers, because "Own" \(destination \d+\)/)
  await world.complete()
  expect(await chosen()).toEqual({ newCustomers: ['Own'], guests: ['Passers-by'] })
  await update(world)
  expect(await chosen()).toEqual({ newCustomers: ['Regulars'], guests: ['Passers-by'] })
  await make('source', 'Members', { is_default: true })
  await world.complete()
  expect(await chosen()).toEqual({ newCustomers: ['Members'], guests: ['Passers-by'] })
})

longTest('B2: prices whose answers were lost twice are sent in smaller calls, not one by one', async () => {
  const world = await aWorldWithPrices()
  const [list] = await rows(world, 'price_lists')
  const lost = await pricesOf(world, list?.id)
  expect(lost.length).toBeGreaterThan(4)
  for (const { id } of lost) await remove(world, 'price_records', id)
  const path = `/v3/pricelists/${list?.id}/records`
  await world.fault('destination', { kind: 'reset_before_applying', method: 'PUT', path: `^${path}$`, times: 2 })
  await world.resetRequests('destination')
  const run = await update(world)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await differences(world)).toEqual([])
  const sent = (await writesTo(world)).filter((call) => call === `PUT ${path}`)
  const parts = Math.ceil(lost.length / Math.ceil(lost.length ** (2 / 3)))
  expect(sent).toHaveLength(2 + parts)
})

test('of the prices of products that the destination already had, exactly those of variants with a SKU are created, whatever its filters make of capitals', async () => {
  const switches = { destination: { case_sensitive_names: true } }
  const world = await aWorld({ entities, seeds: { destination: 'tiny' }, switches })
  for (const table of ['price_records', 'price_list_assignments', 'price_lists', 'customer_groups'])
    for (const { id } of await rows(world, table)) await remove(world, table, id)
  const run = await world.complete()
  const [source, destination] = [await world.state('source'), await world.state('destination')]
  const skus = new Map(source.variants?.map(({ id, sku }) => [id, sku]))
  const expected = source.price_records?.filter(({ variant_id }) => skus.get(Number(variant_id)) !== '')
  expect(expected?.length).toBeGreaterThan(0)
  expect(destination.price_records?.length).toBe(expected?.length)
  expect((await counted(world, run.requestId))['price-records']?.created).toBe(expected?.length)
})

test('C4, F2: the price of a product that cannot be copied waits for that product, in a dry run too', async () => {
  const world = await aWorld({ entities, seeds: { destination: 'tiny' } })
  const { price_records: prices = [], products = [] } = await world.state('source')
  const product = products.find(({ id, sku }) => sku !== '' && prices.some(({ product_id }) => product_id === id))
  const { id } = await named(world, 'products', String(product?.name))
  await callStore(world, 'destination', 'PUT', `/v3/catalog/products/${id}`, { sku: 'ANOTHER' })
  for (const mode of ['dry-run', 'full']) {
    const issues = await world.issues((await update(world, { mode })).requestId)
    const about = Object.groupBy(issues, ({ component }) => component)
    expect(about.products).toMatchObject([{ code: 'natural_key_conflict', item: { sourceId: String(product?.id) } }])
    const own = prices.filter(({ product_id }) => product_id === product?.id)
    expect(about['price-records']?.map(({ code }) => code)).toEqual(own.map(() => 'missing_reference'))
  }
})

test('D2: a price of the destination survives that a merchant changes the SKU of its variant there', async () => {
  const world = await aWorld({ entities })
  await world.complete()
  const variants = new Map((await rows(world, 'variants')).map((one) => [one.id, one]))
  const record = (await rows(world, 'price_records')).find((one) => variants.get(Number(one.variant_id))?.sku)
  const variant = variants.get(Number(record?.variant_id))
  await set(world, 'price_records', record?.id, { price: 1.23 })
  const path = `/v3/catalog/products/${variant?.product_id}/variants/${variant?.id}`
  await callStore(world, 'destination', 'PUT', path, { sku: 'CHANGED-THERE' })
  const price = async () => (await rows(world, 'price_records')).find(({ id }) => id === record?.id)?.price
  const { requestId } = await world.complete()
  expect(await price()).toBe(1.23)
  expect(await world.issues(requestId)).toEqual([])
  const limits = { pruneLimitPercent: 100, pruneLimitItems: 100 }
  const replaced = await world.complete({ entities: ['price-lists'], conflictStrategy: 'replace', ...limits })
  expect((await counted(world, replaced.requestId))['price-records']).toEqual({ discovered: 5, updated: 1, matched: 4 })
  const original = (await rows(world, 'price_records', 'source')).map((one) => one.price)
  expect(original).toContain(await price())
})

test('D2: the prices of a variant that was deleted at the destination are left out by `skip`, as its dry run said, and copied with the variant by `update`', async () => {
  const world = await aWorld({ entities })
  const list = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/pricelists', { name: 'Second' })
  const priced = new Set((await rows(world, 'price_records', 'source')).map(({ variant_id }) => variant_id))
  const prices = [...priced].map((variant_id) => ({ variant_id, currency: 'usd', price: 3 }))
  await callStore(world, 'source', 'PUT', `/v3/pricelists/${list.id}/records`, prices)
  await world.complete()
  const before = await rows(world, 'price_records')
  const variants = await rows(world, 'variants')
  const siblings = (one: (typeof variants)[number]) => variants.filter((other) => other.product_id === one.product_id)
  const gone = variants.find(
    (one) => siblings(one).length > 1 && before.some(({ variant_id }) => variant_id === one.id),
  )
  const path = `/v3/catalog/products/${gone?.product_id}/variants/${gone?.id}`
  await callStore(world, 'destination', 'DELETE', path)
  const left = await rows(world, 'price_records')
  expect(left.length).toBeLessThan(before.length - 1)
  for (const mode of ['dry-run', 'full', 'full']) {
    const run = await world.complete({ mode })
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await rows(world, 'price_records')).toEqual(left)
    expect(await planOf(world, run.requestId)).toEqual(new Set())
    const all = [...(await world.findings(run.requestId)), ...(await world.issues(run.requestId))]
    const about = all.filter(({ component }) => component === 'price-records')
    expect(about.map(({ code }) => code)).toEqual(Array(before.length - left.length).fill('not_copied'))
    expect(about[0]?.message).toContain('its variant is not at the destination')
  }
  await update(world)
  expect(await differences(world)).toEqual([])
})

test('D2: the prices of a variant that was deleted at the destination are left out by a `skip` that gives its product what that lacks', async () => {
  const world = await aWorld({ entities })
  await world.complete({ entities: entities.filter((one) => one !== 'brands') })
  const variants = await rows(world, 'variants')
  const siblings = (one: (typeof variants)[number]) => variants.filter((other) => other.product_id === one.product_id)
  const prices = await rows(world, 'price_records')
  const gone = variants.find(
    (one) => siblings(one).length > 1 && prices.some(({ variant_id }) => variant_id === one.id),
  )
  const path = `/v3/catalog/products/${gone?.product_id}`
  await callStore(world, 'destination', 'DELETE', `${path}/variants/${gone?.id}`)
  const run = await world.complete()
  expect(await callStore(world, 'destination', 'GET', path)).not.toMatchObject({ brand_id: 0 })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const about = (await world.findings(run.requestId)).filter(({ component }) => component === 'price-records')
  expect(about.map(({ code }) => code)).toEqual(['not_copied'])
})

test('C4: prices of a variant that the destination refuses, and of one that the source does not have itself, fail with advice that fits', async () => {
  const world = await aWorld({ entities, seeds: { source: 'empty' } })
  const make = <Made>(path: string, body: object, method = 'POST') =>
    callStore<Made>(world, 'source', method, path, body)
  const [small, large] = ['S', 'L'].map((label) => ({
    ...{ sku: `MUG-${label}`, option_values: [{ option_display_name: 'Size', label }] },
  }))
  const mug = { name: 'Mug', type: 'physical', weight: 1, price: 1, variants: [small, large] }
  const { id } = await make<{ id: number }>('/v3/catalog/products', mug)
  await world.complete()
  const path = `/v3/catalog/products/${id}`
  const [option] = await callStore<{ id: number }[]>(world, 'source', 'GET', `${path}/options`)
  const value = await make<{ id: number }>(`${path}/options/${option?.id}/values`, {
    ...{ label: 'XL', sort_order: 2 },
  })
  const option_values = [{ option_id: option?.id, id: value.id }]
  const variant = await make<{ id: number }>(`${path}/variants`, { sku: 'MUG-XL', option_values })
  const list = await make<{ id: number }>('/v3/pricelists', { name: 'Trade' })
  const prices = [variant.id, ...(await rows(world, 'variants', 'source')).map((row) => row.id)].slice(0, 2)
  await make(
    `/v3/pricelists/${list.id}/records`,
    prices.map((variant_id) => ({ variant_id, currency: 'usd', price: 3 })),
    'PUT',
  )
  const [ofSmall] = (await rows(world, 'price_records', 'source')).filter((row) => row.variant_id !== variant.id)
  await set(world, 'price_records', ofSmall?.id, { variant_id: 4_000_000 }, 'source')
  const refused = { method: 'POST', path: '^/v3/catalog/products/[0-9]+/variants$', times: 20 }
  await world.fault('destination', { kind: 'error_before_applying', status: 422, ...refused })
  const { requestId } = await update(world)
  const failed = (await world.issues(requestId)).filter(({ component }) => component === 'price-records')
  expect(failed.map(({ code }) => code)).toEqual(['missing_reference', 'missing_reference'])
  expect(Object.fromEntries(failed.map(({ item, remedy }) => [item.name, remedy]))).toEqual({
    'MUG-XL in usd': expect.stringContaining('Copy the missing item first'),
    'variant 4000000 in usd': brokenReferenceRemedy,
  })
})

test('C1: prices follow their variants when the source exchanges the labels of two option values', async () => {
  const world = await aWorld({ entities })
  await world.complete()
  const values = await rows(world, 'option_values', 'source')
  const small = values.find(({ label }) => label === 'S')
  const large = values.find(({ label, option_id }) => label === 'L' && option_id === small?.option_id)
  await set(world, 'option_values', small?.id, { label: 'L' }, 'source')
  await set(world, 'option_values', large?.id, { label: 'S' }, 'source')
  const prices = async (side: Side) => {
    const skus = new Map((await rows(world, 'variants', side)).map(({ id, sku }) => [id, sku]))
    const all = await rows(world, 'price_records', side)
    return all.map(({ variant_id, price }) => `${skus.get(Number(variant_id))} ${price}`)
  }
  const run = await update(world)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await prices('destination')).toEqual(expect.arrayContaining(await prices('source')))
})

test('D4: verify says that the group for new customers stays, which no migration deletes although the source has none like it', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['customer-groups'] })
  await callStore(world, 'source', 'POST', '/v2/customer_groups', { name: 'Trade' })
  await callStore(world, 'destination', 'POST', '/v2/customer_groups', { name: 'Retail', is_default: true })
  const run = await world.complete({ conflictStrategy: 'replace' })
  const { differences } = await world.verify(run.requestId)
  expect(differences).toMatchObject([{ kind: 'extra', item: { name: 'Retail' }, kept: true, repairedBy: null }])
})

test('D4: replace deletes the group for new customers that only the destination has in the run that makes another one that', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['customer-groups'] })
  const make = (side: Side, name: string, role: object) =>
    callStore(world, side, 'POST', '/v2/customer_groups', { name, ...role })
  await make('source', 'Regulars', { is_default: true })
  await make('destination', 'Own', { is_default: true })
  await make('destination', 'Own guests', { is_group_for_guests: true })
  const replace = { conflictStrategy: 'replace', pruneLimitPercent: 100 }
  const dry = await world.complete({ ...replace, mode: 'dry-run' })
  expect((await listed(world, dry.requestId)).items.map(({ item }) => item.name)).toEqual(['Own'])
  const run = await world.complete(replace)
  expect((await counted(world, run.requestId))['customer-groups']).toMatchObject({ created: 1, pruned: 1 })
  const groups = (await rows(world, 'customer_groups')).map(({ name, is_default }) => [name, is_default])
  expect(groups.sort()).toEqual([
    ['Own guests', false],
    ['Regulars', true],
  ])
  await world.resetRequests('destination')
  await world.complete(replace)
  expect(await writesTo(world)).toEqual([])
})
