import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../harness/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

test('a run that nobody disturbs copies the whole store, and a second one finds nothing to do', async () => {
  const run = await world.complete()
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const { detail, differences } = await world.verify(run.requestId)
  expect(detail.status).toBe('completed')
  expect(differences).toEqual([])
  await world.resetRequests('destination')
  const second = await world.complete()
  expect(second.status).toBe('completed')
  expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
})
