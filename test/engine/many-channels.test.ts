import { expect, test } from 'vitest'
import { startWorld } from '../harness/world.ts'
import { callStore } from './call-store.ts'

/** More than a page of a list holds. */
const many = 251

test('C4: a channel finds its counterpart behind all the others of the destination', async () => {
  await using parts = new AsyncDisposableStack()
  const world = await startWorld({ seeds: { source: 'tiny-two-storefronts' } })
  parts.defer(() => world.stop())
  for (let number = 1; number <= many; number++)
    await callStore(world, 'destination', 'POST', '/v3/channels', {
      name: `Till-${number}`,
      type: 'pos',
      platform: 'custom',
      status: 'connected',
    })
  const told = async () => {
    const run = await world.complete({ entities: ['brands', 'products'] })
    const found = await world.findings(run.requestId)
    return found.filter(({ message }) => message.includes('Outlet')).map(({ code }) => code)
  }
  expect(await told()).toEqual(['channel_unpaired'])
  await callStore(world, 'destination', 'POST', '/v3/channels', {
    name: 'Outlet',
    type: 'storefront',
    platform: 'bigcommerce',
    status: 'active',
  })
  expect(await told()).toEqual([])
})
