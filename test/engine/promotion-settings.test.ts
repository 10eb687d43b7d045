import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'

const path = '/v3/promotions/settings'
const entities = ['promotions']
const component = 'promotion-settings'
const changed = {
  promotions_triggered_by_products_with_zero_product_price: true,
  promotions_apply_on_products_with_custom_product_price: false,
  number_of_coupons_allowed_at_checkout: 3,
  promotions_applied_on_original_product_price: false,
}

/** Each test goes on where the one before it ended. */
let world: World
beforeAll(async () => {
  world = await startWorld()
  await asked('source', 'PUT', changed)
})
afterAll(() => world?.stop())

/** They come without an envelope. */
async function asked(side: Side, method: 'GET' | 'PUT', body?: object): Promise<unknown> {
  const { url, token } = world.address(side)
  const headers = { 'x-auth-token': token, 'content-type': 'application/json' }
  const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  expect(response.status).toBe(200)
  return response.json()
}

const writes = async () =>
  (await world.requests('destination', 'PUT')).filter(({ path: called }) => called === path).length

async function copied(settings: object) {
  await world.resetRequests('destination')
  const run = await world.complete({ entities, ...settings })
  await expectCountersToEqualTheLedger(world, run.requestId)
  return { run, counts: (await counted(world, run.requestId))[component] }
}

test('skip leaves alone how discounts add up, which every store says', async () => {
  expect((await copied({})).counts).toEqual({ discovered: 1, skipped: 1 })
  expect(await writes()).toBe(0)
  expect(await asked('destination', 'GET')).not.toEqual(changed)
})

test('F1: verify tells them apart by name', async () => {
  const { requestId } = await world.complete({ entities, mode: 'dry-run' })
  const told = (await world.verify(requestId)).differences.filter((one) => one.component === component)
  expect(told.flatMap(({ fields }) => fields.map((field) => field.path)).sort()).toEqual([
    'number_of_coupons_allowed_at_checkout',
    'promotions_applied_on_original_product_price',
    'promotions_triggered_by_products_with_zero_product_price',
  ])
})

test('update writes them with one call, and a second run writes nothing', async () => {
  expect((await copied({ conflictStrategy: 'update' })).counts).toEqual({ discovered: 1, updated: 1 })
  expect(await writes()).toBe(1)
  expect(await asked('destination', 'GET')).toEqual(changed)
  expect((await copied({ conflictStrategy: 'update' })).counts).toEqual({ discovered: 1, matched: 1 })
  expect(await writes()).toBe(0)
})

test('D3: a run over one storefront leaves them alone: they are the whole store’s', async () => {
  await asked('destination', 'PUT', { ...changed, number_of_coupons_allowed_at_checkout: 2 })
  const pair = { sourceStorefront: '1', destStorefront: '1' }
  expect((await copied({ ...pair, conflictStrategy: 'update' })).counts).toEqual({})
  expect(await asked('destination', 'GET')).toMatchObject({ number_of_coupons_allowed_at_checkout: 2 })
})
