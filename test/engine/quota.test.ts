import { afterAll, beforeAll, expect, test } from 'vitest'
import { dropShares, renewShares } from '../../src/db/quota-shares.ts'
import { startWorld, type World } from '../harness/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ plan: 'standard' })
})
afterAll(() => world?.stop())

test('E4: a claim halves the share of another consumer of the same shop, of no other shop, and frees it when it ends', async () => {
  const { database } = world
  expect(await renewShares(database, ['one', 'two'], 'first')).toEqual(
    new Map([
      ['one', 1],
      ['two', 1],
    ]),
  )
  expect(await renewShares(database, ['one'], 'second')).toEqual(new Map([['one', 2]]))
  expect(await renewShares(database, ['one', 'two'], 'first')).toEqual(
    new Map([
      ['one', 2],
      ['two', 1],
    ]),
  )
  await dropShares(database, 'second')
  expect(await renewShares(database, ['one', 'two'], 'first')).toEqual(
    new Map([
      ['one', 1],
      ['two', 1],
    ]),
  )
})

test('E4: a run leaves a window that another app has nearly used up alone, waits for the next, and is never refused', async () => {
  // 150 calls in 30 s, a tenth of them reserved for others: 60 calls of a copy do not fit beside these.
  const { url, token } = world.address('destination')
  const ask = () => fetch(`${url}/v2/time`, { headers: { 'x-auth-token': token } })
  for (let call = 0; call < 110; call++) expect((await ask()).status).toBe(200)
  const run = await world.complete()
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const requests = await world.requests('destination')
  expect(requests.filter(({ status }) => status === 429)).toEqual([])
  // The reserve of the first window was left to the other app.
  const firstMs = Date.parse(String(requests[0]?.at))
  const inFirstWindow = requests.filter(({ at }) => Date.parse(at) - firstMs < 29_000)
  expect(inFirstWindow.length).toBeLessThanOrEqual(135)
  expect(inFirstWindow.length).toBeLessThan(requests.length)
})
