import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { expectSoundEnd } from '../harness/sound-end.ts'
import type { World } from '../harness/world.ts'
import { expectWhole } from './expect-whole.ts'
import { inAWorld } from './in-a-world.ts'
import { randomMoments, timeout, untilWritten } from './moments.ts'
import { requestControl } from './request-control.ts'

const random = randomMoments('Pause, cancel and failure at random moments')
const rounds = 10
/** Runs work in the test process, because no process is killed here. */
const here = { separateHost: false } as const

async function killEverything(world: World): Promise<void> {
  await world.killHost('SIGKILL')
  await world.restartService()
}

describe.concurrent('controls', { timeout }, () => {
  for (let round = 1; round <= rounds; round++) {
    const moment = random(1, 12)
    test(`A7: no write starts later than a second after a pause was accepted, and none is lost (round ${round}, after ${moment} writes)`, () =>
      inAWorld({ catalogueOnly: true, latencyMs: 400, ...here }, async (world) => {
        const run = await world.migrate()
        await untilWritten(world, moment)
        const acceptedAtMs = await requestControl(world, run, 'pause')
        await world.finished(run, { status: 'paused' })
        const writes = (await world.requests('destination')).filter(({ method }) => method !== 'GET')
        expect(writes.filter(({ at }) => Date.parse(at) > acceptedAtMs + 1000)).toEqual([])
        // Reported once the last answer has arrived.
        expect(writes.filter(({ status }) => status === null)).toEqual([])
        await expectSoundEnd(world, run)
        await requestControl(world, run, 'resume')
        expect(await world.finished(run)).toMatchObject({ status: 'completed', failuresOpen: 0 })
        await expectWhole(world, run)
      }))

    const moments = [random(1, 8), random(9, 16)] as const
    test(`after a cancel and after a revoked token, a new run with skip copies what is missing (round ${round}, after ${moments.join(' and ')} writes)`, () =>
      inAWorld({ catalogueOnly: true, latencyMs: 60, ...here }, async (world) => {
        const cancelled = await world.migrate()
        await untilWritten(world, moments[0])
        await requestControl(world, cancelled, 'cancel')
        await world.finished(cancelled, { status: 'cancelled' })
        await expectSoundEnd(world, cancelled)
        const paused = await world.migrate()
        await untilWritten(world, moments[1])
        await world.token('destination', { action: 'revoke' })
        expect(await world.finished(paused, { status: 'paused' })).toMatchObject({ status: 'paused' })
        await expectSoundEnd(world, paused)
        await requestControl(world, paused, 'cancel')
        const token = await world.token('destination', { action: 'replace', token: 'token-after-the-revoked-one' })
        await world.reconnect('destination', String(token))
        const last = await world.complete()
        expect(last).toMatchObject({ status: 'completed', failuresOpen: 0 })
        await expectWhole(world, last.requestId)
      }))
  }

  test('a pause, a resume and a cancel survive the death of every process', () =>
    inAWorld({ catalogueOnly: true, latencyMs: 200 }, async (world) => {
      const run = await world.migrate()
      await untilWritten(world, 2)
      await requestControl(world, run, 'pause')
      await killEverything(world)
      await world.finished(run, { status: 'paused' })
      await world.restartService()
      expect((await world.detail(run)).status).toBe('paused')
      await requestControl(world, run, 'resume')
      await killEverything(world)
      await untilWritten(world, 8)
      await requestControl(world, run, 'cancel')
      await killEverything(world)
      await world.finished(run, { status: 'cancelled' })
      const last = await world.complete()
      expect(last).toMatchObject({ status: 'completed', failuresOpen: 0 })
      await expectWhole(world, last.requestId)
    }))

  test('A1: a run whose job is deleted and whose process is killed resumes without help', () =>
    inAWorld({ catalogueOnly: true, latencyMs: 150 }, async (world) => {
      const run = await world.migrate()
      await untilWritten(world, 3)
      const deleted = await sql`delete from pgboss.job where name = 'runs' and singleton_key = ${run}`.execute(
        world.database,
      )
      expect(deleted.numAffectedRows).toBe(1n)
      await world.killChild()
      expect(await world.finished(run)).toMatchObject({ status: 'completed', failuresOpen: 0 })
      await expectWhole(world, run)
    }))
})
