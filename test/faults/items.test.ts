import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import { longTest } from '../harness/long-form.ts'
import { mappingsWhere } from '../harness/map-items.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { expectWhole } from '../kills/expect-whole.ts'

const catalogue = '/v3/catalog/products$'

interface Product {
  id: number
  name: string
  sku: string
}

/** Gives up early, and looks for a lost answer at once. */
const impatient = { catalogueOnly: true, requestTimeoutSeconds: 1, settleSeconds: 0 } as const
const goods = ['categories', 'brands', 'products']

async function productsOf(world: World, side: Side): Promise<Product[]> {
  const rows = (await world.state(side)).products ?? []
  return rows.map(({ id, name, sku }) => ({ id, name: String(name), sku: String(sku ?? '') }))
}

async function rename(world: World, side: Side, { id }: Product, name: string): Promise<void> {
  await world.change(side, { op: 'set', table: 'products', id, fields: { name } })
}

async function writesTo(world: World): Promise<string[]> {
  const requests = await world.requests('destination')
  return requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)
}

test('a migration with invalid fields is refused with the path of each, and starts nothing', async () => {
  const world = await aWorld()
  const pair = { source: world.address('source').hash, destination: world.address('destination').hash }
  const says = (words: string) => [expect.stringContaining(words)]
  const mistakes: { body: object; errors: object }[] = [
    { body: { ...pair, source: 'nobody' }, errors: { source: says('No store nobody is connected') } },
    {
      body: { source: 'nobody', destination: 'neither' },
      errors: { source: says('nobody'), destination: says('neither') },
    },
    {
      body: { ...pair, destination: pair.source },
      errors: { destination: says('Must not be the source') },
    },
    { body: { ...pair, sauce: 1 }, errors: { sauce: ['Unknown key.'] } },
    { body: { ...pair, entities: ['socks'] }, errors: { 'entities.0': says('Unknown entity') } },
    {
      body: { ...pair, source: 7, autoHeal: 'perhaps' },
      errors: { source: [expect.any(String)], autoHeal: [expect.any(String)] },
    },
  ]
  for (const { body, errors } of mistakes) {
    const answer = await world.api('POST', '/v2/migrations', body)
    expect(answer).toMatchObject({ status: 422, body: { error: 'validation_failed', errors } })
  }
  expect((await world.api<{ items: unknown[] }>('GET', '/v2/migrations')).body.items).toEqual([])
})

longTest(
  'products with the same SKU are adopted without a write; one with the same name and another SKU is an issue that names both',
  async () => {
    const world = await aWorld({ catalogueOnly: true, seeds: { destination: 'tiny-catalogue' }, entities: goods })
    const taken = (await productsOf(world, 'destination')).find(({ sku }) => sku !== '')
    if (!taken) throw new Error('No product with a SKU was planted.')
    const fields = { sku: 'SOMETHING-ELSE', sku_key: 'SOMETHING-ELSE' }
    await world.change('destination', { op: 'set', table: 'products', id: taken.id, fields })
    await world.resetRequests('destination')
    const own = (await productsOf(world, 'source')).find(({ name }) => name === taken.name)
    for (const _run of ['first', 'second']) {
      const run = await world.complete()
      expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
      const failures = (await world.issues(run.requestId)).filter(({ severity }) => severity === 'failure')
      const item = { sourceId: String(own?.id), name: taken.name, sku: taken.sku }
      expect(failures).toMatchObject([{ code: 'natural_key_conflict', item, destinationId: String(taken.id) }])
      expect(failures[0]?.message).toContain(`"${taken.name}" (source ${own?.id})`)
      expect(failures[0]?.message).toContain(`destination item ${taken.id} but another SKU (${taken.sku})`)
      expect(failures[0]?.remedy).toContain('Rename one of them')
      expect(await writesTo(world)).toEqual([])
    }
  },
)

longTest(
  'a refused product and one that only gets errors are issues, and once both can be created a new run creates just these two',
  async () => {
    const world = await aWorld(impatient)
    const [refused, unanswered] = (await productsOf(world, 'source')).slice(-2)
    if (!refused || !unanswered) throw new Error('No products were planted.')
    await rename(world, 'source', refused, `${refused.name} [[refuse]]`)
    // Names are matched loosely: the pattern must not depend on their punctuation.
    const body = `"name":"${unanswered.name.replace(/[^\w ]/g, '.')}"`
    const broken = { kind: 'error_before_applying', status: 500, method: 'POST', path: catalogue, body } as const
    await world.fault('destination', { ...broken, times: null })
    const run = await world.complete()
    expect(run.status).toBe('partial_completed')
    const issues = await world.issues(run.requestId)
    // Metafields belong to products by a list of their own, so each reports its missing parent.
    const others = issues.filter(({ component }) => component !== 'products')
    expect(others.map(({ component, code }) => `${component} ${code}`)).toEqual(
      others.map(() => 'product-metafields missing_reference'),
    )
    expect(run.failuresOpen).toBe(2 + others.length)
    const of = ({ id }: Product) => issues.filter(({ item }) => item.sourceId === String(id))
    const remedy = expect.stringContaining('Correct the item in the source store')
    const call = { method: 'POST', path: '/v3/catalog/products' }
    expect(of(refused)).toMatchObject([{ code: 'platform_refused', remedy, platform: { ...call, status: 422 } }])
    const title = 'No valid response after 5 attempts'
    expect(of(unanswered)).toMatchObject([{ code: 'platform_refused', platform: { ...call, status: 500, title } }])
    const counted = run.phases.flatMap(({ components }) => components)
    expect(counted.find(({ key }) => key === 'products')).toMatchObject({ failed: 2 })
    expect(counted.find(({ key }) => key === 'product-variants')?.failed).toBeGreaterThan(0)
    expect((await productsOf(world, 'destination')).length).toBe((await productsOf(world, 'source')).length - 2)

    await rename(world, 'source', refused, refused.name)
    await world.clearFaults('destination')
    await world.resetRequests('destination')
    const next = await world.complete()
    expect(next).toMatchObject({ status: 'completed', failuresOpen: 0 })
    const created = (await writesTo(world)).filter((write) => write === 'POST /v3/catalog/products')
    expect(created).toHaveLength(2)
    await expectWhole(world, next.requestId)
  },
)

longTest(
  'a product deleted at the destination while a run completes it is an issue of that product, not the end of the run',
  async () => {
    const world = await aWorld({ ...impatient, entities: goods })
    await world.complete()
    const [{ id: sourceId, name } = { id: 0, name: '' }] = await productsOf(world, 'source')
    const existing = (await productsOf(world, 'destination')).find((product) => product.name === name)
    // The state in which a run leaves a product that it could not complete.
    await sql`update mappings set owed = '{children}', draft_checksum = null where ${mappingsWhere(sql`component = 'products'
    and source_id = ${String(sourceId)} and organisation_id = ${world.organisationId}`)}`.execute(world.database)
    await world.fault('source', { kind: 'slow', seconds: 0.9, method: 'GET', path: catalogue, times: null })
    const id = await world.migrate({ autoHeal: false })
    const listed = () =>
      sql`select 1 from checkpoints where run_id = ${id} and pass = 'products:destination' and finished`.execute(
        world.database,
      )
    await until('the destination is listed', async () => (await listed()).rows.length > 0)
    await world.change('destination', { op: 'remove', table: 'products', id: existing?.id ?? 0 })
    expect((await world.finished(id)).status).toBe('partial_completed')
    const issues = (await world.issues(id)).filter(({ component }) => component === 'products')
    expect(issues).toMatchObject([{ code: 'deleted_meanwhile', item: { sourceId: String(sourceId), name } }])
    expect(issues[0]?.message).toContain(`its copy ${existing?.id} was deleted at the destination`)
    expect(issues[0]?.remedy).toContain('run again')
    expect((await world.detail(id)).counters.exceptions).toBe(0)
  },
)

test('a token revoked during a run pauses the run with a message that names the store and the remedy', async () => {
  const world = await aWorld({ ...impatient, entities: ['brands'] })
  const brands = { method: 'POST', path: '/v3/catalog/brands$' }
  await world.fault('destination', { kind: 'slow', seconds: 0.5, ...brands, times: null })
  const id = await world.migrate()
  await until('brands are being created', async () =>
    (await world.requests('destination', 'POST')).some(({ path }) => path === '/v3/catalog/brands'),
  )
  await world.token('destination', { action: 'revoke' })
  const run = await world.finished(id, { status: 'paused' })
  const { hash } = world.address('destination')
  const words = `The destination store ${hash} does not accept its API token. Create an API account`
  expect(run.summaryLine).toContain(words)
  const { body } = await world.api<MigrationRequest>('GET', `/v2/migrations/${id}/request`)
  expect(body.failure).toMatchObject({ code: 'credentials_revoked', message: expect.stringContaining(words) })
})

longTest('a run completes its copy despite too many requests, overload, 503 answers and slow answers', async () => {
  // A used-up quota ends after a second instead of half a minute.
  const quota = { requests: 1_000_000, windowMs: 1_000 }
  const world = await aWorld({ ...impatient, processes: false, quotas: { source: quota, destination: quota } })
  const reading = { method: 'GET', path: catalogue }
  await world.fault('source', { kind: 'error_before_applying', status: 503, ...reading, times: 3 })
  await world.fault('source', { kind: 'too_many_requests', method: 'GET', path: '/v3/catalog/brands$' })
  const writing = { method: 'POST', path: catalogue }
  await world.fault('destination', { kind: 'overloaded', ...writing })
  await world.fault('destination', { kind: 'slow', seconds: 0.8, ...writing, times: 3 })
  await world.fault('destination', { kind: 'error_before_applying', status: 503, ...writing, times: 2 })
  const planted = [...(await world.faults('source')), ...(await world.faults('destination'))]
  const run = await world.finished(await world.migrate(), { seconds: 110 })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const left = [...(await world.faults('source')), ...(await world.faults('destination'))]
  expect(left.map(({ hits }) => hits)).toEqual(planted.map(({ times }) => times))
  await expectWhole(world, run.requestId)
})
