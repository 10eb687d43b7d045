import { expect, test } from 'vitest'
import { distinctRequests } from './distinct-requests.ts'

function aStore() {
  const sent: string[] = []
  const store = distinctRequests({
    get: async <Body>(path: string, query = {}) => {
      sent.push(`${path} ${JSON.stringify(query)}`)
      return { httpStatus: 200, body: sent.length as Body, headers: {}, latencyMs: 1 }
    },
  })
  return { store, sent }
}

test('a survey sends equal requests once, whatever the order of their parameters, and others each', async () => {
  const { store, sent } = aStore()
  const first = store.get('/v2/coupons', { limit: 250, page: 1 })
  const again = store.get('/v2/coupons', { page: 1, limit: 250, include: undefined })
  const others = [store.get('/v2/coupons', { limit: 250, page: 2 }), store.get('/v2/coupons'), store.get('/v2/banners')]
  expect((await Promise.all([first, again, ...others])).map(({ body }) => body)).toEqual([1, 1, 2, 3, 4])
  expect(sent).toHaveLength(4)
})

test('the first page is the same with its number and without', async () => {
  const { store, sent } = aStore()
  await Promise.all([store.get('/v3/pricelists', { limit: 250, page: 1 }), store.get('/v3/pricelists', { limit: 250 })])
  expect(sent).toHaveLength(1)
})

test('a list whose first page was requested is not counted again, but one with another filter is', async () => {
  const { store, sent } = aStore()
  await store.get('/v3/segments', { limit: 250, page: 1, include: 'rules' })
  await store.get('/v3/segments', { limit: 1, include_fields: 'id' })
  expect(sent).toHaveLength(1)
  await store.get('/v3/segments', { limit: 1, 'date_modified:min': '2026-01-01' })
  await store.get('/v3/segments', { limit: 1, page: 2 })
  expect(sent).toHaveLength(3)
})
