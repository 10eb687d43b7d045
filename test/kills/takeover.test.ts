import { expect, test } from 'vitest'
import { aWorld } from '../harness/world.ts'
import { expectWhole } from './expect-whole.ts'
import { killAndWait, untilMoreWritten } from './killed-and-taken-over.ts'

// A hundred kills of child, host and PostgreSQL: hundred-kills.long.test.ts.
test('A4, A5: a run whose host and then PostgreSQL are killed is taken over and completed: nothing twice, nothing lost', async () => {
  const world = await aWorld({ hosts: 2, mortalPostgres: true, catalogueOnly: true, latencyMs: 200, settleSeconds: 0 })
  const run = await world.migrate()
  for (const victim of ['host', 'PostgreSQL'] as const) {
    await untilMoreWritten(world, run, 3)
    await killAndWait(world, run, victim, { waitForQueue: false })
  }
  expect(await world.finished(run, { seconds: 200 })).toMatchObject({ status: 'completed', failuresOpen: 0 })
  await expectWhole(world, run)
})
