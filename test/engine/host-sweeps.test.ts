import { expect, test } from 'vitest'
import { until } from '../harness/until.ts'
import { aTalkativeShop, mailSettings, mutedSettings, statuses } from './mail-story.ts'
import { runThatLeavesItDisabled, theOnlyPromotion } from './promotion-story.ts'
import { pass } from './side-effect-story.ts'
import { cancelledRun, openWatches, stockedCatalogue, stockOf } from './stock-story.ts'

test('D5: hosts finish what ended runs left undone: they enable promotions, restore mails and give stock back', async () => {
  const world = await aTalkativeShop({
    processes: true,
    entities: [...stockedCatalogue, 'promotions'],
    switches: { destination: { order_stock: 'cut' } },
  })
  await theOnlyPromotion(world)
  const settings = await mailSettings(world)
  await runThatLeavesItDisabled(world)
  // Restoring the settings, not switching them off.
  const restoring = { method: 'PUT', path: `^${statuses}$`, body: '"combined_order_status_email":true' }
  await world.fault('destination', { kind: 'error_before_applying', ...restoring, status: 422, times: null })
  const { before } = await cancelledRun(world, { entities: ['currencies', 'orders'] })
  await world.clearFaults('destination')
  expect(await mutedSettings(world)).not.toEqual([])
  const enabled = async () => (await world.state('destination')).promotions?.[0]?.status === 'ENABLED'
  expect(await enabled()).toBe(false)

  await pass(world, 2)
  await until('a host has enabled the promotion', enabled)
  await until('a host has restored the mails', async () => (await mutedSettings(world)).length === 0)
  await until('a host has given the stock back', async () => (await openWatches(world)) === 0)
  expect(await mailSettings(world)).toEqual(settings)
  expect(await stockOf(world)).toEqual(before)
})
