import { expect, test } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { longTest } from '../harness/long-form.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { expectHonest, heal, issuesBy } from './healing-story.ts'
import { actionsOf, planOf } from './planned.ts'

/** A source with one product, one category, and a redirect and a coupon that lead to them. */
async function aWorldWithNames(entities: string[]) {
  // Longer than the test holds an answer.
  const world = await aWorld({ entities, requestTimeoutSeconds: 30, seeds: { source: 'empty' } })
  const made = <T>(method: string, path: string, body: unknown) => callStore<T>(world, 'source', method, path, body)
  const [tree] = await callStore<{ id: number }[]>(world, 'source', 'GET', '/v3/catalog/trees')
  const [category] = await made<{ category_id: number }[]>('POST', '/v3/catalog/trees/categories', [
    { tree_id: tree?.id, parent_id: 0, name: 'Kites' },
  ])
  const product = { name: 'Box kite', type: 'physical', weight: 1, price: 10, categories: [category?.category_id] }
  const { id } = await made<{ id: number }>('POST', '/v3/catalog/products', product)
  const to = { type: 'product', entity_id: id }
  await made('PUT', '/v3/storefront/redirects', [
    { site_id: 1000, from_path: '/kites', to: { type: 'url', url: '/all-kites' } },
    { site_id: 1000, from_path: '/old-kite', to },
  ])
  const applies_to = { entity: 'categories', ids: [category?.category_id] }
  await made('POST', '/v2/coupons', { name: 'Windy', code: 'WINDY', type: 'per_total_discount', amount: 2, applies_to })
  await world.resetRequests('source')
  return world
}

async function copiesOf(world: World) {
  const { products = [], categories = [], redirects = [], coupons = [] } = await world.state('destination')
  return {
    product: products.find(({ name }) => name === 'Box kite')?.id,
    category: categories.find(({ name }) => name === 'Kites')?.id,
    redirect: redirects.find(({ from_path }) => from_path === '/old-kite')?.to,
    coupon: coupons.find(({ code }) => code === 'WINDY')?.applies_to,
  }
}

async function deleteCopies(world: World): Promise<void> {
  const { product, category } = await copiesOf(world)
  await callStore(world, 'destination', 'DELETE', `/v3/catalog/products/${product}`)
  await callStore(world, 'destination', 'DELETE', `/v3/catalog/trees/categories?category_id:in=${category}`)
}

async function expectBothToLead(world: World): Promise<void> {
  const { product, category, redirect, coupon } = await copiesOf(world)
  expect(product).toBeDefined()
  expect(category).toBeDefined()
  expect(redirect).toEqual({ type: 'product', entity_id: product })
  expect(coupon).toEqual({ entity: 'categories', ids: [category] })
}

test('F4: a category and a product deleted at the destination during the run are created again for the coupon and the redirect that name them', async () => {
  const world = await aWorldWithNames(['categories', 'products', 'customer-attributes', 'coupons', 'redirects'])
  await callStore(world, 'source', 'POST', '/v3/customers/attributes', [{ name: 'Colour', type: 'string' }])
  await world.resetRequests('source')
  const attributes = { method: 'POST', path: '^/v3/customers/attributes$' }
  await world.fault('destination', { kind: 'hold_after_applying', ...attributes })
  const id = await world.migrate()
  await until('products are copied', async () =>
    (await world.requests('destination', 'POST')).some(({ path }) => path === '/v3/customers/attributes'),
  )
  await deleteCopies(world)
  await world.release('destination')
  const run = await world.finished(id)
  expect(await issuesBy(world, id)).toEqual([
    'healed stale-reference: coupons platform_refused',
    'healed stale-reference: redirects platform_refused',
    'open -: categories destination_deleted',
    'open -: products destination_deleted',
  ])
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  await expectBothToLead(world)
  await expectHonest(world, id)
})

longTest(
  'F4: what names items that were deleted at the destination is a missing reference of a run without them, and healed once they exist again',
  async () => {
    const world = await aWorldWithNames(['coupons', 'redirects'])
    const named = ['categories', 'products']
    await world.complete({ entities: named })
    await deleteCopies(world)
    const run = await world.complete()
    expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: 2 })
    expect(await issuesBy(world, run.requestId)).toEqual([
      'open stale-reference: coupons missing_reference',
      'open stale-reference: redirects missing_reference',
    ])
    await world.complete({ entities: named })
    expect(await heal(world, run.requestId)).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await issuesBy(world, run.requestId)).toEqual([
      'healed map-parents: coupons missing_reference',
      'healed map-parents: redirects missing_reference',
    ])
    await expectBothToLead(world)
    await expectHonest(world, run.requestId)
  },
)

test('an order that was copied with its customer is not reported as copied without, once the source has deleted the customer and another one has the copy', async () => {
  const world = await aWorld({ entities: ['customers', 'orders'] })
  await world.complete()
  const { orders = [], customers = [] } = await world.state('source')
  const customer = customers.find(({ id }) => orders.some(({ customer_id }) => customer_id === id))
  await callStore(world, 'source', 'DELETE', `/v3/customers?id:in=${customer?.id}`)
  const again = { email: customer?.email, first_name: 'Grace', last_name: 'Example' }
  await callStore(world, 'source', 'POST', '/v3/customers', [again])
  const run = await world.complete({ conflictStrategy: 'update' })
  const codes = (await world.issues(run.requestId)).map(({ component, code }) => `${component} ${code}`)
  expect(codes).not.toContain('orders reference_left_out')
})

test('C4, F2: a brand that was deleted at the destination and is not in the run is left out of its products, as the dry run said, and the store is asked for nothing that it does not have', async () => {
  const world = await aWorld({ catalogueOnly: true, entities: ['categories', 'brands', 'products'] })
  await world.complete()
  const [brand] = (await world.state('destination')).brands ?? []
  await callStore(world, 'destination', 'DELETE', `/v3/catalog/brands/${brand?.id}`)
  await world.resetRequests('destination')
  const settings = { entities: ['products'], conflictStrategy: 'update' }
  const dry = await world.complete({ ...settings, mode: 'dry-run' })
  const { requestId } = await world.complete(settings)
  expect(await actionsOf(world, requestId)).toEqual(await planOf(world, dry.requestId))
  expect((await world.requests('destination')).filter(({ status }) => Number(status) >= 400)).toEqual([])
  const issues = await world.issues(requestId)
  expect(new Set(issues.map(({ code }) => code))).toEqual(new Set(['reference_left_out']))
  await world.complete({ entities: ['brands', 'products'], conflictStrategy: 'update' })
  expect(compareStores(await world.state('source'), await world.state('destination'))).toEqual([])
})
