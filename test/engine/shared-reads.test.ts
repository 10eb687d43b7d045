import { expect, test } from 'vitest'
import { isLong } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side, StoreState } from '../harness/world-sandbox.ts'
import { stockedCatalogue, stockOf } from './stock-story.ts'

/** The levels of new products are read before they are set, all by one call. */
const readingLevels = { method: 'GET', path: '^/v3/inventory/items$', query: 'product_id', times: null } as const

const failuresOf = async (world: World, id: string) =>
  (await world.issues(id)).filter(({ severity, state }) => severity === 'failure' && state === 'open')

const answers: [string, number][] = [
  ['unanswered', 503],
  ['refused', 422],
]

test.each(
  isLong ? answers : answers.slice(0, 1),
)('F4: a read for many items that is %s is logged once, names its call in the issue of each, and healing copies all of them', async (_what, status) => {
  const logged: string[] = []
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (_fields: object, text: string) => void logged.push(text),
  }
  const world = await aWorld({ entities: stockedCatalogue, skipRetryPauses: true, log })
  await world.fault('destination', { kind: 'error_before_applying', ...readingLevels, status })
  const run = await world.complete({ autoHeal: false })
  const failures = await failuresOf(world, run.requestId)
  expect(failures.length).toBeGreaterThan(10)
  expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: failures.length })
  for (const { component, platform } of failures)
    expect({ component, platform }).toMatchObject({
      component: 'inventory',
      platform: { method: 'GET', path: '/v3/inventory/items', status },
    })
  expect(logged).toHaveLength(1)

  await world.clearFaults('destination')
  expect(await world.api('POST', `/v2/migrations/${run.requestId}/heal`)).toMatchObject({ status: 202 })
  expect(await world.finished(run.requestId)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(Object.values(await stockOf(world)).filter((level) => level > 0).length).toBeGreaterThan(10)
})

test('E2, C5: a product that refers to the one before it, which is created at the same time, is read and written once', async () => {
  const world = await aWorld({ entities: ['categories', 'brands', 'products'] })
  const ids = ((await world.state('source')).products ?? []).map(({ id }) => id).sort((a, b) => a - b)
  expect(ids.length).toBeGreaterThan(6)
  const named = new Map(ids.flatMap((id, at) => (at % 2 === 1 ? [[id, ids[at - 1] as number] as const] : [])))
  for (const id of ids) {
    const fields = { related_products: [named.get(id) ?? -1] }
    await world.change('source', { op: 'set', table: 'products', id, fields })
  }
  await world.resetRequests('source')
  const { status } = await world.complete()
  expect(status).toBe('completed')
  const skuOf = (rows: NonNullable<StoreState[string]>, id: unknown) => rows.find((row) => row.id === id)?.sku ?? null
  const relations = async (side: Side) => {
    const { products = [] } = await world.state(side)
    return products.map((row) => `${row.sku} > ${skuOf(products, (row.related_products as number[])[0])}`).sort()
  }
  expect(await relations('destination')).toEqual(await relations('source'))
  const again = (await world.requests('source')).filter(
    ({ path, query }) => path === '/v3/catalog/products' && `${query}`.includes('id%3Ain'),
  )
  const written = (await world.requests('destination')).filter(
    ({ method, path }) => method === 'PUT' && path === '/v3/catalog/products',
  )
  expect([again.length, written.length]).toEqual([0, 0])
})
