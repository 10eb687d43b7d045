import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aTalkativeShop, mailSettings, mutedSettings, runHeldAtAnOrder, sentMails, statuses } from './mail-story.ts'

test('D5: mail settings that a store takes ten seconds to change are switched off and restored within one attempt', async () => {
  const world = await aTalkativeShop({ processes: true })
  const before = await mailSettings(world)
  // Longer than the idle time-out of the database for a process that holds a lock.
  const slowly = { kind: 'slow', seconds: 10, method: 'PUT', path: `^${statuses}$`, times: 2 } as const
  const id = await world.fault('destination', slowly)
  const run = await world.complete()
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await world.faults('destination')).find((fault) => fault.id === id)?.hits).toBe(2)
  expect(await sentMails(world)).toEqual([])
  expect(await mailSettings(world)).toEqual(before)
  expect(await mutedSettings(world)).toEqual([])
  const { rows } = await sql`select epoch from run_leases where run_id = ${run.requestId}`.execute(world.database)
  expect(rows).toEqual([{ epoch: 1 }])
})

test('D5: a run whose process was killed continues without mails, and restores the settings its first process found', async () => {
  const world = await aTalkativeShop({ separateHost: true, requestTimeoutSeconds: 5 })
  const before = await mailSettings(world)
  const id = await runHeldAtAnOrder(world)
  await world.killChild()
  await world.release('destination')
  const run = await world.finished(id)
  expect(run.status).toBe('completed')
  expect(await sentMails(world)).toEqual([])
  expect(await mailSettings(world)).toEqual(before)
})
