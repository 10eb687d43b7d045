import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { expectWhole } from './expect-whole.ts'
import { inAWorld } from './in-a-world.ts'
import { timeout, untilWritten } from './moments.ts'

/** Longer than the queue waits for a heartbeat. Runs have also gone on after 60 and after 200 seconds. */
const asleepMs = 25_000

test(
  'A4: a run goes on by itself when its machine, the only one, has slept, and nothing is copied twice',
  {
    timeout,
  },
  () =>
    inAWorld({ latencyMs: 60 }, async (world) => {
      const run = await world.migrate()
      await untilWritten(world, 6)
      const all = [world.hostPid(0), ...(await world.childPids(0))]
      for (const pid of all) process.kill(pid, 'SIGSTOP')
      await setTimeout(asleepMs)
      for (const pid of all) process.kill(pid, 'SIGCONT')
      expect(await world.finished(run, { seconds: 120 })).toMatchObject({ status: 'completed', failuresOpen: 0 })
      await expectWhole(world, run)
    }),
)
