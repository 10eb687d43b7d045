import { afterAll, describe, expect, test } from 'vitest'
import { callStore } from '../engine/call-store.ts'
import { expectWhole } from './expect-whole.ts'
import { inAWorld } from './in-a-world.ts'
import { killAndWait, untilMoreWritten, type Victim, victims } from './killed-and-taken-over.ts'
import { randomMoments, timeout } from './moments.ts'

/** Child, host and database are killed in turn, so that each gets a third of the kills. */
const runs = 20
const killsPerRun = 5
/** The longest time for which a run may stop: the figure the service promises. */
const mostSeconds = 10

const random = randomMoments('A hundred kills')
const takeovers = new Map<Victim, number[]>(victims.map((victim) => [victim, []]))

afterAll(() => {
  for (const [victim, seconds] of takeovers) {
    const figures = seconds.map((one) => one.toFixed(1)).join(', ')
    console.log(`Kills of ${victim}: ${seconds.length}; seconds until the run was in hand again: ${figures}`)
  }
})

describe.concurrent('three hosts bring a run to its end, whichever process is killed', { timeout }, () => {
  for (let number = 0; number < runs; number++) {
    const kills = Array.from({ length: killsPerRun }, (_, at) => ({
      victim: victims[(number * killsPerRun + at) % victims.length] ?? 'child',
      after: random(1, 5),
    }))
    const moments = kills.map(({ victim, after }) => `${victim} after ${after}`).join(', ')
    test(`A4, A5: run ${number + 1} of twenty is taken over within ${mostSeconds} seconds each time: ${moments} writes`, () =>
      inAWorld({ hosts: 3, mortalPostgres: true, latencyMs: 60, settleSeconds: 0 }, async (world) => {
        // Enough writes that the run is still at work at the last kill.
        for (let n = 0; n < 30; n++)
          await callStore(world, 'source', 'POST', '/v3/catalog/brands', { name: `Extra ${n}` })
        const run = await world.migrate()
        for (const { victim, after } of kills) {
          await untilMoreWritten(world, run, after)
          const seconds = await killAndWait(world, run, victim)
          takeovers.get(victim)?.push(seconds)
          expect(seconds, victim).toBeLessThanOrEqual(mostSeconds)
        }
        expect(await world.finished(run, { seconds: 300 })).toMatchObject({ status: 'completed', failuresOpen: 0 })
        await expectWhole(world, run)
      }))
  }
})
