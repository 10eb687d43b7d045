import { expect } from 'vitest'
import { until } from '../harness/until.ts'
import type { World, WorldOptions } from '../harness/world.ts'
import { aTalkativeShop, mailSettings, sentMails } from './mail-story.ts'
import { sideEffects } from './side-effect-story.ts'
import { creating, ordersOf, stockedCatalogue, stockOf } from './stock-story.ts'

/** A destination in business: its mails are on, and it has the catalogue of the source in stock. */
export async function aLiveShop(options: WorldOptions = {}): Promise<World> {
  const world = await aTalkativeShop({
    requestTimeoutSeconds: 5,
    skipRetryPauses: true,
    switches: { destination: { order_stock: 'cut' } },
    ...options,
  })
  await world.complete({ entities: stockedCatalogue })
  return world
}

export interface Shop {
  mails: Record<string, unknown>[]
  stock: Record<string, number>
}

export const shopOf = async (world: World): Promise<Shop> => ({
  mails: await mailSettings(world),
  stock: await stockOf(world),
})

/** A run that has switched mails off and waits for the answers to its first orders, which took stock. */
export async function runAmongOrders(world: World): Promise<string> {
  await world.fault('destination', { kind: 'hold_after_applying', ...creating, times: null })
  const id = await world.migrate()
  await until('orders are under way', async () => (await ordersOf(world)).length > 1)
  return id
}

/** Everything was copied, once, without a mail; the shop is as it was. */
export async function expectSoundEnd(world: World, id: string, before: Shop): Promise<void> {
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await shopOf(world)).toEqual(before)
  expect(await ordersOf(world)).toHaveLength((await world.state('source')).orders?.length ?? -1)
  expect(await sentMails(world)).toEqual([])
  expect([...(await sideEffects(world, 'mail')), ...(await sideEffects(world, 'stock'))]).toEqual([])
}
