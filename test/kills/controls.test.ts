import { expect, test } from 'vitest'
import { counted } from '../engine/counted.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World } from '../harness/world.ts'
import { expectWhole } from './expect-whole.ts'
import { requestControl } from './request-control.ts'

// At random moments, and with every process killed in between: controls.long.test.ts.
const slowCatalogue = { catalogueOnly: true, latencyMs: 75 } as const

/** By then most of the catalogue is discovered, and hardly any of it is finished. */
async function untilProductsAreCreated(world: World): Promise<void> {
  const created = async () =>
    (await world.requests('destination', 'POST')).some(({ path }) => path === '/v3/catalog/products')
  await until('a product is being created', created, { seconds: 200 })
}

/** Nothing was sent later than a second after the control was accepted, and the run ended after the last answer. */
async function expectWritesEnded(world: World, acceptedAtMs: number): Promise<void> {
  const writes = (await world.requests('destination')).filter(({ method }) => method !== 'GET')
  expect(writes.length).toBeGreaterThan(0)
  expect(writes.filter(({ at }) => Date.parse(at) > acceptedAtMs + 1000)).toEqual([])
  expect(writes.filter(({ status }) => status === null)).toEqual([])
}

test('A7: no write starts later than a second after a pause was accepted, and the resumed run loses none and sends none twice', async () => {
  const world = await aWorld(slowCatalogue)
  const run = await world.migrate()
  await untilProductsAreCreated(world)
  const acceptedAtMs = await requestControl(world, run, 'pause')
  await world.finished(run, { status: 'paused' })
  await expectWritesEnded(world, acceptedAtMs)
  await requestControl(world, run, 'resume')
  expect(await world.finished(run)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  await expectWhole(world, run)
})

test('A7: no write starts later than a second after a cancel was accepted, and discovered items that are not finished are cancelled', async () => {
  const world = await aWorld(slowCatalogue)
  const run = await world.migrate()
  await untilProductsAreCreated(world)
  const acceptedAtMs = await requestControl(world, run, 'cancel')
  expect((await world.finished(run)).status).toBe('cancelled')
  await expectWritesEnded(world, acceptedAtMs)
  const rows = Object.values(await counted(world, run))
  expect(rows.reduce((sum, { cancelled = 0 }) => sum + cancelled, 0)).toBeGreaterThan(0)
  const next = await world.complete()
  expect(next).toMatchObject({ status: 'completed', failuresOpen: 0 })
  await expectWhole(world, next.requestId)
})
