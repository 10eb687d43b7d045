import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aWorld } from '../harness/world.ts'
import { planFor } from './planned.ts'

test('F2: a dry run over a whole store forecasts the writes of the copy to within 20 percent, and with the quotas that the stores report', async () => {
  const world = await aWorld({ quota: { requests: 60, windowMs: 1_000 } })
  const dry = await world.complete({ mode: 'dry-run' })
  const plan = await planFor(world, dry.requestId)
  await world.resetRequests('destination')
  await world.complete()
  const writes = (await world.requests('destination')).filter(({ method }) => method !== 'GET').length
  expect(Math.abs((plan?.writes ?? 0) - writes) / writes).toBeLessThan(0.2)
  const { rows } = await sql<{ basis: { quotas: object } }>`
    select basis from plan_bases where run_id = ${dry.requestId}`.execute(world.database)
  // A tenth is left to other apps.
  const own = { calls: 54, windowSeconds: 1 }
  expect(rows[0]?.basis.quotas).toMatchObject({ source: own, destination: own })
  const again = await planFor(world, (await world.complete({ mode: 'dry-run' })).requestId)
  expect(again).toMatchObject({ writes: 0 })
  expect(again?.sourceReads).toBeGreaterThan(0)
})
