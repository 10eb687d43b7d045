import { afterEach, expect, test } from 'vitest'
import { answer, type StoreServer, startStore } from '../../../test/harness/store-server.ts'
import { readSites } from './read-sites.ts'

let store: StoreServer
afterEach(() => store.stop())

/** Both sides are the same store. */
function contextOf(phases: string[]): Parameters<typeof readSites>[0] {
  const { client } = store
  const lease = { stop: new AbortController().signal }
  // Only the phases of the run are read.
  return { source: client, destination: client, lease, run: { phases } } as unknown as Parameters<typeof readSites>[0]
}

test('C3: sites beyond the first page are read', async () => {
  const all = Array.from({ length: 251 }, (_, at) => ({
    id: 1000 + at,
    channel_id: at + 1,
    url: `https://${at}.example`,
  }))
  store = await startStore((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://store.test')
    const [page, per_page] = [Number(searchParams.get('page')), 250]
    const data = all.slice((page - 1) * per_page, page * per_page)
    answer(response, 200, { data, meta: { pagination: { total: all.length, per_page, current_page: page } } })
  })
  const { source, destination } = await readSites(contextOf(['brands']))
  expect(source?.at(-1)).toEqual(all.at(-1))
  expect(destination).toHaveLength(251)
})

test('sites that a store refuses are null, with the reason for the passes that need them', async () => {
  store = await startStore((_request, response) => answer(response, 403, { status: 403, title: 'Forbidden' }))
  const refusal = expect.objectContaining({ path: '/v3/sites', httpStatus: 403 })
  expect(await readSites(contextOf(['redirects']))).toEqual({ source: null, destination: null, refusal })
})

test('a revoked token is never passed over', async () => {
  store = await startStore((_request, response) => answer(response, 401, { status: 401, title: 'Unauthorized' }))
  await expect(readSites(contextOf(['brands']))).rejects.toThrow('access token')
})
