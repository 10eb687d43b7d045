import { expect, test } from 'vitest'
import { distinctRequests } from './distinct-requests.ts'

test('a survey sends equal requests once, whatever the order of their parameters, and others each', async () => {
  const sent: string[] = []
  const store = distinctRequests({
    get: async <Body>(path: string, query = {}) => {
      sent.push(`${path} ${JSON.stringify(query)}`)
      return { httpStatus: 200, body: sent.length as Body, headers: {}, latencyMs: 1 }
    },
  })
  const first = store.get('/v2/coupons', { limit: 250, page: 1 })
  const again = store.get('/v2/coupons', { page: 1, limit: 250, include: undefined })
  const others = [store.get('/v2/coupons', { limit: 250, page: 2 }), store.get('/v2/coupons'), store.get('/v2/banners')]
  expect((await Promise.all([first, again, ...others])).map(({ body }) => body)).toEqual([1, 1, 2, 3, 4])
  expect(sent).toHaveLength(4)
})
