import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aWorld, type World } from '../harness/world.ts'

const update = { conflictStrategy: 'update' }

/** The calls to both stores that a run's forecast took, before the run started. */
async function callsOfForecast(world: World, body: object): Promise<number> {
  for (const side of ['source', 'destination'] as const) await world.resetRequests(side)
  const { timestamps } = await world.complete(body)
  const calls = [...(await world.requests('source')), ...(await world.requests('destination'))]
  return calls.filter(({ at }) => at < `${timestamps.started}`).length
}

test('a second run between two stores is forecast from what is known of them, almost without calls', async () => {
  const world = await aWorld()
  expect(await callsOfForecast(world, update)).toBeGreaterThan(120)
  expect(await callsOfForecast(world, update)).toBeLessThan(20)
  const { rows } = await sql<{ side: string; class: string; calls: number; predicted: number }>`
    select side, class, calls, predicted from run_calls
    where run_id = (select id from runs order by created_at desc limit 1)`.execute(world.database)
  const of = (side: string, kind: string) => rows.find((row) => row.side === side && row.class === kind)
  for (const side of ['source', 'destination']) {
    const { calls = 0, predicted = 0 } = of(side, 'read') ?? {}
    expect(Math.abs(predicted - calls) / calls).toBeLessThan(0.1)
  }
  expect(of('destination', 'write')?.predicted).toBe(0)
})

test('people are shown what the stores have now, and so is a run that deletes, or into a store that lost its copies', async () => {
  const world = await aWorld({ catalogueOnly: true })
  const surveyed = await callsOfForecast(world, update)
  const known = await callsOfForecast(world, update)
  expect(known).toBeLessThan(surveyed / 2)
  // Of other phases, nothing is known yet.
  expect(await callsOfForecast(world, { ...update, entities: ['brands', 'products'] })).toBeGreaterThan(known)
  expect(await callsOfForecast(world, { conflictStrategy: 'replace' })).toBeGreaterThan(known)
  const pair = { source: world.address('source').hash, destination: world.address('destination').hash }
  for (const side of ['source', 'destination'] as const) await world.resetRequests(side)
  await world.api('POST', '/v2/forecast', { ...pair, ...update, entities: ['brands', 'categories', 'products'] })
  expect((await world.requests('source')).length).toBeGreaterThan(known)
  await callsOfForecast(world, update)
  expect(await callsOfForecast(world, update)).toBe(known)
  const { products = [] } = await world.state('destination')
  await world.change('destination', { op: 'remove', table: 'products', id: Number(products[0]?.id) })
  expect(await callsOfForecast(world, update)).toBeGreaterThan(known)
})
