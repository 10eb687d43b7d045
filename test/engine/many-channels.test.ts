import { expect, test } from 'vitest'
import { aWorld } from '../harness/world.ts'
import { callStore } from './call-store.ts'

/** More than one page of a list holds. */
const many = 251

test('C4: a storefront finds its counterpart even when it is not on the first page of the destination’s channels', async () => {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' } })
  for (let number = 1; number <= many; number++)
    await callStore(world, 'destination', 'POST', '/v3/channels', {
      name: `Till-${number}`,
      type: 'pos',
      platform: 'custom',
      status: 'connected',
    })
  const reported = async () => {
    const run = await world.complete({ entities: ['products'], mode: 'dry-run' })
    const found = await world.findings(run.requestId)
    return found.filter(({ message }) => message.includes('Outlet')).map(({ code }) => code)
  }
  expect(await reported()).toEqual(['channel_unpaired'])
  await callStore(world, 'destination', 'POST', '/v3/channels', {
    name: 'Outlet',
    type: 'storefront',
    platform: 'bigcommerce',
    status: 'active',
  })
  expect(await reported()).toEqual([])
})
