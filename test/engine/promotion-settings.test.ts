import { expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'

const path = '/v3/promotions/settings'
const component = 'promotion-settings'
const changed = {
  promotions_triggered_by_products_with_zero_product_price: true,
  promotions_apply_on_products_with_custom_product_price: false,
  number_of_coupons_allowed_at_checkout: 3,
  promotions_applied_on_original_product_price: false,
}

/** A source without promotions, whose promotion settings were changed. */
async function changedSettings() {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['promotions'] })
  await callStore(world, 'source', 'PUT', path, changed)
  return {
    world,
    there: () => settingsOf(world, 'destination'),
    copied: async (settings: object) => {
      await world.resetRequests('destination')
      const { requestId } = await world.complete(settings)
      const writes = (await world.requests('destination')).filter(({ method }) => method !== 'GET')
      return { counts: (await counted(world, requestId))[component], writes: writes.map((one) => one.path) }
    },
  }
}

const settingsOf = (world: World, side: Side) => callStore(world, side, 'GET', path)

longTest(
  'C2: skip leaves the promotion settings alone, update writes them with one call, and a second update writes nothing',
  async () => {
    const { there, copied } = await changedSettings()
    expect(await copied({})).toEqual({ counts: { discovered: 1, skipped: 1 }, writes: [] })
    expect(await there()).not.toEqual(changed)
    const update = { conflictStrategy: 'update' }
    expect(await copied(update)).toEqual({ counts: { discovered: 1, updated: 1 }, writes: [path] })
    expect(await there()).toEqual(changed)
    expect(await copied(update)).toEqual({ counts: { discovered: 1, matched: 1 }, writes: [] })
  },
)

test('F1: verify reports each differing promotion setting by name', async () => {
  const { world } = await changedSettings()
  const { requestId } = await world.complete({ mode: 'dry-run' })
  const reported = (await world.verify(requestId)).differences.filter((one) => one.component === component)
  expect(reported.flatMap(({ fields }) => fields.map((field) => field.path)).sort()).toEqual([
    'number_of_coupons_allowed_at_checkout',
    'promotions_applied_on_original_product_price',
    'promotions_triggered_by_products_with_zero_product_price',
  ])
})

test('D3: a storefront run leaves the promotion settings alone, because they belong to the whole store', async () => {
  const { there, copied } = await changedSettings()
  const before = await there()
  expect(before).not.toEqual(changed)
  const pair = { sourceStorefront: '1', destStorefront: '1' }
  expect(await copied({ ...pair, conflictStrategy: 'update' })).toEqual({ counts: {}, writes: [] })
  expect(await there()).toEqual(before)
})
