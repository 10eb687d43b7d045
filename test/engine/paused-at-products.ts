import { until } from '../harness/until.ts'
import type { World } from '../harness/world.ts'
import { waitUntilChildKnows } from './wait-until-child-knows.ts'

/** Starts a run and pauses it while its first products are written and others are already planned; @returns its id. */
export async function pausedAtProducts(world: World): Promise<string> {
  const creation = { method: 'POST', path: '/v3/catalog/products$' }
  await world.fault('destination', { kind: 'hold_after_applying', ...creation, times: null })
  const id = await world.migrate()
  await until('a product is held', async () => (await world.faults('destination')).some(({ hits }) => hits > 0))
  await world.api('POST', `/v2/migrations/${id}/pause`)
  await waitUntilChildKnows(world, id)
  await world.clearFaults('destination')
  await world.release('destination')
  await world.finished(id, { status: 'paused' })
  return id
}
