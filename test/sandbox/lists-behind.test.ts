import { expect, test } from 'vitest'
import { aProductWorld } from './product-world.ts'

const brandsPath = '/v3/catalog/brands'
const HOUR_MS = 3_600_000

/** A store with a brand that was added before its lists fell behind, and one that was added since. */
async function twoBrands() {
  const world = await aProductWorld({})
  const add = async (name: string) => (await world.call('POST', brandsPath, { name })).body.data.id as number
  const before = await add('Before')
  world.store.switches.lists_behind_ms = HOUR_MS
  const since = await add('Since')
  const named = async (query = '') => {
    const { data, meta } = (await world.get(`${brandsPath}${query}`)).body
    return [(data as { name: string }[]).map(({ name }) => name), meta.pagination.total]
  }
  return { ...world, before, since, named }
}

test('switch lists_behind_ms: lists, filters and their totals leave out what was added lately', async () => {
  const { named, since, store } = await twoBrands()
  expect(await named()).toEqual([['Before'], 1])
  expect(await named('?name=Since')).toEqual([[], 0])
  expect(await named(`?id:in=${since}`)).toEqual([[], 0])
  store.switches.lists_behind_ms = 0
  expect(await named()).toEqual([['Before', 'Since'], 2])
})

test('switch lists_behind_ms: items are shown by their addresses, and changes and deletions by lists, at once', async () => {
  const { named, get, call, before, since } = await twoBrands()
  expect((await get(`${brandsPath}/${since}`)).body.data.name).toBe('Since')
  await call('PUT', `${brandsPath}/${before}`, { name: 'Renamed' })
  expect(await named()).toEqual([['Renamed'], 1])
  await call('DELETE', `${brandsPath}/${before}`)
  expect(await named()).toEqual([[], 0])
})
