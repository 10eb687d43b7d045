import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { startWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { expectCountersToEqualTheLedger } from './counted.ts'

type Row = { id: number } & Record<string, unknown>

const timeout = 600_000
const discounts = ['coupons', 'promotions', 'promotion-codes']
const firstPair = { sourceStorefront: '1', destStorefront: '1' }
const seconds = 300

/** A store of two storefronts, with discounts on what the second one alone has; each test goes on where the one before it ended. */
let world: World
let pair: MigrationDetail
beforeAll(async () => {
  world = await startWorld({ seeds: { source: 'tiny-two-storefronts' }, requestTimeoutSeconds: 30 })
  await callStore(world, 'destination', 'POST', '/v3/channels', {
    name: 'Outlet',
    type: 'storefront',
    platform: 'bigcommerce',
    status: 'active',
  })
  await addDiscounts()
  pair = await world.finished(await world.migrate(firstPair), { seconds })
}, timeout)
afterAll(() => world?.stop())

const rows = async (side: Side, table: string) => ((await world.state(side))[table] ?? []) as Row[]

async function addDiscounts(): Promise<void> {
  const trees = await rows('source', 'category_trees')
  const first = trees.find(({ channel_id }) => channel_id === 1)
  const categories = await rows('source', 'categories')
  const ours = categories.find(({ tree_id }) => tree_id === first?.id)
  const theirs = categories.find(({ tree_id }) => tree_id !== first?.id)
  const coupon = (name: string, ids: unknown[]) =>
    callStore(world, 'source', 'POST', '/v2/coupons', {
      ...{
        name,
        code: name.toUpperCase().replace(/ /g, ''),
        type: 'per_item_discount',
        amount: '5.0000',
        enabled: true,
      },
      applies_to: { entity: 'categories', ids },
    })
  await coupon('Outlet only', [theirs?.id])
  await coupon('On both', [ours?.id, theirs?.id])
  await coupon('First only', [ours?.id])
  const sold = await rows('source', 'product_channel_assignments')
  const elsewhere = (await rows('source', 'products')).find(
    ({ id }) => !sold.some(({ product_id, channel_id }) => product_id === id && channel_id === 1),
  )
  const like = (await rows('source', 'promotions')).find(({ name }) => name === 'Promotion 4')
  const { id } = await world.change('source', { op: 'double', table: 'promotions', id: like?.id ?? 0 })
  const items = { products: [elsewhere?.id] }
  const rules = [
    {
      action: { cart_value: { discount: { fixed_amount: '1' } } },
      condition: { cart: { items, minimum_quantity: 1 } },
    },
  ]
  const fields = { name: 'Outlet lamps', status: 'ENABLED', rules }
  await world.change('source', { op: 'set', table: 'promotions', id: Number(id), fields })
}

async function told(detail: MigrationDetail): Promise<string[]> {
  const issues = (await world.issues(detail.requestId)).filter(({ component }) => discounts.includes(component))
  return issues.map(({ severity, code }) => `${severity} ${code}`)
}

const names = async (side: Side, table: string) => (await rows(side, table)).map(({ name }) => name)

test('D3: a run over one storefront leaves out discounts on what only another one has, and says so', async () => {
  expect(pair).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await told(pair)).toEqual([])
  const left = (await world.findings(pair.requestId)).filter(({ item }) => item.sourceId !== 'promotions-left-off')
  const about = left.filter(({ component }) => discounts.includes(component))
  expect(new Set(about.map(({ severity, code }) => `${severity} ${code}`))).toEqual(new Set(['warning not_copied']))
  expect(about.length).toBeGreaterThanOrEqual(3)
  for (const { message } of about) expect(message).toContain('which the chosen storefront does not have')
  const coupons = await names('destination', 'coupons')
  expect(coupons).toContain('First only')
  for (const name of ['Outlet only', 'On both']) expect(coupons).not.toContain(name)
  expect(await names('destination', 'promotions')).not.toContain('Outlet lamps')
  await expectCountersToEqualTheLedger(world, pair.requestId)
})

test('D3: what it copied of them is switched on, and no code stands without its promotion', async () => {
  const wanted = new Map((await rows('source', 'promotions')).map((row) => [row.name, row.status]))
  for (const { name, status } of await rows('destination', 'promotions'))
    expect([name, status]).toEqual([name, wanted.get(name)])
})

test('F1: verify has nothing to say about what was left out', { timeout }, async () => {
  const { differences } = await world.verify(pair.requestId)
  expect(differences.filter(({ component }) => discounts.includes(component))).toEqual([])
})

test('D3: a run over the whole store copies what the pair left out', { timeout }, async () => {
  const whole = await world.finished(await world.migrate({ conflictStrategy: 'update' }), { seconds })
  expect(whole).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await told(whole)).toEqual([])
  const found = compareStores(await world.state('source'), await world.state('destination'))
  expect(found.filter(({ entity }) => discounts.includes(entity))).toEqual([])
})

test.each([
  'skip',
  'update',
  'replace',
])('D3: the copies of such ones stay as they are in a run over one storefront, under %s', {
  timeout,
}, async (conflictStrategy) => {
  const coupon = (await rows('destination', 'coupons')).find(({ name }) => name === 'On both')
  const fields = { amount: '7.0000' }
  await world.change('destination', { op: 'set', table: 'coupons', id: coupon?.id ?? 0, fields })
  const before = [await rows('destination', 'coupons'), await rows('destination', 'promotions')]
  const settings = { ...firstPair, entities: ['coupons', 'promotions'], conflictStrategy }
  const run = await world.finished(await world.migrate(settings), { seconds })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await told(run)).toEqual([])
  expect([await rows('destination', 'coupons'), await rows('destination', 'promotions')]).toEqual(before)
})
