import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { startWorld, type World } from '../harness/world.ts'
import type { StoreState } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { expectCountersToEqualTheLedger } from './counted.ts'

/** Promotions and their codes of one store, through one story after the other. */
let world: World
let run: MigrationDetail
const phases = ['promotions']

beforeAll(async () => {
  world = await startWorld()
  run = await world.complete()
})
afterAll(() => world?.stop())

type Rows = NonNullable<StoreState[string]>

async function rows(side: 'source' | 'destination', table = 'promotions'): Promise<Rows> {
  return (await world.state(side))[table] ?? []
}

async function named(side: 'source' | 'destination', name: string) {
  const found = (await rows(side)).find((row) => row.name === name)
  if (!found) throw new Error(`There is no promotion ${name}.`)
  return found
}

async function set(side: 'source' | 'destination', table: string, id: unknown, fields: Record<string, unknown>) {
  await world.change(side, { op: 'set', table, id: Number(id), fields })
}

/** A promotion like the first of the source, with something of its own. */
async function another(name: string, fields: Record<string, unknown>): Promise<number> {
  const like = await named('source', 'Promotion 4')
  const { id } = await world.change('source', { op: 'double', table: 'promotions', id: like.id })
  await set('source', 'promotions', id, { name, ...fields })
  return Number(id)
}

function componentOf(detail: MigrationDetail, key: string) {
  const found = detail.phases.flatMap(({ components }) => components).find((one) => one.key === key)
  const { discovered, success, matched, failed, skipped, pruned } = found ?? {}
  return { discovered, success, matched, failed, skipped, pruned }
}

async function duties(): Promise<string[]> {
  const { rows: open } = await sql<{ component: string; source: string }>`
    select component, source_id as source from duties order by 1, 2`.execute(world.database)
  return open.map(({ component, source }) => `${component} ${source}`)
}

const differences = async () => compareStores(await world.state('source'), await world.state('destination'))

test('promotions and their codes are copied with the ids of the destination at every depth of their rules', async () => {
  expect(run.status).toBe('completed')
  expect(await differences()).toEqual([])
  expect(componentOf(run, 'promotions')).toMatchObject({ discovered: 4, success: 4 })
  expect(componentOf(run, 'promotion-codes')).toMatchObject({ discovered: 4, success: 4 })
  await expectCountersToEqualTheLedger(world, run.requestId)
})

test('D5: they are created switched off, and switched on after the last code, once each', async () => {
  const calls = (await world.requests('destination')).filter(
    ({ method, path }) => method !== 'GET' && /promotions/.test(path),
  )
  const kinds = calls.map(
    ({ method, path }) => `${method} ${path.replace(/^.*\/v3\/promotions/, '').replace(/\d+/, '*')}`,
  )
  expect(kinds.lastIndexOf('POST /*/codes')).toBeLessThan(kinds.indexOf('PUT /*'))
  const switchedOn = (await rows('source')).filter(({ status }) => status === 'ENABLED')
  expect(kinds.filter((kind) => kind === 'PUT /*')).toHaveLength(switchedOn.length)
  expect(await duties()).toEqual([])
})

test('a second run writes nothing and switches nothing on that somebody switched off', async () => {
  const { id } = await named('destination', 'Promotion 1')
  await set('destination', 'promotions', id, { status: 'DISABLED' })
  await world.resetRequests('destination')
  const second = await world.complete({ entities: phases, conflictStrategy: 'update' })
  expect(componentOf(second, 'promotions')).toMatchObject({ matched: 4, success: 0 })
  expect(componentOf(second, 'promotion-codes')).toMatchObject({ matched: 4, success: 0 })
  expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
  const { differences: told } = await world.verify(run.requestId)
  expect(told.map(({ component, fields }) => [component, fields.map(({ path }) => path)])).toEqual([
    ['promotions', ['status']],
  ])
  const again = { entities: phases, conflictStrategy: 'update', overwriteLiving: phases }
  expect(componentOf(await world.complete(again), 'promotions')).toMatchObject({ matched: 3, success: 1 })
  expect(await differences()).toEqual([])
})

test('D5: one that lacks something it names stays off with an issue, and the run that finds it complete switches it on', async () => {
  const { products = [] } = await world.state('source')
  const [first] = products
  const body = { name: 'Came later', type: 'physical', weight: 1, price: 1 }
  const { id: newProduct } = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/products', body)
  const items = { and: [{ not: { products: [first?.id, Number(newProduct)] } }] }
  const rules = [
    {
      action: { cart_value: { discount: { fixed_amount: '1' } } },
      condition: { cart: { items, minimum_quantity: 1 } },
    },
  ]
  await another('Waits', { rules })
  const waiting = await world.complete({ entities: phases })
  expect((await named('destination', 'Waits')).status).toBe('DISABLED')
  const codes = (await world.issues(waiting.requestId)).map(({ code }) => code)
  expect(codes.sort()).toEqual(['left_disabled', 'reference_left_out'])
  expect(await duties()).toHaveLength(1)
  // The product alone: promotions are not in its scope.
  await world.complete({ entities: ['products'] })
  expect((await named('destination', 'Waits')).status).toBe('DISABLED')
  const complete = await world.complete({ entities: phases })
  expect(await world.issues(complete.requestId)).toEqual([])
  expect((await named('destination', 'Waits')).status).toBe('ENABLED')
  expect(await duties()).toEqual([])
  expect((await differences()).filter(({ entity }) => entity === 'promotions')).toEqual([])
})

test('D5: a duty survives the death of the process and is done once', async () => {
  await another('Outlives', {})
  // The answer to the switch is held: the process dies with the duty open.
  await world.fault('destination', {
    kind: 'hold_after_applying',
    method: 'PUT',
    path: '^/v3/promotions/\\d+$',
    times: 1,
  })
  const id = await world.migrate({ entities: phases })
  await expect
    .poll(async () => (await named('destination', 'Outlives').catch(() => undefined))?.status, { timeout: 20_000 })
    .toBe('ENABLED')
  expect(await duties()).toHaveLength(1)
  await world.killChild()
  await world.release('destination')
  const ended = await world.finished(id)
  expect(ended.status).toBe('completed')
  expect((await named('destination', 'Outlives')).status).toBe('ENABLED')
  expect(await duties()).toEqual([])
})

test('B6: two promotions of one name are two promotions, also where one of that name stands already', async () => {
  await another('Alike', { max_uses: 1 })
  await another('Alike', { max_uses: 2 })
  const like = await named('destination', 'Promotion 4')
  const { id } = await world.change('destination', { op: 'double', table: 'promotions', id: like.id })
  await set('destination', 'promotions', id, { name: 'Alike', max_uses: 3 })
  const ended = await world.complete({ entities: phases })
  expect(ended.status).toBe('completed')
  expect(componentOf(ended, 'promotions')).toMatchObject({ success: 1, skipped: 1, failed: 0 })
  expect((await rows('destination')).filter(({ name }) => name === 'Alike')).toHaveLength(2)
  await world.complete({ entities: phases, conflictStrategy: 'update' })
  expect(await differences()).toEqual([])
})

test('B2: one of two alike whose answer is lost is made once', async () => {
  await another('Alike', { max_uses: 4 })
  await world.fault('destination', { kind: 'reset_after_applying', method: 'POST', path: '^/v3/promotions$', times: 1 })
  const ended = await world.complete({ entities: phases })
  expect(componentOf(ended, 'promotions')).toMatchObject({ success: 1, failed: 0 })
  expect((await rows('destination')).filter(({ name }) => name === 'Alike')).toHaveLength(3)
  expect(await differences()).toEqual([])
})

test('a gift that is gone keeps a promotion from being copied', async () => {
  await another('Gift gone', { rules: [{ action: { gift_item: { quantity: 1, product_id: 99_999_999 } } }] })
  const ended = await world.complete({ entities: phases })
  const issues = await world.issues(ended.requestId)
  expect(issues.map(({ code, component }) => [component, code])).toEqual([['promotions', 'missing_reference']])
  const { id } = await named('source', 'Gift gone')
  await world.change('source', { op: 'remove', table: 'promotions', id })
})

test('a dry run of replace says what the real one does: codes go before the promotions they hang on', async () => {
  const bulk = await named('destination', 'Promotion 3')
  const [code] = (await rows('destination', 'promotion_codes')).filter((row) => row.promotion_id === bulk.id)
  const { id: extra } = await world.change('destination', { op: 'double', table: 'promotion_codes', id: code?.id ?? 0 })
  await set('destination', 'promotion_codes', extra, { code: 'EXTRA-CODE' })
  const plain = await named('destination', 'Promotion 4')
  const { id: own } = await world.change('destination', { op: 'double', table: 'promotions', id: plain.id })
  const kind = { redemption_type: 'COUPON', coupon_type: 'BULK' }
  await set('destination', 'promotions', own, { name: 'Only there', ...kind })
  const { id: its } = await world.change('destination', { op: 'double', table: 'promotion_codes', id: code?.id ?? 0 })
  await set('destination', 'promotion_codes', its, { code: 'ONLY-THERE', promotion_id: own })
  const asked = { entities: phases, conflictStrategy: 'replace', pruneLimitPercent: 100 }
  const before = await world.state('destination')
  const plan = await world.complete({ ...asked, mode: 'dry-run' })
  expect(await world.state('destination')).toEqual(before)
  const real = await world.complete(asked)
  for (const key of ['promotions', 'promotion-codes']) expect(componentOf(real, key)).toEqual(componentOf(plan, key))
  expect(componentOf(real, 'promotions').pruned).toBe(1)
  expect(componentOf(real, 'promotion-codes').pruned).toBe(2)
  expect(await world.issues(real.requestId)).toEqual([])
  expect(await differences()).toEqual([])
})
