import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { isBornWith } from '../entities/entity-facts.ts'
import { until } from '../harness/until.ts'
import { startWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'

let world: World
afterAll(() => world?.stop())

async function begin(options: Parameters<typeof startWorld>[0] = {}): Promise<void> {
  await world?.stop()
  world = await startWorld({ catalogueOnly: true, requestTimeoutSeconds: 1, ...options })
  await addUnusedValue()
}

/** A value that no variant uses does not come with the product: it has a call of its own. */
async function addUnusedValue(): Promise<void> {
  const { options = [] } = await world.state('source')
  const option = options.find(({ type }) => type === 'swatch')
  const path = `/v3/catalog/products/${option?.product_id}/options/${option?.id}/values`
  const value = { label: 'Unused', sort_order: 9, value_data: { colors: ['#101010'] } }
  await callStore(world, 'source', 'POST', path, value)
}

/** One line per component that creates: its calls, the table its items stand in, and how many calls a quiet run makes. */
const creations = [
  { component: 'categories', method: 'POST', path: '/v3/catalog/trees/categories$', table: 'categories', calls: 3 },
  { component: 'brands', method: 'POST', path: '/v3/catalog/brands$', table: 'brands', calls: 4 },
  { component: 'products', method: 'POST', path: '/v3/catalog/products$', table: 'products', calls: 12 },
  { component: 'product-modifiers', method: 'POST', path: '/products/\\d+/modifiers$', table: 'modifiers', calls: 2 },
  {
    component: 'product-option-values',
    method: 'POST',
    path: '/options/\\d+/values$',
    table: 'option_values',
    calls: 1,
  },
  {
    component: 'product-metafields',
    method: 'POST',
    path: '/products/metafields$',
    table: 'product_metafields',
    calls: 1,
  },
]
const assignments = { method: 'PUT', path: '/products/channel-assignments$', table: 'product_channel_assignments' }

async function callsTo({ method, path }: { method: string; path: string }): Promise<number> {
  return (await world.requests('destination', method)).filter((request) => new RegExp(path).test(request.path)).length
}

async function rowsIn(side: 'source' | 'destination', table: string): Promise<number> {
  return (await world.state(side))[table]?.length ?? 0
}

describe('when the answer to one write of each component is lost', () => {
  let run: MigrationDetail
  beforeAll(async () => {
    await begin()
    for (const { method, path } of [...creations, assignments])
      await world.fault('destination', { kind: 'reset_after_applying', method, path })
    run = await world.complete()
  })

  for (const creation of creations)
    test(`B2: ${creation.component} are looked for, found and not sent again`, async () => {
      const fault = (await world.faults('destination')).find(({ path }) => path === creation.path)
      expect(fault?.hits).toBe(1)
      expect(await callsTo(creation)).toBe(creation.calls)
      expect(await rowsIn('destination', creation.table)).toBe(await rowsIn('source', creation.table))
    })

  test('B3: channel assignments are an upsert and simply sent again', async () => {
    const fault = (await world.faults('destination')).find(({ path }) => path === assignments.path)
    expect(fault?.hits).toBe(1)
    expect(await rowsIn('destination', assignments.table)).toBe(await rowsIn('source', assignments.table))
  })

  test('E3: the copy is complete, equal, and counted once', async () => {
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    await expectCountersToEqualTheLedger(world, run.requestId)
    for (const [component, counts] of Object.entries(await counted(world, run.requestId)))
      if (!isBornWith(component))
        expect(counts, component).toEqual({ discovered: counts.discovered, created: counts.discovered })
    expect((await world.verify(run.requestId)).differences).toEqual([])
  })
})

describe('when one write of each component never arrived', () => {
  let run: MigrationDetail
  beforeAll(async () => {
    await begin()
    for (const { method, path } of [...creations, assignments])
      await world.fault('destination', { kind: 'reset_before_applying', method, path })
    run = await world.complete()
  })

  for (const creation of creations)
    test(`B2: ${creation.component} are looked for, not found, and sent once more`, async () => {
      expect(await callsTo(creation)).toBe(creation.calls + 1)
      expect(await rowsIn('destination', creation.table)).toBe(await rowsIn('source', creation.table))
    })

  test('B2: the copy is complete and equal', async () => {
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect((await world.verify(run.requestId)).differences).toEqual([])
  })
})

describe('one by one', () => {
  beforeAll(() => begin())

  test('B1: what is about to be written is in the database when the request arrives, and gone with its result', async () => {
    const call = { method: 'POST', path: '/v3/catalog/trees/categories$' }
    await world.fault('destination', { kind: 'hold_after_applying', ...call })
    const id = await world.migrate({ entities: ['categories'] })
    await until('a batch of categories is held', async () => (await callsTo(call)) === 1)
    const { rows } = await sql<{ component: string; action: string; items: { sourceId: string }[]; doubtful: boolean }>`
      select component, action, items, doubtful_until is not null as doubtful from intents`.execute(world.database)
    const { categories = [] } = await world.state('source')
    const top = categories.filter(({ parent_id }) => parent_id === 0)
    expect(rows).toMatchObject([{ component: 'categories', action: 'create', doubtful: false }])
    expect(rows[0]?.items.map(({ sourceId }) => sourceId)).toEqual(top.map((category) => String(category.id)))
    await world.release('destination')
    expect(await world.finished(id)).toMatchObject({ status: 'completed' })
    expect((await sql`select id from intents`.execute(world.database)).rows).toEqual([])
  })

  test('B2: a half answer, a 500 and an answer that never comes are doubts, whichever of them it is', async () => {
    const kinds = ['truncated_body', 'error_after_applying', 'apply_late', 'hold_after_applying'] as const
    const call = { method: 'POST', path: '/v3/catalog/brands$' }
    for (const kind of kinds)
      await world.fault('destination', { kind, ...call, ...(kind === 'apply_late' && { seconds: 1.5 }) })
    const run = await world.complete({ entities: ['brands'] })
    expect((await world.faults('destination')).slice(-4).map(({ hits }) => hits)).toEqual([1, 1, 1, 1])
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await callsTo(call)).toBe(4)
    expect(await counted(world, run.requestId)).toMatchObject({ brands: { discovered: 4, created: 4 } })
    expect(await rowsIn('destination', 'brands')).toBe(4)
  })

  test('B4: what a cancelled run left in doubt is settled by the next run before its first write', async () => {
    await world.fault('destination', {
      kind: 'reset_after_applying',
      method: 'POST',
      path: '/v3/catalog/products$',
      times: 12,
    })
    const id = await world.migrate()
    await until(
      'a call is doubtful',
      async () =>
        (await sql`select id from intents where doubtful_until is not null`.execute(world.database)).rows.length > 0,
    )
    expect(await world.api('POST', `/v2/migrations/${id}/cancel`)).toMatchObject({ status: 202 })
    const cancelled = await world.finished(id, { status: 'cancelled' })
    await expectCountersToEqualTheLedger(world, id)
    expect(cancelled.counters.cancelled).toBeGreaterThan(0)
    const { rows: left } = await sql<{ items: { keys: string[] }[] }>`select items from intents`.execute(world.database)
    expect(left.length).toBeGreaterThan(0)
    await world.clearFaults('destination')
    await world.resetRequests('destination')
    const next = await world.complete()
    expect(next).toMatchObject({ status: 'completed', failuresOpen: 0 })
    const requests = await world.requests('destination')
    const firstWrite = requests.findIndex(({ method }) => method !== 'GET')
    const lookups = requests
      .slice(0, firstWrite)
      .filter(({ path, query }) => path === '/v3/catalog/products' && /(^|&)(sku|name)=/.test(query))
    expect(lookups.length).toBeGreaterThanOrEqual(left.length)
    expect(await rowsIn('destination', 'products')).toBe(12)
    await expectCountersToEqualTheLedger(world, next.requestId)
    expect((await world.verify(next.requestId)).differences).toEqual([])
  })

  test('B3: an image whose answer is lost is told from the ones that were there before by the baseline', async () => {
    const { products = [], images = [] } = await world.state('destination')
    const product = products.find(({ sku }) => sku === 'SKU-00004')
    const own = images.filter(({ product_id }) => product_id === product?.id)
    expect(own).toHaveLength(4)
    // One is lost, and the mapping owes it: what is left looks like it but for its file.
    await world.change('destination', { op: 'remove', table: 'images', id: Number(own[1]?.id) })
    await sql`update mappings set owed = '{children}', draft_checksum = null where component = 'products' and destination_id = ${String(product?.id)}`.execute(
      world.database,
    )
    await world.resetRequests('destination')
    await world.fault('destination', {
      kind: 'reset_after_applying',
      method: 'POST',
      path: `/products/${product?.id}/images$`,
    })
    const next = await world.complete()
    expect(next).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await callsTo({ method: 'POST', path: '/images$' })).toBe(1)
    expect(
      (await world.state('destination')).images?.filter(({ product_id }) => product_id === product?.id),
    ).toHaveLength(4)
    expect((await world.verify(next.requestId)).differences).toEqual([])
  })
})

describe('what is applied only after it was looked for', () => {
  beforeAll(() => begin({ quota: { requests: 1_000_000, windowMs: 2_000 } }))

  test('B2: is found when the call that was sent again is refused, and gets all that hangs on it', async () => {
    const call = { method: 'POST', path: '/v3/catalog/products$', body: '"sku":"SKU-00002"' }
    // Looked for after two seconds, sent again after at least four more, in which the store is too busy.
    await world.fault('destination', { kind: 'apply_late', seconds: 5, ...call })
    await world.fault('destination', { kind: 'too_many_requests', times: 3, ...call })
    const run = await world.complete()
    expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([1, 3])
    const sent = (await world.requests('destination', 'POST')).filter(({ path }) => path === '/v3/catalog/products')
    expect(sent.filter(({ status }) => status === 409)).toHaveLength(1)
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await counted(world, run.requestId)).toMatchObject({ products: { discovered: 12, created: 12 } })
    expect(await rowsIn('destination', 'product_metafields')).toBe(await rowsIn('source', 'product_metafields'))
    expect((await world.verify(run.requestId)).differences).toEqual([])
  })
})

describe('a list that ends before its end', () => {
  beforeAll(() => begin({ catalogueOnly: false }))

  test('B2: is not taken for the absence of what was made: it is looked for again before it is sent again', async () => {
    const posts = '/v2/blog/posts$'
    await world.fault('destination', { kind: 'hold_after_applying', method: 'POST', path: posts })
    const id = await world.migrate({ entities: ['blog-posts'] })
    await until('a post is made', async () => (await world.faults('destination')).some(({ hits }) => hits > 0))
    const early = await world.fault('destination', { kind: 'list_ends_early', method: 'GET', path: posts })
    const run = await world.finished(id)
    expect((await world.faults('destination')).find((fault) => fault.id === early)?.hits).toBe(1)
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await rowsIn('destination', 'blog_posts')).toBe(await rowsIn('source', 'blog_posts'))
    expect((await world.findings(id)).map(({ code }) => code)).not.toContain('address_changed')
  })
})
