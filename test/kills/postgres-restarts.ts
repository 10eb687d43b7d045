import { expect } from 'vitest'
import { callStore } from '../engine/call-store.ts'
import { expectWhole } from './expect-whole.ts'
import { inAWorld } from './in-a-world.ts'
import { untilMoreWritten } from './killed-and-taken-over.ts'

/** Kills PostgreSQL so often during one run, each time after another write, and expects the copy of an undisturbed run. */
export function expectWholeDespiteRestarts(times: number): Promise<void> {
  return inAWorld({ mortalPostgres: true, catalogueOnly: true, settleSeconds: 0 }, async (world) => {
    for (let n = 0; n < times * 15; n++)
      await callStore(world, 'source', 'POST', '/v3/catalog/brands', { name: `Extra ${n}` })
    // Brands come first, and are so slow that the run is still at work at the last kill.
    const brand = { method: 'POST', path: '^/v3/catalog/brands$' }
    await world.fault('destination', { kind: 'slow', ...brand, seconds: 2, times: null })
    const run = await world.migrate()
    for (let kill = 0; kill < times; kill++) {
      await untilMoreWritten(world, run, 1)
      await world.killPostgres()
    }
    await world.clearFaults('destination')
    expect(await world.finished(run, { seconds: 900 })).toMatchObject({ status: 'completed', failuresOpen: 0 })
    await expectWhole(world, run)
  })
}
