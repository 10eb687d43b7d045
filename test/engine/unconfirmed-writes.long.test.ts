import { expect, test } from 'vitest'
import { aWorld } from '../harness/world.ts'
import { counted } from './counted.ts'

test('B2: a write applied only after the search is found when the repeated call is refused, and is completed', async () => {
  const world = await aWorld({
    catalogueOnly: true,
    requestTimeoutSeconds: 1,
    quota: { requests: 1_000_000, windowMs: 2_000 },
  })
  const call = { method: 'POST', path: '/v3/catalog/products$', body: '"sku":"SKU-00002"' }
  // The search comes after two seconds, the repetition at least four seconds later; until then the store is too busy.
  await world.fault('destination', { kind: 'apply_late', seconds: 5, ...call })
  await world.fault('destination', { kind: 'too_many_requests', times: 3, ...call })
  const run = await world.complete()
  expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([1, 3])
  const sent = (await world.requests('destination', 'POST')).filter(({ path }) => path === '/v3/catalog/products')
  expect(sent.filter(({ status }) => status === 409)).toHaveLength(1)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await counted(world, run.requestId)).toMatchObject({ products: { discovered: 12, created: 12 } })
  const metafields = (await world.state('source')).product_metafields ?? []
  expect((await world.state('destination')).product_metafields).toHaveLength(metafields.length)
  expect((await world.verify(run.requestId)).differences).toEqual([])
})
