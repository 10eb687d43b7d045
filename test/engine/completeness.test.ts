import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { mappingsWhere } from '../harness/map-items.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World, type WorldOptions } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'
import { patientSeconds } from './held-run.ts'
import { pausedAtProducts } from './paused-at-products.ts'

const catalogue = (options: WorldOptions = {}) =>
  aWorld({ catalogueOnly: true, entities: ['categories', 'brands', 'products'], ...options })

async function writesSeen(world: World): Promise<string[]> {
  const requests = await world.requests('destination')
  return requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path.replace(/\d{2,}/g, '*')}`)
}

longTest(
  'C1: a product whose modifier was refused gets it from the next run under skip, and nothing else',
  async () => {
    const world = await catalogue()
    await world.fault('destination', {
      kind: 'error_before_applying',
      status: 422,
      method: 'POST',
      path: '/modifiers$',
      body: 'Engraving',
    })
    const first = await world.complete()
    expect(first).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
    expect(await world.issues(first.requestId)).toMatchObject([
      { component: 'product-modifiers', code: 'platform_refused', severity: 'failure' },
    ])
    expect(await counted(world, first.requestId)).toMatchObject({
      products: { created: 12 },
      'product-modifiers': { created: 1, failed: 1 },
    })
    await expectCountersToEqualTheLedger(world, first.requestId)
    await world.resetRequests('destination')
    const next = await world.complete()
    expect(next).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await writesSeen(world)).toEqual(['POST /v3/catalog/products/*/modifiers'])
    expect(await counted(world, next.requestId)).toMatchObject({
      products: { skipped: 11, updated: 1 },
      'product-modifiers': { skipped: 1, created: 1 },
    })
    await expectCountersToEqualTheLedger(world, next.requestId)
    expect((await world.verify(next.requestId)).differences).toEqual([])
    // Nothing is pending any more.
    await world.resetRequests('destination')
    expect(await counted(world, (await world.complete()).requestId)).toMatchObject({
      products: { discovered: 12, skipped: 12 },
    })
    expect(await writesSeen(world)).toEqual([])
  },
)

test('C1: an item that fails while its page is planned leaves nothing pending on other items of the page', async () => {
  const world = await aWorld({ entities: ['categories', 'brands', 'products', 'coupons'] })
  const [coupon] = (await world.state('source')).coupons ?? []
  const applies_to = { entity: 'products', ids: [99_999_999] }
  await world.change('source', { op: 'set', table: 'coupons', id: Number(coupon?.id), fields: { applies_to } })
  const run = await world.complete()
  expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
  const { rows } = await sql`
    select source_id from mappings_of_pairs
    where run_id = ${run.requestId} and component = 'coupons' and owed <> '{}'`.execute(world.database)
  expect(rows).toEqual([])
})

longTest(
  'C4: a run of products alone leaves out absent brands and categories, warns, and creates nothing beyond its scope',
  async () => {
    const world = await catalogue()
    const first = await world.complete({ entities: ['products'] })
    expect(first).toMatchObject({ status: 'completed', failuresOpen: 0 })
    const warnings = await world.issues(first.requestId)
    expect(new Set(warnings.map(({ code, severity }) => `${severity} ${code}`))).toEqual(
      new Set(['warning reference_left_out']),
    )
    expect(warnings).toHaveLength(12)
    const found = await world.findings(first.requestId)
    expect(first.counters.warnings).toBe(12 + found.length)
    const { brands = [], categories = [], products = [] } = await world.state('destination')
    expect([brands, categories]).toEqual([[], []])
    expect(products.map(({ brand_id }) => brand_id)).toEqual(Array(12).fill(0))
    await expectCountersToEqualTheLedger(world, first.requestId)
    // Incomplete items do not count as up to date.
    const again = await world.complete({ entities: ['products'] })
    expect(await counted(world, again.requestId)).toMatchObject({ products: { discovered: 12, skipped: 12 } })
    // C1: the references were pending, and are completed as soon as their items exist.
    expect(await world.complete({ entities: ['categories', 'brands'] })).toMatchObject({ status: 'completed' })
    await world.resetRequests('destination')
    const next = await world.complete({ entities: ['products'] })
    expect(next).toMatchObject({ status: 'completed', failuresOpen: 0, counters: { warnings: found.length } })
    // Ten products per call.
    expect(await writesSeen(world)).toEqual(Array(2).fill('PUT /v3/catalog/products'))
    expect(await counted(world, next.requestId)).toMatchObject({ products: { discovered: 12, updated: 12 } })
    await expectCountersToEqualTheLedger(world, next.requestId)
    expect((await world.verify(next.requestId)).differences).toEqual([])
  },
)

longTest('C4: a run of products alone finds existing brands and categories by their natural keys', async () => {
  const world = await catalogue()
  await world.complete({ entities: ['categories', 'brands'] })
  await sql`delete from mappings where ${mappingsWhere(sql`organisation_id = ${world.organisationId}`)}`.execute(
    world.database,
  )
  await world.resetRequests('destination')
  const run = await world.complete({ entities: ['products'] })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await world.issues(run.requestId)).toEqual([])
  expect((await writesSeen(world)).filter((call) => /brands|trees/.test(call))).toEqual([])
  expect(
    Object.keys(await counted(world, run.requestId)).filter((component) =>
      /^(brands|categories|category-trees)$/.test(component),
    ),
  ).toEqual([])
  const { rows } = await sql`select component, origin, count(*)::integer as items from mappings_of_pairs
      where run_id = ${run.requestId} and component in ('brands', 'categories') group by 1, 2 order by 1`.execute(
    world.database,
  )
  expect(rows).toEqual([
    { component: 'brands', origin: 'adopted', items: 4 },
    { component: 'categories', origin: 'adopted', items: 6 },
  ])
  expect((await world.verify(run.requestId)).differences).toEqual([])
})

test('C5: an orphan and the members of a loop fail as hierarchy_broken, and every category without an issue is copied', async () => {
  const world = await catalogue()
  const { categories = [] } = await world.state('source')
  const tops = categories.filter(({ parent_id }) => parent_id === 0)
  const below = categories.filter(({ parent_id }) => parent_id !== 0)
  const [orphan, one, other] = [below[0], below[1], below[2]]
  await world.change('source', {
    op: 'set',
    table: 'categories',
    id: Number(orphan?.id),
    fields: { parent_id: 999_999_999 },
  })
  await world.change('source', {
    op: 'set',
    table: 'categories',
    id: Number(one?.id),
    fields: { parent_id: other?.id },
  })
  await world.change('source', {
    op: 'set',
    table: 'categories',
    id: Number(other?.id),
    fields: { parent_id: one?.id },
  })
  const run = await world.complete({ entities: ['categories'] })
  expect(run.status).toBe('partial_completed')
  const issues = await world.issues(run.requestId)
  expect(issues.filter(({ code }) => code === 'hierarchy_broken').map(({ item }) => item.sourceId)).toEqual(
    expect.arrayContaining([orphan, one, other].map((row) => String(row?.id))),
  )
  await expectCountersToEqualTheLedger(world, run.requestId)
  const { categories: copied = [] } = await world.state('destination')
  expect(copied.map(({ name }) => name)).toEqual(expect.arrayContaining(tops.map(({ name }) => name)))
  expect(copied.length + issues.length).toBe(categories.length)
})

longTest('C3: an item that is gone when it is read again is skipped and reported', async () => {
  const world = await catalogue({ requestTimeoutSeconds: 30 })
  const id = await pausedAtProducts(world)
  await expectCountersToEqualTheLedger(world, id)
  const { rows } = await sql<{
    source_id: string
  }>`select source_id from ledger where run_id = ${id} and component = 'products' and state = 'pending' order by 1`.execute(
    world.database,
  )
  const gone = rows[0]?.source_id ?? ''
  await world.change('source', { op: 'remove', table: 'products', id: Number(gone) })
  await world.api('POST', `/v2/migrations/${id}/resume`)
  const run = await world.finished(id)
  expect((await world.issues(id)).filter(({ component }) => component === 'products')).toMatchObject([
    { code: 'source_gone', severity: 'warning', item: { sourceId: gone } },
  ])
  expect(await counted(world, id)).toMatchObject({ products: { discovered: 12, created: 11, skipped: 1 } })
  expect(run.counters.skipped).toBeGreaterThan(0)
  await expectCountersToEqualTheLedger(world, id)
})

/** Holds the run at its brands, after the forecast and before products and metafields are read, until `arm` is done. */
async function atBrands(world: World, arm: () => Promise<unknown>): Promise<string> {
  await world.fault('destination', { kind: 'hold_after_applying', method: 'POST', path: '/v3/catalog/brands$' })
  const id = await world.migrate()
  await until('a brand is held', async () =>
    (await world.requests('destination', 'POST')).some(
      ({ path, status }) => path === '/v3/catalog/brands' && status === null,
    ),
  )
  await arm()
  await world.release('destination')
  return id
}

test('E1: a run paused between two pages of a list completes it after it resumes, and counts every item once', async () => {
  const world = await catalogue({ requestTimeoutSeconds: patientSeconds })
  const id = await atBrands(world, () =>
    world.fault('source', {
      kind: 'hold_after_applying',
      method: 'GET',
      path: '/v3/catalog/products$',
      query: 'id%3Agreater=',
      times: null,
    }),
  )
  await until('the first page is planned', async () => (await counted(world, id)).products?.discovered === 10)
  await world.api('POST', `/v2/migrations/${id}/pause`)
  await world.finished(id, { status: 'paused' })
  expect(await counted(world, id)).toMatchObject({ products: { discovered: 10 } })
  await world.clearFaults('source')
  await world.release('source')
  await world.api('POST', `/v2/migrations/${id}/resume`)
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await counted(world, id)).toMatchObject({ products: { discovered: 12, created: 12 } })
  await expectCountersToEqualTheLedger(world, id)
})

longTest('C3: a list that ends early once is still read to its end', async () => {
  const world = await catalogue()
  const id = await atBrands(world, async () => {
    await world.fault('source', { kind: 'list_ends_early', method: 'GET', path: '/v3/catalog/products$' })
    await world.fault('source', { kind: 'list_ends_early', method: 'GET', path: '/v3/catalog/products/metafields$' })
  })
  const run = await world.finished(id)
  expect((await world.faults('source')).map(({ hits }) => hits)).toEqual([1, 1])
  expect(await counted(world, id)).toMatchObject({ products: { created: 12 }, 'product-metafields': { created: 6 } })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await world.issues(id)).filter(({ code }) => code !== 'source_changed')).toEqual([])
})

test('C3, B6: tax zones and currencies that a list omits twice are read again until it shows them, and not created a second time', async () => {
  const lists = ['^/v3/tax/zones$', '^/v2/currencies$']
  const entities = ['tax-classes', 'customer-groups', 'tax-zones', 'currencies']
  const world = await aWorld({ settleSeconds: 0, entities })
  const names = async (side: 'source' | 'destination') => {
    const { tax_zones = [], currencies = [] } = await world.state(side)
    return [...tax_zones.map(({ name }) => name), ...currencies.map(({ currency_code }) => currency_code)].sort()
  }
  for (const path of lists) await world.fault('destination', { kind: 'list_ends_early', method: 'GET', path, times: 2 })
  const run = await world.complete()
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([2, 2])
  expect(await names('destination')).toEqual(await names('source'))
})

test('C3: a list that never returns as many items as it counts is reported as source_changed', async () => {
  const world = await catalogue()
  const id = await atBrands(world, async () => {
    await world.fault('source', {
      kind: 'list_ends_early',
      method: 'GET',
      path: '/v3/catalog/products/metafields$',
      times: null,
    })
  })
  await world.finished(id)
  expect((await world.issues(id)).map(({ component, code }) => [component, code])).toEqual([
    ['product-metafields', 'source_changed'],
  ])
})

test('C3: if the lists of both stores are short, each is a warning of its own, in a copy and in a comparison', async () => {
  const world = await aWorld({ entities: ['brands'] })
  await world.complete()
  for (const side of ['source', 'destination'] as const)
    await world.fault(side, { kind: 'list_ends_early', path: '/v3/catalog/brands$', times: null })
  for (const mode of ['full', 'verify']) {
    const run = await world.finished(await world.migrate({ mode }))
    const short = (await world.issues(run.requestId)).filter(({ code }) => code === 'source_changed')
    expect(short.map(({ message }) => /the (source|destination) store/.exec(message)?.[1]).sort(), mode).toEqual([
      'destination',
      'source',
    ])
    expect(run.counters.warnings, mode).toBe(short.length + (await world.findings(run.requestId)).length)
  }
})

/** Refuses each call with an item that says this, without naming it. @returns the components of what is refused */
async function refusing(world: World, said: Record<string, string>): Promise<string[]> {
  for (const [path, body] of Object.entries(said))
    await world.fault('destination', { kind: 'error_before_applying', status: 422, path, body, times: null })
  const run = await world.complete({ conflictStrategy: 'update', autoHeal: false })
  await expectCountersToEqualTheLedger(world, run.requestId)
  const failures = (await world.issues(run.requestId)).filter(({ severity }) => severity === 'failure')
  return failures.map(({ component, code }) => `${component} ${code}`).sort()
}

describe('C1: of items that share a call, the platform refuses one without naming it, and all others are copied', () => {
  test('classes of tax', async () => {
    const world = await aWorld({ entities: ['tax-classes'], seeds: { source: 'small' } })
    const classes = (await world.state('source')).tax_classes ?? []
    const refused = await refusing(world, { '^/v3/tax/classes$': `"name":"${classes.at(-1)?.name}"` })
    expect(refused).toEqual(['tax-classes platform_refused'])
    expect((await world.state('destination')).tax_classes).toHaveLength(classes.length - 1)
  })

  test('rates and properties of tax, and locations', async () => {
    const entities = ['tax-classes', 'locations', 'customer-groups', 'tax-zones']
    const world = await aWorld({ entities, seeds: { source: 'small' } })
    const source = await world.state('source')
    const tables = ['tax_rates', 'tax_properties', 'locations'] as const
    const lastOf = (table: (typeof tables)[number]) => source[table]?.at(-1)
    const refused = await refusing(world, {
      '^/v3/tax/rates$': '"name":"Standard"',
      '^/v3/tax/properties$': `"code":"${lastOf('tax_properties')?.code}"`,
      '^/v3/inventory/locations$': `"code":"${lastOf('locations')?.code}"`,
    })
    expect(refused).toEqual([
      'locations platform_refused',
      'tax-properties platform_refused',
      'tax-rates platform_refused',
    ])
    const copied = await world.state('destination')
    for (const table of tables) expect(copied[table], table).toHaveLength((source[table]?.length ?? 0) - 1)
  })

  test('storefronts of products', async () => {
    const world = await catalogue()
    await world.complete()
    const ids = ((await world.state('destination')).products ?? []).map(({ id }) => id)
    const path = '/v3/catalog/products/channel-assignments'
    await callStore(world, 'destination', 'DELETE', `${path}?product_id:in=${ids.join(',')}`)
    const refused = await refusing(world, { [`${path}$`]: `"product_id":${ids.at(-1)},` })
    expect(refused).toEqual(['product-channel-assignments platform_refused'])
    expect(await callStore(world, 'destination', 'GET', `${path}?limit=250`)).toHaveLength(ids.length - 1)
  })

  test('metafields of products', async () => {
    const world = await catalogue()
    const { product_metafields = [] } = await world.state('source')
    const refused = await refusing(world, { '/metafields$': String(product_metafields.at(-1)?.key) })
    expect(refused).toEqual(['product-metafields platform_refused'])
    expect((await world.state('destination')).product_metafields).toHaveLength(product_metafields.length - 1)
  })
})
