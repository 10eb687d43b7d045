import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World } from '../harness/world.ts'
import { lastOf, named } from './healing-story.ts'

const path = '/v3/catalog/brands$'
const aShop = () => aWorld({ catalogueOnly: true, settleSeconds: 0, entities: ['brands'] })

const isHeld = (world: World) =>
  until('the second try is held', async () =>
    (await world.faults('destination')).some(({ kind, hits }) => kind === 'hold_after_applying' && hits > 0),
  )

test('F4: while a run tries again what failed, its summary says so instead of that it copies', async () => {
  const world = await aShop()
  const { name } = await lastOf(world, 'brands')
  const call = { method: 'POST', path, body: named(name) }
  await world.fault('destination', { kind: 'error_before_applying', status: 500, ...call, times: 5 })
  await world.fault('destination', { kind: 'hold_after_applying', ...call, times: 1 })
  const id = await world.migrate({})
  await isHeld(world)
  expect((await world.detail(id)).summaryLine).toMatch(/^Trying 1 item again, \d+% done\.$/)
  await world.release('destination')
  const run = await world.finished(id)
  expect(run).toMatchObject({ status: 'completed', summaryLine: expect.stringMatching(/^Copied \d+ brands\.$/) })
  const { rows } = await sql<{ healing: boolean }>`select healing from runs where id = ${id}`.execute(world.database)
  expect(rows).toEqual([{ healing: false }])
})

test('F4: a run that a person asked to try again says so from the request on', async () => {
  const world = await aShop()
  const { name } = await lastOf(world, 'brands')
  const call = { method: 'POST', path, body: named(name) }
  await world.fault('destination', { kind: 'error_before_applying', status: 422, ...call, times: null })
  const { requestId: id } = await world.complete({ autoHeal: false })
  await world.clearFaults('destination')
  await world.fault('destination', { kind: 'hold_after_applying', ...call, times: 1 })
  const { body } = await world.api<MigrationDetail>('POST', `/v2/migrations/${id}/heal`)
  expect(body.summaryLine).toBe('Waiting to try 1 item again.')
  await isHeld(world)
  expect((await world.detail(id)).summaryLine).toBe('Trying 1 item again.')
  await world.release('destination')
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
})
