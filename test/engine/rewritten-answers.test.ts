import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { componentOf } from '../../src/entities/registry.ts'
import { addCatalogueParts } from '../comparison/more-catalogue.ts'
import { specs } from '../entities/specs/all-specs.ts'
import { isLong } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import { expectWhole } from '../kills/expect-whole.ts'
import { callStore } from './call-store.ts'

const shopper = (name: string, channel_ids: number[] | null = null) => ({
  email: `${name}@Example.com`,
  first_name: name,
  last_name: 'Shopper',
  channel_ids,
})

const customersCall = { method: 'POST', path: '/v3/customers$' }

/** Mappings that name nothing of the destination. */
async function inventedIds(world: World): Promise<unknown[]> {
  const { rows } = await sql<{ component: string; destination_id: string }>`
    select component, destination_id from mappings_of_pairs where organisation_id = ${world.organisationId}
      and (destination_id ~ '^(|:.*|undefined|null|NaN)$')`.execute(world.database)
  return rows
}

async function customersIn(world: World, side: 'source' | 'destination'): Promise<Map<number, string>> {
  const { customers = [] } = await world.state(side)
  return new Map(customers.map(({ id, email }) => [Number(id), String(email).toLowerCase()]))
}

/** The copies of customers, by the emails of both. */
async function copies(world: World): Promise<[string | undefined, string | undefined][]> {
  const [from, to] = [await customersIn(world, 'source'), await customersIn(world, 'destination')]
  const { rows } = await sql<{ source_id: string; destination_id: string }>`
    select source_id, destination_id from mappings_of_pairs
    where organisation_id = ${world.organisationId} and component = 'customers'`.execute(world.database)
  return rows.map((row) => [from.get(Number(row.source_id)), to.get(Number(row.destination_id))])
}

describe('G6: when the answer to a customer shows', () => {
  test.each([
    ['its channels instead of all', { kind: 'rows_rewritten', rewrites: { channel_ids: [1] } }],
    ['its email in small letters', { kind: 'rows_rewritten', rewrites: { email: 'lower case' } }],
    ['no row for it', { kind: 'row_missing' }],
    ['the others first', { kind: 'rows_reordered' }],
  ] as const)('%s, it is found, and its order names it', async (_what, fault) => {
    const world = await aWorld({ entities: ['customers', 'orders'] })
    await callStore(
      world,
      'source',
      'POST',
      '/v3/customers',
      ['Ann', 'Bob', 'Cho'].map((name) => shopper(name)),
    )
    await world.fault('destination', { ...fault, ...customersCall, times: null })
    const run = await world.complete()
    expect((await world.faults('destination'))[0]?.hits).toBeGreaterThan(0)
    expect(run.status).not.toBe('failed')
    const issues = await world.issues(run.requestId)
    expect(issues.filter(({ component, severity }) => component === 'customers' && severity === 'failure')).toEqual([])
    expect(await inventedIds(world)).toEqual([])
    const pairs = await copies(world)
    expect(pairs).toHaveLength((await customersIn(world, 'source')).size)
    for (const [from, to] of pairs) expect(to).toBe(from)
    // Numbers of the copies, not of what was made up.
    const { orders = [] } = await world.state('destination')
    const known = await customersIn(world, 'destination')
    expect(orders.length).toBeGreaterThan(0)
    for (const { customer_id } of orders) expect(customer_id === 0 || known.has(Number(customer_id))).toBe(true)
  })
})

test('G6: a customer that the answer leaves out and the store does not show either is a failure', async () => {
  const world = await aWorld({ entities: ['customers'] })
  await world.fault('destination', { kind: 'row_missing', ...customersCall, times: null })
  await world.fault('destination', { kind: 'list_ends_early', path: '/v3/customers$', query: 'email', times: null })
  const id = await world.migrate()
  const run = await world.finished(id)
  expect(run.status).toBe('partial_completed')
  const failures = (await world.issues(id)).filter(({ severity }) => severity === 'failure')
  expect(failures.map(({ code, component }) => [code, component])).toContainEqual(['platform_refused', 'customers'])
  expect(await inventedIds(world)).toEqual([])
})

/** Calls that create items of a component. */
const creations = specs.flatMap(({ kills = {} }) => Object.values(kills))
/** Those that create several at once. */
const batched = creations.filter(({ component }) => (componentOf(component).create?.batch ?? 1) > 1)

test('G6: with no body in the answer to any creation, every component is copied whole, and no item meets a fault', async () => {
  const world = await aWorld()
  await addCatalogueParts(world, 'source')
  for (const { write } of creations) await world.fault('destination', { kind: 'empty_body', ...write, times: null })
  const run = await world.complete()
  const hit = (await world.faults('destination')).filter(({ hits }) => hits > 0).map(({ path }) => path)
  expect(hit).toEqual(expect.arrayContaining(['^/v3/catalog/products$', '^/v2/customer_groups$', '^/v2/orders$']))
  expect((await world.issues(run.requestId)).filter(({ severity }) => severity === 'failure')).toEqual([])
  await expectWhole(world, run.requestId)
}, 300_000)

test.each([
  'row_missing',
  ...(isLong ? (['rows_reordered'] as const) : []),
] as const)('G6: with %s in the answers to all batches, every component is copied whole and mapped to what the store has', async (kind) => {
  const world = await aWorld()
  await addCatalogueParts(world, 'source')
  for (const { write } of batched) await world.fault('destination', { kind, ...write, times: null })
  const run = await world.complete()
  const hit = (await world.faults('destination')).filter(({ hits }) => hits > 0).map(({ path }) => path)
  expect(hit).toEqual(expect.arrayContaining([...new Set(batched.map(({ write }) => write.path))]))
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await inventedIds(world)).toEqual([])
  await expectWhole(world, run.requestId)
  const again = await world.complete({ conflictStrategy: 'update' })
  expect(again).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(again.phases.filter(({ created }) => created > 0)).toEqual([])
}, 300_000)

test('C3: a store whose lists show an item twice on a page is copied whole, and its counts are right', async () => {
  const world = await aWorld()
  await addCatalogueParts(world, 'source')
  for (const side of ['source', 'destination'] as const)
    await world.fault(side, { kind: 'row_twice', method: 'GET', path: '^/v[23]/', times: null })
  const run = await world.complete()
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  await expectWhole(world, run.requestId)
}, 300_000)

test('C3: a look-up that a store answers with 204 has found nothing', async () => {
  const world = await aWorld({ entities: ['promotions'] })
  const lookUp = { method: 'GET', path: '^/v3/promotions$', query: '^redemption_type=' }
  await world.fault('destination', { kind: 'error_before_applying', status: 204, ...lookUp, times: null })
  const run = await world.complete()
  expect((await world.faults('destination'))[0]?.hits).toBeGreaterThan(0)
  const codes = (await world.issues(run.requestId)).map(({ code }) => code)
  // Some promotions are about products, which this run does not copy.
  expect(codes.filter((code) => !/reference|left_disabled/.test(code))).toEqual([])
  expect((await world.state('destination')).promotions).not.toEqual([])
})
