import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { leftPartsRemedy } from '../../src/contract/issue-codes.ts'
import { longTest } from '../harness/long-form.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { catalogue } from './catalogue.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'
import { comparedWithItsPlan, planFor, planOf, pruned } from './planned.ts'

/** The destination byte for byte, without empty tables, because the sandbox creates a table at its first read. */
async function readState(world: World): Promise<string> {
  const tables = Object.entries(await world.state('destination')).filter(([, rows]) => rows.length > 0)
  return JSON.stringify(tables.sort(([a], [b]) => (a < b ? -1 : 1)))
}

async function rowsOfRun(world: World, table: string, runId: string): Promise<unknown[]> {
  return (await sql`select from ${sql.table(table)} where run_id = ${runId}`.execute(world.database)).rows
}

const generous = { pruneLimitPercent: 100, pruneLimitItems: 1000 }

longTest(
  'F2: a dry run sends the destination nothing but GET and changes neither it nor mappings nor before-images',
  async () => {
    const world = await aWorld()
    // The sandbox creates a store's tax classes and default tax zone at the first request for them.
    for (const path of ['/v2/tax_classes', '/v3/tax/zones']) await callStore(world, 'destination', 'GET', path)
    const before = await readState(world)
    await world.resetRequests('destination')
    const run = await world.complete({ mode: 'dry-run' })
    const methods = new Set((await world.requests('destination')).map(({ method }) => method))
    expect([...methods]).toEqual(['GET'])
    expect(await readState(world)).toBe(before)
    for (const table of ['mappings', 'intents', 'before_images', 'planned_mappings', 'planned_keys'])
      expect(await rowsOfRun(world, table, run.requestId), table).toEqual([])
    expect(run).toMatchObject({ status: 'completed', mode: 'dry-run', failuresOpen: 0 })
    expect(run.summaryLine).toMatch(/^Would copy .*\b6 categories, 12 products\b.* more kinds/)
    await expectCountersToEqualTheLedger(world, run.requestId)
    const plan = await planFor(world, run.requestId)
    // One call for each product, brand and batch of categories, and some for options.
    expect(plan?.writes).toBeGreaterThan(16)
    expect(plan?.minutes).toBeGreaterThan(0)
  },
)

longTest(
  'F2: a dry run, with simulated ids, whose process dies halfway is taken over and reports the same as an undisturbed one',
  async () => {
    const world = await aWorld({ catalogueOnly: true, ...catalogue, processes: true })
    const lived = await world.complete({ mode: 'dry-run' })
    const whole = await planOf(world, lived.requestId)
    expect(whole.size).toBeGreaterThan(50)
    await world.fault('source', { kind: 'slow', path: '/v3/catalog/products/metafields$', times: 1, seconds: 2 })
    const id = await world.migrate({ mode: 'dry-run' })
    await until('products are planned', async () => ((await counted(world, id)).products?.created ?? 0) > 0)
    const planned = await sql<{ destination_id: string }>`
    select destination_id from planned_mappings where run_id = ${id} and component = 'products'`.execute(world.database)
    expect(planned.rows.length).toBeGreaterThan(0)
    for (const row of planned.rows) expect(row.destination_id).toMatch(/^planned:products:\d+$/)
    await world.killChild()
    const run = await world.finished(id)
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await planOf(world, id)).toEqual(whole)
    expect(run.phases).toEqual(lived.phases)
    await expectCountersToEqualTheLedger(world, id)
    expect((await rowsOfRun(world, 'restarts', id)).length).toBeGreaterThan(0)
    expect(await rowsOfRun(world, 'mappings', id)).toEqual([])
  },
)

longTest(
  'F2: a dry run forecasts the writes of the copy that follows to within 20 percent, and after the copy only reads',
  async () => {
    const world = await aWorld({ catalogueOnly: true, ...catalogue })
    const dry = await world.complete({ mode: 'dry-run' })
    const plan = await planFor(world, dry.requestId)
    await world.resetRequests('destination')
    const copy = await world.complete()
    expect(await planFor(world, copy.requestId)).toBeNull()
    const writes = (await world.requests('destination')).filter(({ method }) => method !== 'GET').length
    expect(Math.abs((plan?.writes ?? 0) - writes) / writes).toBeLessThan(0.2)
    const again = await planFor(world, (await world.complete({ mode: 'dry-run' })).requestId)
    expect(again).toMatchObject({ writes: 0 })
    expect(again?.sourceReads).toBeGreaterThan(0)
  },
)

longTest('F2: a dry run does not hold the destination: a copy to it starts and ends in the meantime', async () => {
  const world = await aWorld({ catalogueOnly: true, requestTimeoutSeconds: 60 })
  await world.fault('source', { kind: 'hold_after_applying', path: '/v3/catalog/products$' })
  const dry = await world.migrate({ mode: 'dry-run', entities: ['products'] })
  await until('it is under way', async () => (await world.detail(dry)).status === 'in_progress')
  expect(await rowsOfRun(world, 'destination_leases', dry)).toEqual([])
  expect((await world.complete({ entities: ['brands'] })).status).toBe('completed')
  expect((await world.detail(dry)).status).toBe('in_progress')
  await world.release('source')
  await world.finished(dry)
})

test('F2: what the platform would refuse is a warning that names the rule, and items that depend on it fail with it', async () => {
  const world = await aWorld({
    seeds: { source: 'empty' },
    switches: { source: { case_sensitive_names: true } },
    entities: ['products'],
  })
  const make = (name: string, more: object = {}) =>
    callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/products', {
      name,
      type: 'physical',
      weight: 1,
      price: 1,
      ...more,
    })
  const twin = await make('Plain Lamp', { sku: 'LAMP-1' })
  const named = await make(' plain LAMP')
  const sold = await make('Other Lamp', { sku: 'lamp-1' })
  const long = await make('Long Lamp')
  await world.change('source', { op: 'set', table: 'products', id: long.id, fields: { name: 'L'.repeat(251) } })
  const heavy = await make('Heavy Lamp')
  await world.change('source', { op: 'set', table: 'products', id: heavy.id, fields: { weight: -1 } })
  await callStore(world, 'source', 'POST', `/v3/catalog/products/${long.id}/metafields`, {
    namespace: 'a',
    key: 'b',
    value: 'c',
    permission_set: 'app_only',
  })
  const run = await world.complete({ mode: 'dry-run' })
  const issues = await world.issues(run.requestId)
  const reported = issues.filter(({ code }) => code === 'would_be_refused')
  expect(reported.map(({ item, severity }) => [item.sourceId, severity]).sort()).toEqual(
    [named, sold, long, heavy].map(({ id }) => [String(id), 'warning']).sort(),
  )
  const ruleOf = ({ id }: { id: number }) =>
    reported.find(({ item }) => item.sourceId === String(id))?.message.match(/rule "([^"]+)"/)?.[1]
  expect([named, sold, long, heavy].map(ruleOf)).toEqual([
    'unique name',
    'unique sku',
    'products.name: at most 250 characters',
    'products.weight: at least 0',
  ])
  expect(issues.filter(({ code }) => code === 'missing_reference')).toHaveLength(1)
  expect((await counted(world, run.requestId)).products).toMatchObject({ failed: 4 })
  // G14: its numbers agree.
  expect(run.summaryLine).toBe(`Would copy 1 product; ${run.counters.failed} items would need review.`)
  const plan = await planOf(world, run.requestId)
  expect(plan).toContain(`products ${twin.id} created`)
  expect(plan).not.toContain(`products ${long.id} created`)
  await expectCountersToEqualTheLedger(world, run.requestId)
})

test('F2, G14: pruning limits are reported and do not pause the run, and items to be deleted are predicted and listed as extra', async () => {
  const world = await aWorld({ catalogueOnly: true, entities: ['brands'] })
  await world.complete()
  const brands = await Promise.all(
    ['One', 'Two', 'Three'].map((name) =>
      callStore<{ id: number }>(world, 'destination', 'POST', '/v3/catalog/brands', { name: `Only There ${name}` }),
    ),
  )
  const run = await world.complete({ mode: 'dry-run', conflictStrategy: 'replace', pruneLimitItems: 1 })
  expect(run.status).toBe('completed')
  expect((await world.issues(run.requestId)).map(({ code }) => code)).toEqual(['prune_would_ask'])
  expect(await pruned(world, run.requestId)).toEqual(new Set(brands.map(({ id }) => `brands ${id}`)))
  expect(run.phases.find(({ key }) => key === 'brands')).toMatchObject({ matched: 4, pruned: 0 })
  expect(run.summaryLine).toContain('3 items would be deleted')
  expect(await planFor(world, run.requestId)).toMatchObject({ pruned: { brands: 3 } })
  expect((await world.state('destination')).brands).toHaveLength(7)
})

test('F2: skip, update and replace do what their dry runs announced, also for a product with an option that only the destination has', async () => {
  const world = await aWorld({ catalogueOnly: true, ...catalogue })
  const agreeing = async (settings: object) => {
    const { onlyPlanned, onlyDone, refusals } = await comparedWithItsPlan(world, settings)
    expect({ settings, onlyPlanned, onlyDone, refusals }).toEqual({
      settings,
      onlyPlanned: [],
      onlyDone: [],
      refusals: 0,
    })
  }
  await agreeing({})
  const { products = [], brands = [] } = await world.state('destination')
  const sneaker = products.find((row) => row.name === 'Amber Linen Sneaker')
  const theirs = (method: string, path: string, body?: object) =>
    callStore(world, 'destination', method, `/v3/catalog/${path}`, body)
  await theirs('DELETE', `products/${products.find(({ id }) => id !== sneaker?.id)?.id}`)
  await theirs('PUT', `brands/${brands[0]?.id}`, { page_title: 'Edited' })
  await theirs('PUT', `products/${sneaker?.id}`, { price: 4.56 })
  await agreeing({ conflictStrategy: 'update' })
  await theirs('POST', 'brands', { name: 'Only There Goods' })
  await theirs('POST', `products/${sneaker?.id}/options`, {
    display_name: 'Engraving',
    type: 'radio_buttons',
    option_values: [{ label: 'None', sort_order: 0 }],
  })
  await theirs('PUT', `products/${sneaker?.id}`, { price: 4.56 })
  await agreeing({ conflictStrategy: 'replace', ...generous })
})

test('F2, G3: variants that go with an option which only the destination has count as deleted, as the dry run said', async () => {
  const world = await aWorld({ catalogueOnly: true, seeds: { destination: 'tiny-catalogue' } })
  const option = (await world.state('destination')).options?.find((row) => row.display_name === 'Colour')
  const path = `/v3/catalog/products/${option?.product_id}/options/${option?.id}`
  await callStore(world, 'destination', 'PUT', path, { display_name: 'Tint' })
  const { onlyPlanned, onlyDone } = await comparedWithItsPlan(world, { conflictStrategy: 'replace', ...generous })
  expect({ onlyPlanned, onlyDone }).toEqual({ onlyPlanned: [], onlyDone: [] })
})

test('F2: a variant that the source made again takes over the copy of the first one, as the dry run said, also if its option was renamed', async () => {
  const world = await aWorld({ catalogueOnly: true })
  await world.complete()
  const { options = [], variants = [] } = await world.state('source')
  const option = options.find((row) => row.display_name === 'Colour')
  const product = `/v3/catalog/products/${option?.product_id}`
  const first = variants.find(({ product_id }) => product_id === option?.product_id)
  const theirs = (method: string, path: string, body?: object) => callStore(world, 'source', method, path, body)
  const { sku, price, option_values } = await callStore<Record<string, unknown>>(
    world,
    'source',
    'GET',
    `${product}/variants/${first?.id}`,
  )
  await theirs('DELETE', `${product}/variants/${first?.id}`)
  await theirs('POST', `${product}/variants`, { sku: `${sku}-again`, price, option_values })
  await theirs('PUT', `${product}/options/${option?.id}`, { display_name: 'Tint' })
  const before = (await world.state('destination')).variants?.map(({ id }) => id)
  const { onlyPlanned, onlyDone } = await comparedWithItsPlan(world, { conflictStrategy: 'update' })
  expect({ onlyPlanned, onlyDone }).toEqual({ onlyPlanned: [], onlyDone: [] })
  expect((await world.state('destination')).variants?.map(({ id }) => id)).toEqual(before)
})

test('F2: the values that a new checkbox of a copied product comes with count as created, as the dry run said', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products'] })
  const lamp = { name: 'Lamp', type: 'physical', weight: 1, price: 1 }
  const { id } = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/products', lamp)
  await world.complete()
  const config = { checkbox_label: 'Pack it as a gift', checked_by_default: false }
  const checkbox = { type: 'checkbox', display_name: 'Gift box', required: false, config }
  await callStore(world, 'source', 'POST', `/v3/catalog/products/${id}/modifiers`, checkbox)
  const { onlyPlanned, onlyDone } = await comparedWithItsPlan(world, { conflictStrategy: 'update' })
  expect({ onlyPlanned, onlyDone }).toEqual({ onlyPlanned: [], onlyDone: [] })
})

test('F2: variants and choices that options of the destination alone would block are refused as the dry run said, and both say how to delete those', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products'] })
  const size = (label: string) => ({
    sku: `MUG-${label}`,
    option_values: [{ option_display_name: 'Size', label }],
  })
  const mug = { name: 'Mug', sku: 'MUG', type: 'physical', weight: 1, price: 10, variants: [size('S'), size('M')] }
  const { id } = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/products', mug)
  await world.complete()
  const [copy] = (await world.state('destination')).products ?? []
  await callStore(world, 'destination', 'POST', `/v3/catalog/products/${copy?.id}/options`, {
    ...{ display_name: 'Engraving', type: 'radio_buttons' },
    option_values: [{ label: 'None', sort_order: 0 }],
  })
  const path = `/v3/catalog/products/${id}`
  const [option] = await callStore<{ id: number }[]>(world, 'source', 'GET', `${path}/options`)
  const value = await callStore<{ id: number }>(world, 'source', 'POST', `${path}/options/${option?.id}/values`, {
    ...{ label: 'L', sort_order: 2 },
  })
  const large = { sku: 'MUG-L', option_values: [{ option_id: option?.id, id: value.id }] }
  await callStore(world, 'source', 'POST', `${path}/variants`, large)
  const engraving = { type: 'text', display_name: 'Engraving', required: false }
  await callStore(world, 'source', 'POST', `${path}/modifiers`, engraving)
  const settings = { conflictStrategy: 'update' }
  const said = async (runId: string) =>
    (await world.issues(runId)).map(({ component, item, remedy }) => ({ component, id: item.sourceId, remedy }))
  const dry = await world.complete({ ...settings, mode: 'dry-run' })
  const compared = await comparedWithItsPlan(world, settings)
  expect(compared).toEqual({ onlyPlanned: [], onlyDone: [], refusals: 2, predicted: 2 })
  const real = await world.complete(settings)
  expect(new Set(await said(dry.requestId))).toEqual(new Set(await said(real.requestId)))
  for (const { remedy } of await said(dry.requestId)) expect(remedy).toBe(leftPartsRemedy)
})

test('F2: an item whose copy was deleted, and whose name the copy of another one still has, fails under `skip` as the dry run said', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['brands'] })
  const path = '/v3/catalog/brands'
  const make = (name: string) => callStore<{ id: number }>(world, 'source', 'POST', path, { name })
  const [acme, best] = [await make('Acme'), await make('Best')]
  await world.complete()
  const copy = (await world.state('destination')).brands?.find(({ name }) => name === 'Acme')
  await callStore(world, 'destination', 'DELETE', `${path}/${copy?.id}`)
  for (const [{ id }, name] of [
    [best, 'Better'],
    [acme, 'Best'],
  ] as const)
    await callStore(world, 'source', 'PUT', `${path}/${id}`, { name })
  await make('Coast')
  const compared = await comparedWithItsPlan(world, {})
  expect(compared).toEqual({ onlyPlanned: [], onlyDone: [], refusals: 1, predicted: 1 })
})

test.each([
  'update',
  'replace',
])('F2: an item that gets the name of one that only the destination has is refused by `%s`, as the dry run said', async (conflictStrategy) => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['brands'] })
  const path = '/v3/catalog/brands'
  const make = (side: Side, name: string) => callStore<{ id: number }>(world, side, 'POST', path, { name })
  const { id } = await make('source', 'Acme')
  await world.complete()
  await make('destination', 'Best')
  await callStore(world, 'source', 'PUT', `${path}/${id}`, { name: 'Best' })
  await make('source', 'Coast')
  const compared = await comparedWithItsPlan(world, { conflictStrategy, ...generous })
  expect(compared).toEqual({ onlyPlanned: [], onlyDone: [], refusals: 1, predicted: 1 })
})

test('F2: a new item that gets the name which `update` takes from the copy of another one is created, as the dry run said', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['brands'] })
  const path = '/v3/catalog/brands'
  const { id } = await callStore<{ id: number }>(world, 'source', 'POST', path, { name: 'Acme' })
  await world.complete()
  await callStore(world, 'source', 'PUT', `${path}/${id}`, { name: 'Best' })
  await callStore(world, 'source', 'POST', path, { name: 'Acme' })
  const { onlyPlanned, onlyDone } = await comparedWithItsPlan(world, { conflictStrategy: 'update' })
  expect({ onlyPlanned, onlyDone }).toEqual({ onlyPlanned: [], onlyDone: [] })
  expect((await world.state('destination')).brands?.map(({ name }) => name).sort()).toEqual(['Acme', 'Best'])
})
