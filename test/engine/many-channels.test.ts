import { expect, test } from 'vitest'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { addStorefront, outletOf } from './two-storefronts.ts'

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

/** Writes a page of a storefront, or of another channel of a store. */
function makePage(world: World, side: Side, name: string, channel_id: number) {
  return callStore(world, side, 'POST', '/v3/content/pages', { name, type: 'page', body: name, channel_id })
}

async function channelOfPage(world: World, name: string): Promise<unknown> {
  return (await world.state('destination')).pages?.find((page) => page.name === name)?.channel_id
}

async function pagesLeftOut(world: World, runId: string): Promise<(string | null)[]> {
  const found = (await world.findings(runId)).filter(({ component }) => component === 'pages')
  return found.filter(({ code }) => code === 'not_copied').map(({ item }) => item.name)
}

test('a storefront that was deleted long ago is neither copied nor missed', async () => {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' } })
  const id = await outletOf(world, 'source')
  await world.change('source', { op: 'set', table: 'channels', id, fields: { status: 'terminated' } })
  const run = await world.complete({ entities: ['store-settings'] })
  const reported = (await world.findings(run.requestId)).filter(({ component }) => component.startsWith('channel-'))
  expect(reported.map(({ message }) => message)).toEqual([])
})

test('B6: a storefront named like the default storefront of the destination is not taken for it', async () => {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' } })
  await makePage(world, 'source', 'Of the outlet', await outletOf(world, 'source'))
  await callStore(world, 'destination', 'PUT', '/v3/channels/1', { name: 'Outlet' })
  const run = await world.complete({ entities: ['pages'] })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await channelOfPage(world, 'About us')).toBe(1)
  expect(await pagesLeftOut(world, run.requestId)).toEqual(['Of the outlet'])
})

test('a storefront that was deleted at the destination is no counterpart', async () => {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' } })
  await makePage(world, 'source', 'Of the outlet', await outletOf(world, 'source'))
  await addStorefront(world)
  await callStore(world, 'destination', 'PUT', `/v3/channels/${await outletOf(world, 'destination')}`, {
    status: 'deleted',
  })
  const run = await world.complete({ entities: ['pages'] })
  expect(await pagesLeftOut(world, run.requestId)).toEqual(['Of the outlet'])
})

test('a storefront that was made again in the source takes over the counterpart of the one before it', async () => {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' }, entities: ['pages'] })
  await addStorefront(world)
  const first = await outletOf(world, 'source')
  await world.complete()
  await callStore(world, 'source', 'PUT', `/v3/channels/${first}`, { name: 'Outlet-before' })
  const storefront = { name: 'Outlet', type: 'storefront', platform: 'bigcommerce', status: 'active' }
  const { id } = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/channels', storefront)
  await makePage(world, 'source', 'Of the new outlet', id)
  expect(await world.complete()).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await channelOfPage(world, 'Of the new outlet')).toBe(await outletOf(world, 'destination'))
})

test('a storefront that was copied to one that was deleted since is left out, and one that was renamed keeps its counterpart', async () => {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' }, entities: ['pages'] })
  await addStorefront(world)
  const [here, there] = [await outletOf(world, 'source'), await outletOf(world, 'destination')]
  await world.complete()
  const setThere = (fields: object) => callStore(world, 'destination', 'PUT', `/v3/channels/${there}`, fields)

  await setThere({ name: 'Outlet-renamed' })
  await makePage(world, 'source', 'First', here)
  const renamed = await world.complete({ entities: ['products', 'pages'] })
  expect(await channelOfPage(world, 'First')).toBe(there)
  expect((await world.findings(renamed.requestId)).map(({ code }) => code)).not.toContain('channel_unpaired')

  await setThere({ status: 'deleted' })
  await makePage(world, 'source', 'Second', here)
  const { requestId } = await world.complete()
  expect(await pagesLeftOut(world, requestId)).toContain('Second')
})
