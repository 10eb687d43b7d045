import { expect, test } from 'vitest'
import { aWorld } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { outletOf } from './two-storefronts.ts'

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

test('a storefront that was deleted long ago is neither copied nor missed', async () => {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' } })
  const id = await outletOf(world, 'source')
  await world.change('source', { op: 'set', table: 'channels', id, fields: { status: 'terminated' } })
  const run = await world.complete({ entities: ['store-settings'] })
  const reported = (await world.findings(run.requestId)).filter(({ component }) => component.startsWith('channel-'))
  expect(reported.map(({ message }) => message)).toEqual([])
})
