import { expect, test } from 'vitest'
import { aWorld } from '../harness/world.ts'
import { expectWhole } from '../kills/expect-whole.ts'

test('stores that refuse every parameter which no published file names are copied whole, and a second run writes nothing', async () => {
  const strict = { unknown_parameters: 'refuse', order_stock: 'cut' }
  const world = await aWorld({ switches: { source: strict, destination: strict } })
  const run = await world.complete()
  expect(await world.issues(run.requestId)).toEqual([])
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  await expectWhole(world, run.requestId)
  const requests = [...(await world.requests('source')), ...(await world.requests('destination'))]
  const lists = requests
    .filter(({ status }) => status === 400 || status === 422)
    .map(({ path }) => path.replace(/\d+/g, (id) => (/^[23]$/.test(id) ? id : '{id}')))
  // Of these lists no file says how they are paged.
  expect([...new Set(lists)].sort()).toEqual([
    '/v2/banners',
    '/v2/coupons',
    '/v2/shipping/zones',
    '/v2/shipping/zones/{id}/methods',
    '/v3/catalog/categories/{id}/products/sort-order',
    '/v3/channels/currency-assignments',
    '/v3/settings/search/filters/contexts',
    '/v3/tax/properties',
    '/v3/tax/rates',
    '/v3/tax/zones',
  ])
  await world.resetRequests('destination')
  await world.complete({ conflictStrategy: 'update' })
  const writes = (await world.requests('destination')).filter(({ method }) => method !== 'GET')
  expect(writes.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})
