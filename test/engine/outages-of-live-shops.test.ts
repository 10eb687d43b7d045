import { expect, test } from 'vitest'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import { isLong, longTest } from '../harness/long-form.ts'
import { until } from '../harness/until.ts'
import type { World } from '../harness/world.ts'
import { letGo } from './held-run.ts'
import { aLiveShop, expectSoundEnd, runAmongOrders, type Shop, shopOf } from './live-shop-story.ts'
import { mailSettings, sentMails } from './mail-story.ts'
import { pass } from './side-effect-story.ts'

/** The process of a run disappears for so long, after the answers to what it had sent. */
async function loseProcess(world: World, id: string, minutes: number): Promise<void> {
  // It was frozen for too long to go on, and sends nothing more.
  await pass(world, 3.5)
  await until('it has lost its lease', async () => world.processOf(id)?.isStopping === true)
  await letGo(world)
  await world.processOf(id)?.ended
  await pass(world, minutes - 3.5)
}

const systems = {
  source: {
    leave: (world: World) => world.fault('source', { kind: 'maintenance', times: null }),
    comeBack: (world: World) => world.clearFaults('source'),
    seen: shopOf,
    put: { what: 'mails and stock', within: 'five minutes' },
  },
  destination: {
    leave: (world: World) => world.fault('destination', { kind: 'maintenance', times: null }),
    comeBack: (world: World) => world.clearFaults('destination'),
    // It answers nobody.
    seen: async () => ({}),
    put: { what: 'mails and stock', within: 'a minute of its return' },
  },
  database: {
    leave: (world: World) => world.gate.shut(),
    comeBack: (world: World) => world.gate.open(),
    // Only the process of the run is without it. What orders took whose answers it could not record is known when it goes on.
    seen: async (world: World) => ({ mails: await mailSettings(world) }),
    put: { what: 'mails', within: 'five minutes' },
  },
} as const

/** The default suite has the destination away in outages.test.ts. */
const away = isLong ? (['source', 'destination', 'database'] as const) : (['source'] as const)
const outages = away.flatMap((system) =>
  (isLong ? [1, 10, 60] : [10]).map((minutes) => ({ system, minutes, ...systems[system].put })),
)

test.each(
  outages,
)('G8: during an outage of the $system of $minutes minutes among the orders, the run says what it waits for, $what are put right within $within, and it goes on by itself', async ({
  system,
  minutes,
}) => {
  const { leave, comeBack, seen } = systems[system]
  const waits: { request: MigrationRequest; summary: string }[] = []
  const looks: { minute: number; shop: Partial<Shop> }[] = []
  let minute = 0
  const world = await aLiveShop({
    gatedDatabase: system === 'database',
    passTime: async (seconds, id) => {
      // The usual tries of a call take three quarters of a minute.
      const next = minute + seconds / 60 + 0.75
      // A host looks every few seconds; here it does so each minute, and the test when it matters.
      while (minute < next) {
        const step = Math.min(1, next - minute)
        await pass(world, step)
        minute += step
        await world.sweep()
        if (looks.length === 0 || (minute >= 5 && minute < 6)) looks.push({ minute, shop: await seen(world) })
      }
      const request = (await world.api<MigrationRequest>('GET', `/v2/migrations/${id}/request`)).body
      waits.push({ request, summary: (await world.detail(id)).summaryLine })
      if (minute < minutes) return
      await comeBack(world)
      if (system !== 'destination' || minutes < 5) return
      await pass(world, 1)
      await world.sweep()
      looks.push({ minute, shop: await shopOf(world) })
    },
  })
  const before = await shopOf(world)
  const id = await runAmongOrders(world)
  const held = await shopOf(world)
  expect(held.mails).not.toEqual(before.mails)
  expect(held.stock).not.toEqual(before.stock)
  await world.clearFaults('destination')
  await leave(world)
  await world.release('destination')
  await expectSoundEnd(world, id, before)
  const [first, ...later] = looks
  if (first?.shop.mails) expect(first.shop.mails).toEqual(held.mails)
  expect(later.length > 0).toBe(minutes >= 5)
  for (const { shop } of later) expect(before).toMatchObject(shop)
  for (const { request, summary } of waits) {
    expect(request.waiting).toMatchObject({ system })
    expect(summary).toMatch(/^Waiting for the /)
  }
  expect(waits).not.toEqual([])
}, 120_000)

longTest('G8: after a day without any process, hosts put mails and stock right before the run goes on', async () => {
  const world = await aLiveShop()
  const before = await shopOf(world)
  const id = await runAmongOrders(world)
  await loseProcess(world, id, 24 * 60)
  expect((await world.detail(id)).status).toBe('in_progress')
  expect(await shopOf(world)).not.toEqual(before)
  await world.sweep()
  expect(await shopOf(world)).toEqual(before)
  world.takeOver(id)
  await expectSoundEnd(world, id, before)
})

longTest(
  'G8: a run that goes on after a day without any process and finds its source away waits with mails and stock put right',
  async () => {
    const released: Shop[] = []
    const world = await aLiveShop({
      passTime: async () => {
        await pass(world, 2)
        await world.sweep()
        released.push(await shopOf(world))
        await world.clearFaults('source')
      },
    })
    const before = await shopOf(world)
    const id = await runAmongOrders(world)
    await loseProcess(world, id, 24 * 60)
    await world.fault('source', { kind: 'maintenance', times: null })
    world.takeOver(id)
    await expectSoundEnd(world, id, before)
    expect(released).toEqual([before])
  },
)

longTest(
  'G8: mails and stock of a run whose process died are put right within five minutes although no host has room for it, and although it is cancelled',
  async () => {
    const world = await aLiveShop()
    const before = await shopOf(world)
    const id = await runAmongOrders(world)
    await loseProcess(world, id, 3.5)
    await world.sweep()
    expect(await shopOf(world)).not.toEqual(before)
    await world.api('POST', `/v2/migrations/${id}/cancel`)
    await pass(world, 1)
    await world.sweep()
    expect(await shopOf(world)).toEqual(before)
    world.takeOver(id)
    expect(await world.finished(id, { status: 'cancelled' })).toMatchObject({ status: 'cancelled' })
    expect(await sentMails(world)).toEqual([])
    expect(await shopOf(world)).toEqual(before)
  },
)
