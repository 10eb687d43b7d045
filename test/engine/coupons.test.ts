import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { startWorld, type World } from '../harness/world.ts'
import type { StoreState } from '../harness/world-sandbox.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'

/** Coupons and gift certificates of one store, through the strategies one after the other. */
let world: World
let run: MigrationDetail
const phases = ['gift-certificates', 'coupons']

beforeAll(async () => {
  world = await startWorld()
  run = await world.complete()
})
afterAll(() => world?.stop())

async function rows(side: 'source' | 'destination', table: string): Promise<NonNullable<StoreState[string]>> {
  return (await world.state(side))[table] ?? []
}

function countsOf(detail: MigrationDetail, key: string) {
  const { created, updated, matched, skipped, failed, pruned } = detail.phases.find((phase) => phase.key === key) ?? {}
  return { created, updated, matched, skipped, failed, pruned }
}

const none = { created: 0, updated: 0, matched: 0, skipped: 0, failed: 0, pruned: 0 }

async function edit(table: string, code: string, fields: Record<string, unknown>): Promise<void> {
  const row = (await rows('destination', table)).find((one) => one.code === code)
  await world.change('destination', { op: 'set', table, id: row?.id ?? 0, fields })
}

test('every coupon and every gift certificate is copied, by one call each, with what it holds for under the ids of the destination', async () => {
  expect(run.status).toBe('completed')
  expect(compareStores(await world.state('source'), await world.state('destination'))).toEqual([])
  const posts = (await world.requests('destination', 'POST')).map(({ path }) => path)
  expect(posts.filter((path) => path === '/v2/coupons')).toHaveLength((await rows('source', 'coupons')).length)
  expect(posts.filter((path) => path === '/v2/gift_certificates')).toHaveLength(3)
  await expectCountersToEqualTheLedger(world, run.requestId)
})

test('a second run reads both stores once and writes nothing', async () => {
  for (const side of ['source', 'destination'] as const) await world.resetRequests(side)
  const second = await world.complete({ entities: phases })
  expect(countsOf(second, 'coupons')).toEqual({ ...none, matched: 4 })
  expect(countsOf(second, 'gift-certificates')).toEqual({ ...none, matched: 3 })
  expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
})

test('S9: codes, names and addresses are stored nowhere in clear, and issues and differences name fields only', async () => {
  const [coupon] = await rows('source', 'coupons')
  const [certificate] = await rows('source', 'gift_certificates')
  await edit('coupons', String(coupon?.code), { amount: 99 })
  const { differences } = await world.verify(run.requestId)
  const fields = [{ path: 'amount', source: null, destination: null }]
  expect(differences.map((one) => [one.component, one.fields])).toEqual([['coupons', fields]])
  const told = JSON.stringify([await world.issues(run.requestId), differences])
  for (const secret of [coupon?.code, certificate?.code, certificate?.to_email]) {
    expect(told).not.toContain(String(secret))
    expect(await inDatabase(String(secret)), String(secret)).toEqual([])
  }
})

/** Tables with a row in which the text occurs. */
async function inDatabase(text: string): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(world.database)
  const found: string[] = []
  for (const { name } of tables) {
    const { rows: hits } = await sql`
      select 1 from ${sql.table(name)} as t where strpos(lower(t::text), ${text.toLowerCase()}) > 0 limit 1`.execute(
      world.database,
    )
    if (hits.length > 0) found.push(name)
  }
  return found
}

test('update writes what differs and repeats what the platform would take away, and leaves living values alone', async () => {
  const coupon = (await rows('source', 'coupons')).find(
    ({ applies_to }) => (applies_to as { ids: number[] }).ids.length > 1,
  )
  await edit('coupons', String(coupon?.code), { min_purchase: 77, enabled: !coupon?.enabled })
  const certificate = (await rows('source', 'gift_certificates'))[0]
  await edit('gift_certificates', String(certificate?.code), { message: 'Other', balance: 1, status: 'disabled' })
  const updated = await world.complete({ entities: phases, conflictStrategy: 'update' })
  expect(countsOf(updated, 'coupons')).toEqual({ ...none, updated: 2, matched: 2 })
  expect(countsOf(updated, 'gift-certificates')).toEqual({ ...none, updated: 1, matched: 2 })
  const standing = (await rows('destination', 'coupons')).find(({ code }) => code === coupon?.code)
  expect(standing).toMatchObject({ min_purchase: coupon?.min_purchase, enabled: !coupon?.enabled })
  const findings = compareStores(await world.state('source'), await world.state('destination'))
  expect(findings.map(({ entity, field }) => `${entity} ${field}`).sort()).toEqual([
    'coupons enabled',
    'gift-certificates balance',
    'gift-certificates status',
  ])
})

test('D1: living values are written over when the request names their component', async () => {
  const again = { entities: phases, conflictStrategy: 'update', overwriteLiving: phases }
  const updated = await world.complete(again)
  expect(countsOf(updated, 'coupons')).toEqual({ ...none, updated: 1, matched: 3 })
  expect(countsOf(updated, 'gift-certificates')).toEqual({ ...none, updated: 1, matched: 2 })
  expect(compareStores(await world.state('source'), await world.state('destination'))).toEqual([])
})

test('a dry run of replace says what the real one does, writes nothing, and neither touches a gift certificate nobody copied', async () => {
  const [coupon] = await rows('destination', 'coupons')
  const [certificate] = await rows('destination', 'gift_certificates')
  const { id } = await world.change('destination', { op: 'double', table: 'coupons', id: coupon?.id ?? 0 })
  await world.change('destination', {
    op: 'set',
    table: 'coupons',
    id: Number(id),
    fields: { code: 'ONLY', name: 'Only' },
  })
  const twin = await world.change('destination', { op: 'double', table: 'gift_certificates', id: certificate?.id ?? 0 })
  const own = { op: 'set', table: 'gift_certificates', id: Number(twin.id), fields: { code: 'OWN' } } as const
  await world.change('destination', own)
  const asked = { entities: phases, conflictStrategy: 'replace', pruneLimitPercent: 100 }
  const before = await world.state('destination')
  const plan = await world.complete({ ...asked, mode: 'dry-run' })
  expect(await world.state('destination')).toEqual(before)
  const real = await world.complete(asked)
  for (const key of phases) expect(countsOf(real, key)).toEqual(countsOf(plan, key))
  expect(countsOf(real, 'coupons')).toEqual({ ...none, matched: 4, pruned: 1 })
  expect((await rows('destination', 'coupons')).map(({ code }) => code)).not.toContain('ONLY')
  expect((await rows('destination', 'gift_certificates')).map(({ code }) => code)).toContain('OWN')
  expect((await counted(world, real.requestId))['gift-certificates']).toMatchObject({ matched: 3 })
})

test('B2: a coupon whose answer is lost is looked for by its code and made once', async () => {
  const [coupon] = await rows('source', 'coupons')
  const copy = (await rows('destination', 'coupons')).find(({ code }) => code === coupon?.code)
  await world.change('destination', { op: 'remove', table: 'coupons', id: copy?.id ?? 0 })
  await world.fault('destination', { kind: 'reset_after_applying', method: 'POST', path: '^/v2/coupons$', times: 1 })
  const again = await world.complete({ entities: ['coupons'] })
  expect(countsOf(again, 'coupons')).toEqual({ ...none, created: 1, matched: 3 })
  expect((await rows('destination', 'coupons')).filter(({ code }) => code === coupon?.code)).toHaveLength(1)
})

test('a coupon for products that are gone is not copied, because without them it would hold for everything', async () => {
  const [coupon] = await rows('source', 'coupons')
  const { id } = await world.change('source', { op: 'double', table: 'coupons', id: coupon?.id ?? 0 })
  const fields = { code: 'GONE', name: 'Gone', applies_to: { entity: 'products', ids: [99_999_999] } }
  await world.change('source', { op: 'set', table: 'coupons', id: Number(id), fields })
  const again = await world.complete({ entities: ['coupons'] })
  expect(again.status).toBe('partial_completed')
  const issues = await world.issues(again.requestId)
  expect(issues.map(({ code, component }) => [component, code])).toEqual([['coupons', 'missing_reference']])
  expect((await rows('destination', 'coupons')).map(({ code }) => code)).not.toContain('GONE')
})
