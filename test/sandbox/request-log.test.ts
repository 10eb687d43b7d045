import { expect, test } from 'vitest'
import { aSandbox } from './a-sandbox.ts'

const BRANDS = '/v3/catalog/brands'

/** A store with six requests, and its filtered log. */
async function aLog() {
  const { call, callAs, admin } = await aSandbox()
  const { id } = (await call('POST', BRANDS, { name: 'Acme' })).body.data
  await call('GET', BRANDS)
  await call('GET', `${BRANDS}/${id}`)
  await call('GET', `${BRANDS}/${id + 1}`)
  await call('POST', BRANDS, { name: 'Acme' })
  await callAs('wrong')('GET', '/v2/time')
  const seqs = async (filter: string) =>
    (await admin('GET', `/requests?${filter}`)).body.requests.map(({ seq }: { seq: number }) => seq)
  return { admin, seqs }
}

test.each([
  ['', [1, 2, 3, 4, 5, 6]],
  ['method=post', [1, 5]],
  ['path=/brands$', [1, 2, 5]],
  ['status=404', [4]],
  ['since=4', [5, 6]],
  ['since=6', []],
  ['limit=2', [1, 2]],
  ['since=2&limit=2', [3, 4]],
  ['limit=0', []],
  ['method=GET&path=%5C/brands&status=200', [2, 3]],
])('the request log filtered by "%s"', async (filter, expected) => {
  const { seqs } = await aLog()
  expect(await seqs(filter)).toEqual(expected)
})

test('the request log counts by method and by path without ids, whatever the filter', async () => {
  const { admin } = await aLog()
  const { requests, counts, paths } = (await admin('GET', '/requests?limit=1')).body
  expect(requests).toMatchObject([{ seq: 1, method: 'POST', path: BRANDS, query: '', status: 200 }])
  expect(counts).toEqual({ GET: 4, POST: 2 })
  expect(paths).toEqual({
    'POST /v3/catalog/brands': 2,
    'GET /v3/catalog/brands': 1,
    'GET /v3/catalog/brands/*': 2,
    'GET /v2/time': 1,
  })
})

test('a reset clears entries and counts, and sequence numbers continue', async () => {
  const { admin, seqs } = await aLog()
  await admin('DELETE', '/requests')
  expect((await admin('GET', '/requests')).body).toEqual({ requests: [], counts: {}, paths: {} })
  expect(await seqs('since=6')).toEqual([])
})

test.each(['status=ok', 'since=-1', 'limit=x', 'path=('])('%s is no filter', async (filter) => {
  const { admin } = await aSandbox()
  expect((await admin('GET', `/requests?${filter}`)).status).toBe(400)
})
