import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { startWorld, type World } from '../harness/world.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'

/** One store copied; each story edits all its products at the destination, and `update` puts them right in calls of ten. */
let world: World
let products: { id: number; name?: unknown }[]
beforeAll(async () => {
  world = await startWorld({ catalogueOnly: true })
  await world.complete()
  products = (await world.state('destination')).products ?? []
})
afterAll(() => world?.stop())
beforeEach(async () => {
  for (const { id } of products)
    await world.change('destination', { op: 'set', table: 'products', id, fields: { price: 0.99 } })
  await world.resetRequests('destination')
})

const together = '/v3/catalog/products'
const update = (mode?: string) => world.complete({ conflictStrategy: 'update', ...(mode && { mode }) })
const differences = async () => compareStores(await world.state('source'), await world.state('destination'))
const puts = async () => (await world.requests('destination', 'PUT')).map(({ path }) => path)

test('E2: products are corrected ten a call, and counted one by one', async () => {
  const run = await update()
  expect(await puts()).toEqual([together, together])
  expect((await counted(world, run.requestId)).products).toMatchObject({ updated: products.length })
  expect(await differences()).toEqual([])
  await expectCountersToEqualTheLedger(world, run.requestId)
})

test('F2: a dry run plans every correction and sends none', async () => {
  const run = await update('dry-run')
  expect(await puts()).toEqual([])
  expect((await counted(world, run.requestId)).products).toMatchObject({ updated: products.length })
  const { body } = await world.api<{ plan: { writes: number } }>('GET', `/v2/migrations/${run.requestId}/request`)
  expect(body.plan.writes).toBe(2)
})

test('F4: a product that the platform refuses does not take along those that were sent with it', async () => {
  const bad = products.find(({ name }) => /^[\w ]+$/.test(String(name)))
  const id = String(bad?.id)
  await world.fault('destination', {
    kind: 'error_before_applying',
    status: 422,
    method: 'PUT',
    path: '/v3/catalog/products$',
    body: `"id":${id}\\b`,
    times: null,
  })
  await world.fault('destination', {
    kind: 'error_before_applying',
    status: 422,
    method: 'PUT',
    path: `/v3/catalog/products/${id}$`,
    times: null,
  })
  const run = await update()
  await world.clearFaults('destination')
  expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
  expect((await counted(world, run.requestId)).products).toMatchObject({ updated: products.length - 1, failed: 1 })
  expect((await world.issues(run.requestId)).filter(({ severity }) => severity === 'failure')).toMatchObject([
    { code: 'platform_refused', destinationId: null, item: { name: bad?.name } },
  ])
  await update()
  expect(await differences()).toEqual([])
})

test('B2: a call without an answer is sent again, because it names only what is known', async () => {
  await world.fault('destination', {
    kind: 'reset_after_applying',
    method: 'PUT',
    path: '/v3/catalog/products$',
    times: 1,
  })
  const run = await update()
  await world.clearFaults('destination')
  expect(run.status).toBe('completed')
  expect(await puts()).toEqual([together, together, together])
  expect((await counted(world, run.requestId)).products).toMatchObject({ updated: products.length })
  expect(await differences()).toEqual([])
})
