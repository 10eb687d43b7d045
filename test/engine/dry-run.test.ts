import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import { until } from '../harness/until.ts'
import { startWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { catalogue } from './catalogue.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'
import { comparedWithItsPlan, planOf, pruned } from './planned.ts'

const contents = async (world: World, table: string) =>
  (await sql`select * from ${sql.table(table)}`.execute(world.database)).rows

/** Byte for byte; a table is there as soon as somebody has looked at it. */
async function standing(world: World): Promise<string> {
  const tables = Object.entries(await world.state('destination')).filter(([, rows]) => rows.length > 0)
  return JSON.stringify(tables.sort(([a], [b]) => (a < b ? -1 : 1)))
}

describe('a dry run into an empty destination', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld({ separateHost: true })
  })
  afterAll(() => world?.stop())

  test('F2: sends the destination nothing but GET and leaves it, the mappings and the before-images as they were', async () => {
    // The sandbox makes a store's tax classes and default tax zone when they are first asked for.
    for (const path of ['/v2/tax_classes', '/v3/tax/zones']) await callStore(world, 'destination', 'GET', path)
    const before = await standing(world)
    await world.resetRequests('destination')
    const run = await world.complete({ mode: 'dry-run' })
    const methods = new Set((await world.requests('destination')).map(({ method }) => method))
    expect([...methods]).toEqual(['GET'])
    expect(await standing(world)).toBe(before)
    for (const table of ['mappings', 'intents', 'before_images', 'planned_mappings', 'planned_keys'])
      expect(await contents(world, table), table).toEqual([])
    expect(run).toMatchObject({ status: 'completed', mode: 'dry-run', failuresOpen: 0 })
    expect(run.summaryLine).toMatch(/^Would copy .*\b6 categories, 4 brands, 12 products\b/)
    await expectCountersToEqualTheLedger(world, run.requestId)
    const request = await world.api<MigrationRequest>('GET', `/v2/migrations/${run.requestId}/request`)
    // One call for each product, brand and batch of categories, and some for options.
    expect(request.body.plan?.writes).toBeGreaterThan(16)
    expect(request.body.plan?.minutes).toBeGreaterThan(0)
  })

  test('F2: a second dry run says the same', async () => {
    const runs = [await world.complete({ mode: 'dry-run' }), await world.complete({ mode: 'dry-run' })]
    const [first, second] = await Promise.all(runs.map(({ requestId }) => planOf(world, requestId)))
    expect(first?.size).toBeGreaterThan(100)
    expect(second).toEqual(first)
    expect(runs[1]?.phases).toEqual(runs[0]?.phases)
  })

  test('F2: planned ids are strings in a table of their own, and a process that dies in the middle is taken over', async () => {
    const whole = await planOf(world, (await world.complete({ ...catalogue, mode: 'dry-run' })).requestId)
    await world.fault('source', { kind: 'slow', path: '/v3/catalog/products/metafields$', times: 1, seconds: 2 })
    const id = await world.migrate({ ...catalogue, mode: 'dry-run' })
    await until('products are planned', async () => ((await counted(world, id)).products?.created ?? 0) > 0)
    const planned = await sql<{ destination_id: string }>`
      select destination_id from planned_mappings where run_id = ${id} and component = 'products'`.execute(
      world.database,
    )
    expect(planned.rows.length).toBeGreaterThan(0)
    for (const row of planned.rows) expect(row.destination_id).toMatch(/^planned:products:\d+$/)
    await world.killChild()
    const run = await world.finished(id)
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await planOf(world, id)).toEqual(whole)
    await expectCountersToEqualTheLedger(world, id)
    expect(
      (await sql`select 1 from restarts where run_id = ${id}`.execute(world.database)).rows.length,
    ).toBeGreaterThan(0)
    expect(await contents(world, 'mappings')).toEqual([])
  })
})

describe('the price of a plan', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld({ quota: { requests: 60, windowMs: 1_000 } })
  })
  afterAll(() => world?.stop())

  const planFor = async (id: string) =>
    (await world.api<MigrationRequest>('GET', `/v2/migrations/${id}/request`)).body.plan

  test('F2: is that of the copy which follows, call by call, at the quota the stores told', async () => {
    const dry = await world.complete({ mode: 'dry-run' })
    const plan = await planFor(dry.requestId)
    await world.resetRequests('destination')
    const copy = await world.complete()
    expect(await planFor(copy.requestId)).toBeNull()
    const writes = (await world.requests('destination')).filter(({ method }) => method !== 'GET').length
    expect(Math.abs((plan?.writes ?? 0) - writes) / writes).toBeLessThan(0.2)
    const [basis] = (await contents(world, 'plan_bases')) as { basis: { quotas: object } }[]
    // A tenth is left to other apps.
    const own = { calls: 54, windowSeconds: 1 }
    expect(basis?.basis.quotas).toMatchObject({ source: own, destination: own })
  })

  test('F2: of a copy that has been made is that of reading', async () => {
    const plan = await planFor((await world.complete({ mode: 'dry-run' })).requestId)
    expect(plan).toMatchObject({ writes: 0 })
    expect(plan?.sourceReads).toBeGreaterThan(0)
  })
})

describe('beside a copy, and of items that break rules', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld({ switches: { source: { case_sensitive_names: true } }, requestTimeoutSeconds: 60 })
  })
  afterAll(() => world?.stop())

  test('F2: a dry run takes no place at the destination: a copy to it begins and ends meanwhile', async () => {
    await world.fault('source', { kind: 'slow', path: '/v3/catalog/products$', times: 1, seconds: 20 })
    const dry = await world.migrate({ mode: 'dry-run', entities: ['products'] })
    await until('it is under way', async () => (await world.detail(dry)).status === 'in_progress')
    expect(await contents(world, 'destination_leases')).toEqual([])
    expect((await world.complete({ entities: ['brands'] })).status).toBe('completed')
    expect((await world.detail(dry)).status).toBe('in_progress')
    await world.finished(dry)
  })

  test('F2: what the platform would refuse is a warning that names the rule, and what depends on it fails with it', async () => {
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
    const run = await world.complete({ mode: 'dry-run', entities: ['products'] })
    const issues = await world.issues(run.requestId)
    const told = issues.filter(({ code }) => code === 'would_be_refused')
    expect(told.map(({ item, severity }) => [item.sourceId, severity]).sort()).toEqual(
      [named, sold, long, heavy].map(({ id }) => [String(id), 'warning']).sort(),
    )
    const ruleOf = ({ id }: { id: number }) =>
      told.find(({ item }) => item.sourceId === String(id))?.message.match(/rule "([^"]+)"/)?.[1]
    expect([named, sold, long, heavy].map(ruleOf)).toEqual([
      'unique name',
      'unique sku',
      'products.name: at most 250 characters',
      'products.weight: at least 0',
    ])
    expect(issues.filter(({ code }) => code === 'missing_reference')).toHaveLength(1)
    expect((await counted(world, run.requestId)).products).toMatchObject({ failed: 4 })
    const plan = await planOf(world, run.requestId)
    expect(plan).toContain(`products ${twin.id} created`)
    expect(plan).not.toContain(`products ${long.id} created`)
    await expectCountersToEqualTheLedger(world, run.requestId)
  })
})

describe('replace', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld({ catalogueOnly: true })
    await world.complete()
  })
  afterAll(() => world?.stop())

  test('F2: the limits of pruning are reported and do not pause the run, and what would go is listed as extra', async () => {
    const brands = await Promise.all(
      ['One', 'Two', 'Three'].map((name) =>
        callStore<{ id: number }>(world, 'destination', 'POST', '/v3/catalog/brands', { name: `Only There ${name}` }),
      ),
    )
    const run = await world.complete({ mode: 'dry-run', conflictStrategy: 'replace', pruneLimitItems: 1 })
    expect(run.status).toBe('completed')
    expect((await world.issues(run.requestId)).map(({ code }) => code)).toEqual(['prune_would_ask'])
    expect(await pruned(world, run.requestId)).toEqual(new Set(brands.map(({ id }) => `brands ${id}`)))
    expect(run.phases.find(({ key }) => key === 'brands')?.pruned).toBe(3)
    expect((await world.state('destination')).brands).toHaveLength(7)
  })

  test('F2: an option that would go first leaves the variants as they will be without it', async () => {
    const { products = [] } = await world.state('destination')
    const sneaker = products.find((row) => row.name === 'Amber Linen Sneaker')
    await callStore(world, 'destination', 'POST', `/v3/catalog/products/${sneaker?.id}/options`, {
      display_name: 'Engraving',
      type: 'radio_buttons',
      option_values: [{ label: 'None', sort_order: 0 }],
    })
    await callStore(world, 'destination', 'PUT', `/v3/catalog/products/${sneaker?.id}`, { price: 4.56 })
    const settings = { conflictStrategy: 'replace', pruneLimitPercent: 100, pruneLimitItems: 1000 }
    const { onlyPlanned, onlyDone } = await comparedWithItsPlan(world, settings)
    expect({ onlyPlanned, onlyDone }).toEqual({ onlyPlanned: [], onlyDone: [] })
  })
})
