import { expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { expectCountersToEqualTheLedger } from './counted.ts'
import { addStorefront, firstPair, rows } from './two-storefronts.ts'

const discounts = ['coupons', 'promotions', 'promotion-codes']
const entities = ['categories', 'brands', 'products', 'coupons', 'promotions']

/** A store with two storefronts, and discounts on categories and a product, some of which only the second one has. */
async function aWorldWithDiscounts(): Promise<World> {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' }, entities })
  await addStorefront(world)
  const trees = await rows(world, 'source', 'category_trees')
  const first = trees.find(({ channel_id }) => channel_id === 1)
  const categories = await rows(world, 'source', 'categories')
  const ours = categories.find(({ tree_id }) => tree_id === first?.id)
  const theirs = categories.find(({ tree_id }) => tree_id !== first?.id)
  const coupon = (name: string, ids: unknown[]) => {
    const code = name.toUpperCase().replace(/ /g, '')
    const worth = { type: 'per_item_discount', amount: '5.0000', enabled: true }
    const applies_to = { entity: 'categories', ids }
    return callStore(world, 'source', 'POST', '/v2/coupons', { name, code, ...worth, applies_to })
  }
  await coupon('Outlet only', [theirs?.id])
  await coupon('On both', [ours?.id, theirs?.id])
  await coupon('First only', [ours?.id])
  const sold = await rows(world, 'source', 'product_channel_assignments')
  const elsewhere = (await rows(world, 'source', 'products')).find(
    ({ id }) => !sold.some(({ product_id, channel_id }) => product_id === id && channel_id === 1),
  )
  const like = (await rows(world, 'source', 'promotions')).find(({ name }) => name === 'Promotion 4')
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
  return world
}

async function reported(world: World, detail: MigrationDetail): Promise<string[]> {
  const issues = (await world.issues(detail.requestId)).filter(({ component }) => discounts.includes(component))
  return issues.map(({ severity, code }) => `${severity} ${code}`)
}

const names = async (world: World, side: Side, table: string) =>
  (await rows(world, side, table)).map(({ name }) => name)

longTest(
  'D3: a storefront run leaves out and reports discounts that name what it does not have; a run over the whole store copies them',
  async () => {
    const world = await aWorldWithDiscounts()
    const pair = await world.complete(firstPair)
    expect(pair).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await reported(world, pair)).toEqual([])
    const left = (await world.findings(pair.requestId)).filter(({ item }) => item.sourceId !== 'promotions-left-off')
    const about = left.filter(({ component }) => discounts.includes(component))
    expect(new Set(about.map(({ severity, code }) => `${severity} ${code}`))).toEqual(new Set(['warning not_copied']))
    expect(about.length).toBeGreaterThanOrEqual(3)
    for (const { message } of about) expect(message).toContain('which the chosen storefront does not have')
    const coupons = await names(world, 'destination', 'coupons')
    expect(coupons).toContain('First only')
    for (const name of ['Outlet only', 'On both']) expect(coupons).not.toContain(name)
    expect(await names(world, 'destination', 'promotions')).not.toContain('Outlet lamps')
    await expectCountersToEqualTheLedger(world, pair.requestId)

    // Copies are enabled as in the source, and no code exists without its promotion.
    const expected = new Map((await rows(world, 'source', 'promotions')).map((row) => [row.name, row.status]))
    const copied = await rows(world, 'destination', 'promotions')
    expect(copied.length).toBeGreaterThan(0)
    for (const { name, status } of copied) expect([name, status]).toEqual([name, expected.get(name)])
    const owners = new Set(copied.map(({ id }) => id))
    const codes = await rows(world, 'destination', 'promotion_codes')
    expect(codes.filter(({ promotion_id }) => !owners.has(Number(promotion_id)))).toEqual([])

    // Verify does not report what was left out.
    const { differences } = await world.verify(pair.requestId)
    expect(differences.filter(({ component }) => discounts.includes(component))).toEqual([])

    const whole = await world.complete({ conflictStrategy: 'update' })
    expect(whole).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await reported(world, whole)).toEqual([])
    const found = compareStores(await world.state('source'), await world.state('destination'))
    expect(found.filter(({ entity }) => discounts.includes(entity))).toEqual([])
  },
)

test('D3: a storefront run leaves copies of another storefront’s discounts alone under every strategy', async () => {
  const world = await aWorldWithDiscounts()
  await world.complete()
  const coupon = (await rows(world, 'destination', 'coupons')).find(({ name }) => name === 'On both')
  const fields = { amount: '7.0000' }
  await world.change('destination', { op: 'set', table: 'coupons', id: coupon?.id ?? 0, fields })
  const readDiscounts = async () => [
    await rows(world, 'destination', 'coupons'),
    await rows(world, 'destination', 'promotions'),
  ]
  const before = await readDiscounts()
  expect(await names(world, 'destination', 'promotions')).toContain('Outlet lamps')
  for (const conflictStrategy of ['skip', 'update', 'replace']) {
    const run = await world.complete({ ...firstPair, entities: ['coupons', 'promotions'], conflictStrategy })
    expect(run, conflictStrategy).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await reported(world, run), conflictStrategy).toEqual([])
    expect(await readDiscounts(), conflictStrategy).toEqual(before)
  }
})
