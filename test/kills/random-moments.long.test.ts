import { describe, expect, test } from 'vitest'
import { expectWhole } from './expect-whole.ts'
import { inAWorld } from './in-a-world.ts'
import { randomMoments, timeout, untilWritten } from './moments.ts'
import { deaths } from './run-record.ts'

const random = randomMoments('Random kills')
/** Most writes between two kills, of the catalogue's thirty, so that the run is still at work at the last one. */
const mostBetween = 8
const killsPerRun = 2
const kills = { child: 20, host: 3 }

/** Delayed answers, so that writes are in flight at any moment. */
const latencyMs = 60

describe.concurrent('killed at a random moment, a run leaves no duplicate and loses nothing', { timeout }, () => {
  for (let number = 1; number <= kills.child / killsPerRun; number++) {
    const moments = Array.from({ length: killsPerRun }, (_, at) => at * mostBetween + random(1, mostBetween))
    test(`B2: the child, run ${number} after ${moments.join(' and then ')} writes`, () =>
      inAWorld({ latencyMs }, async (world) => {
        const run = await world.migrate()
        for (const moment of moments) {
          await untilWritten(world, moment)
          await world.killChild()
        }
        expect(await world.finished(run, { seconds: 300 })).toMatchObject({ status: 'completed', failuresOpen: 0 })
        expect(await deaths(world.database, run)).toBe(moments.length)
        await expectWhole(world, run)
      }))
  }

  for (let number = 1; number <= kills.host; number++) {
    const moment = random(1, 20)
    test(`B2: the host, run ${number} after ${moment} writes`, () =>
      inAWorld({ latencyMs }, async (world) => {
        const run = await world.migrate()
        await untilWritten(world, moment)
        await world.killHost('SIGKILL')
        await world.startHost()
        expect(await world.finished(run, { seconds: 300 })).toMatchObject({ status: 'completed', failuresOpen: 0 })
        await expectWhole(world, run)
      }))
  }
})
