import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import type { Database } from '../../src/db/core/database.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side, StoreState } from '../harness/world-sandbox.ts'
import { writesTo } from './content.ts'
import { expectCountersToEqualTheLedger } from './counted.ts'
import { planFor } from './planned.ts'

const phases = ['gift-certificates', 'coupons']
/** With all that coupons and gift certificates may name. */
const withNamed = { entities: ['categories', 'brands', 'products', 'customers', ...phases] }

/** Its source has no gift certificates of customers, and only the two coupons that apply to everything. */
async function aWorldWithoutNamed(): Promise<World> {
  const world = await aWorld({ entities: phases })
  for (const { id, applies_to } of await rows(world, 'source', 'coupons'))
    if (idsOf(applies_to)[0] !== 0) await world.change('source', { op: 'remove', table: 'coupons', id })
  for (const { id } of await rows(world, 'source', 'gift_certificates'))
    await world.change('source', { op: 'set', table: 'gift_certificates', id, fields: { customer_id: 0 } })
  return world
}

async function rows(world: World, side: Side, table: string): Promise<NonNullable<StoreState[string]>> {
  return (await world.state(side))[table] ?? []
}

const idsOf = (appliesTo: unknown) => (appliesTo as { ids: number[] }).ids

async function edit(world: World, table: string, code: unknown, fields: Record<string, unknown>): Promise<void> {
  const row = (await rows(world, 'destination', table)).find((one) => one.code === code)
  await world.change('destination', { op: 'set', table, id: row?.id ?? 0, fields })
}

async function differences(world: World): Promise<string[]> {
  const all = compareStores(await world.state('source'), await world.state('destination'))
  return all
    .filter(({ entity }) => phases.includes(entity))
    .map(({ entity, field }) => `${entity} ${field}`)
    .sort()
}

function countsOf(detail: MigrationDetail, key: string) {
  const { created, updated, matched, skipped, failed, pruned } = detail.phases.find((phase) => phase.key === key) ?? {}
  return { created, updated, matched, skipped, failed, pruned }
}

const none = { created: 0, updated: 0, matched: 0, skipped: 0, failed: 0, pruned: 0 }

longTest(
  'B2, C2: every coupon and gift certificate is created by one call, even if one answer is lost, and a second run writes nothing',
  async () => {
    const world = await aWorld(withNamed)
    await world.fault('destination', { kind: 'reset_after_applying', method: 'POST', path: '^/v2/coupons$', times: 1 })
    const run = await world.complete()
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([1])
    expect(await differences(world)).toEqual([])
    const posts = (await world.requests('destination', 'POST')).map(({ path }) => path)
    expect(posts.filter((path) => path === '/v2/coupons')).toHaveLength(4)
    expect(posts.filter((path) => path === '/v2/gift_certificates')).toHaveLength(3)
    await expectCountersToEqualTheLedger(world, run.requestId)

    await world.resetRequests('destination')
    const second = await world.complete({ entities: phases })
    expect(countsOf(second, 'coupons')).toEqual({ ...none, matched: 4 })
    expect(countsOf(second, 'gift-certificates')).toEqual({ ...none, matched: 3 })
    expect(await writesTo(world)).toEqual([])
  },
)

longTest(
  'S9: codes, names and email addresses are never stored in clear, and issues and differences name only fields',
  async () => {
    const world = await aWorldWithoutNamed()
    const [coupon] = await rows(world, 'source', 'coupons')
    const [certificate] = await rows(world, 'source', 'gift_certificates')
    // Other tests share the database; these texts occur in none of them.
    const secret = (kind: string) => `${kind}-${randomBytes(6).toString('hex')}`.toUpperCase()
    const secrets = { coupon: secret('coupon'), certificate: secret('gift'), name: secret('Robin') }
    const set = (table: string, id = 0, fields: Record<string, unknown>) =>
      world.change('source', { op: 'set', table, id, fields })
    await set('coupons', coupon?.id, { code: secrets.coupon })
    const fields = { code: secrets.certificate, to_name: secrets.name, to_email: `${secrets.name}@example.com` }
    await set('gift_certificates', certificate?.id, fields)
    const run = await world.complete()
    await edit(world, 'coupons', secrets.coupon, { amount: 99 })
    await edit(world, 'gift_certificates', secrets.certificate, { to_name: 'Another person' })

    const { differences: found } = await world.verify(run.requestId)
    expect(found.map((one) => [one.component, one.fields])).toEqual([
      ['gift-certificates', [{ path: 'to_name', source: null, destination: null }]],
      ['coupons', [{ path: 'amount', source: null, destination: null }]],
    ])
    const reported = JSON.stringify([await world.issues(run.requestId), found])
    for (const text of Object.values(secrets)) {
      expect(reported).not.toContain(text)
      expect(await tablesWith(world.database, text), text).toEqual([])
    }
  },
)

/** Tables with a row that contains the text. */
async function tablesWith(database: Database, text: string): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(database)
  const found: string[] = []
  for (const { name } of tables) {
    const { rows: hits } = await sql`
      select 1 from ${sql.table(name)} as t where strpos(lower(t::text), ${text.toLowerCase()}) > 0 limit 1`.execute(
      database,
    )
    if (hits.length > 0) found.push(name)
  }
  return found
}

longTest(
  'D1: update corrects fields and leaves balances and switches alone, unless the request names their component',
  async () => {
    const world = await aWorld(withNamed)
    await world.complete()
    // The platform clears what an update of such a coupon does not repeat.
    const coupon = (await rows(world, 'source', 'coupons')).find(({ applies_to }) => idsOf(applies_to).length > 1)
    await edit(world, 'coupons', coupon?.code, { min_purchase: 77, enabled: !coupon?.enabled })
    const [certificate] = await rows(world, 'source', 'gift_certificates')
    await edit(world, 'gift_certificates', certificate?.code, { message: 'Other', balance: 1, status: 'disabled' })

    const update = { entities: phases, conflictStrategy: 'update' }
    const updated = await world.complete(update)
    expect(countsOf(updated, 'coupons')).toEqual({ ...none, updated: 1, matched: 3 })
    expect(countsOf(updated, 'gift-certificates')).toEqual({ ...none, updated: 1, matched: 2 })
    const copy = (await rows(world, 'destination', 'coupons')).find(({ code }) => code === coupon?.code)
    expect(copy).toMatchObject({ min_purchase: coupon?.min_purchase, enabled: !coupon?.enabled })
    expect(await differences(world)).toEqual([
      'coupons enabled',
      'gift-certificates balance',
      'gift-certificates status',
    ])

    const requested = await world.complete({ ...update, overwriteLiving: phases })
    expect(countsOf(requested, 'coupons')).toEqual({ ...none, updated: 1, matched: 3 })
    expect(countsOf(requested, 'gift-certificates')).toEqual({ ...none, updated: 1, matched: 2 })
    expect(await differences(world)).toEqual([])
  },
)

longTest(
  'D4, F2: replace deletes what its dry run announced: coupons that only the destination has, but no gift certificates',
  async () => {
    const world = await aWorldWithoutNamed()
    await world.complete()
    for (const [table, fields] of [
      ['coupons', { code: 'ONLY', name: 'Only' }],
      ['gift_certificates', { code: 'OWN' }],
    ] as const) {
      const [like] = await rows(world, 'destination', table)
      const { id } = await world.change('destination', { op: 'double', table, id: like?.id ?? 0 })
      await world.change('destination', { op: 'set', table, id: Number(id), fields })
    }
    const requested = { conflictStrategy: 'replace', pruneLimitPercent: 100 }
    const before = await world.state('destination')
    const plan = await world.complete({ ...requested, mode: 'dry-run' })
    expect(await world.state('destination')).toEqual(before)
    const real = await world.complete(requested)
    // What it would delete is in its plan (G14).
    for (const key of phases) expect(countsOf(plan, key)).toEqual({ ...countsOf(real, key), pruned: 0 })
    expect(await planFor(world, plan.requestId)).toMatchObject({ pruned: { coupons: 1 } })
    expect(countsOf(real, 'coupons')).toEqual({ ...none, matched: 2, pruned: 1 })
    expect(countsOf(real, 'gift-certificates')).toEqual({ ...none, matched: 3 })
    expect((await rows(world, 'destination', 'coupons')).map(({ code }) => code)).not.toContain('ONLY')
    expect((await rows(world, 'destination', 'gift_certificates')).map(({ code }) => code)).toContain('OWN')
  },
)

test('C4: a coupon for products that are gone is not copied, because without them it would apply to everything', async () => {
  const world = await aWorldWithoutNamed()
  const [coupon] = await rows(world, 'source', 'coupons')
  const fields = { code: 'GONE', applies_to: { entity: 'products', ids: [99_999_999] } }
  await world.change('source', { op: 'set', table: 'coupons', id: coupon?.id ?? 0, fields })
  const run = await world.complete()
  expect(run.status).toBe('partial_completed')
  const issues = await world.issues(run.requestId)
  expect(issues.map(({ code, component }) => [component, code])).toEqual([['coupons', 'missing_reference']])
  const codes = (await rows(world, 'destination', 'coupons')).map(({ code }) => code)
  expect(codes).toHaveLength(1)
  expect(codes).not.toContain('GONE')
})
