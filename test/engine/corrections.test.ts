import { expect, test } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'

const together = '/v3/catalog/products'

interface EditedCopy {
  world: World
  products: { id: number; name?: unknown }[]
}

/** One store, copied once, with every product then edited at the destination: `update` corrects them in calls of ten. */
async function editedCopy(): Promise<EditedCopy> {
  const world = await aWorld({ catalogueOnly: true, entities: ['categories', 'brands', 'products'] })
  await world.complete()
  const { products = [] } = await world.state('destination')
  for (const { id } of products)
    await world.change('destination', { op: 'set', table: 'products', id, fields: { price: 0.99 } })
  await world.resetRequests('destination')
  return { world, products }
}

const update = (world: World, more: object = {}) => world.complete({ conflictStrategy: 'update', ...more })
const differences = async (world: World) => compareStores(await world.state('source'), await world.state('destination'))
const puts = async (world: World) => (await world.requests('destination', 'PUT')).map(({ path }) => path)

longTest(
  'E2, F2: products are corrected ten per call and counted one by one, as a dry run foresees without a write',
  async () => {
    const { world, products } = await editedCopy()
    const dry = await update(world, { mode: 'dry-run' })
    expect(await puts(world)).toEqual([])
    expect((await counted(world, dry.requestId)).products).toMatchObject({ updated: products.length })
    const { body } = await world.api<{ plan: { writes: number } }>('GET', `/v2/migrations/${dry.requestId}/request`)
    expect(body.plan.writes).toBe(2)
    const run = await update(world)
    expect(await puts(world)).toEqual([together, together])
    expect((await counted(world, run.requestId)).products).toMatchObject({ updated: products.length })
    expect(await differences(world)).toEqual([])
    await expectCountersToEqualTheLedger(world, run.requestId)
  },
)

longTest('F4: a refused product does not fail the others of its call', async () => {
  const { world, products } = await editedCopy()
  const bad = products.find(({ name }) => /^[\w ]+$/.test(String(name)))
  const refusal = { kind: 'error_before_applying', status: 422, method: 'PUT', times: null } as const
  await world.fault('destination', { ...refusal, path: `${together}$`, body: `"id":${bad?.id}\\b` })
  await world.fault('destination', { ...refusal, path: `${together}/${bad?.id}$` })
  const run = await update(world)
  expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
  expect((await counted(world, run.requestId)).products).toMatchObject({ updated: products.length - 1, failed: 1 })
  expect((await world.issues(run.requestId)).filter(({ severity }) => severity === 'failure')).toMatchObject([
    { code: 'platform_refused', destinationId: null, item: { name: bad?.name } },
  ])
  await world.clearFaults('destination')
  await update(world)
  expect(await differences(world)).toEqual([])
})

test('B2: a call of corrections whose answer is lost is sent again, and every product is counted as updated once', async () => {
  const { world, products } = await editedCopy()
  await world.fault('destination', { kind: 'reset_after_applying', method: 'PUT', path: `${together}$` })
  const run = await update(world)
  expect(run.status).toBe('completed')
  // The first call is the lost one. The other products may be sent ten per call or alone, depending on when its wait ends.
  const calls = await puts(world)
  expect([calls[0], calls.at(-1)]).toEqual([together, together])
  expect(calls.length).toBeGreaterThan(2)
  expect((await counted(world, run.requestId)).products).toMatchObject({ updated: products.length })
  expect(await differences(world)).toEqual([])
})
