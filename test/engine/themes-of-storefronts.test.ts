import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { shownAt, showTheme, themesOf } from '../show-theme.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'

let world: World
const outlet = { source: 0, destination: 0 }
beforeAll(async () => {
  const switches = { source: { theme_job_ms: 200 }, destination: { theme_job_ms: 200 } }
  world = await startWorld({ seeds: { source: 'tiny-two-storefronts' }, switches })
  const channel = { name: 'Outlet', type: 'storefront', platform: 'bigcommerce', status: 'active' }
  await callStore(world, 'destination', 'POST', '/v3/channels', channel)
  for (const side of ['source', 'destination'] as const) {
    const { channels = [] } = await world.state(side)
    outlet[side] = channels.find(({ name }) => name === 'Outlet')?.id ?? 0
  }
  await showTheme(world, { name: 'Lumen' })
  await showTheme(world, { name: 'Aurora' }, { channelId: outlet.source, variation: 1 })
})
afterAll(() => world?.stop())

const names = async (side: Side) => (await themesOf(world, side)).map(({ name }) => name)
const shown = async () => [await shownAt(world, 'destination'), await shownAt(world, 'destination', outlet.destination)]
const copied = async (sourceStorefront: number, destStorefront: number, more: object = {}) => {
  const pair = { sourceStorefront: String(sourceStorefront), destStorefront: String(destStorefront) }
  const run = await world.complete({ entities: ['store-settings'], themes: 'activate', ...pair, ...more })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const all = await counted(world, run.requestId)
  return [all.themes, all['theme-activations']]
}
const one = (state: string) => ({ discovered: 1, [state]: 1 })

/** Everything that says what the first storefront shows, down to the bytes of its theme. */
async function ofFirst(): Promise<object> {
  const { themes = [], theme_activations = [], theme_configurations = [] } = await world.state('destination')
  const activations = theme_activations.filter(({ channel_id }) => channel_id === 1)
  const uuids = activations.map(({ theme_uuid }) => theme_uuid)
  const own = { themes: themes.filter(({ uuid }) => uuids.includes(uuid)), activations }
  return { ...own, configurations: theme_configurations.filter(({ theme_uuid }) => uuids.includes(theme_uuid)) }
}

test('D3: a run over one storefront copies the theme of that one and has its counterpart show it; the other shows what it did', async () => {
  expect(await copied(1, 1)).toEqual([one('created'), one('created')])
  expect(await names('destination')).toEqual(['Cornerstone', 'Lumen'])
  expect(await shown()).toEqual(['Lumen Day', 'Cornerstone Light'])
})

test('D3: the other storefront comes with its own theme, and nothing of the first is touched meanwhile', async () => {
  const before = await ofFirst()
  expect(before).toMatchObject({ themes: [{ name: 'Lumen' }], activations: [{ channel_id: 1 }] })
  expect(await copied(outlet.source, outlet.destination)).toEqual([one('created'), one('created')])
  expect(await names('destination')).toEqual(['Cornerstone', 'Lumen', 'Aurora'])
  expect(await shown()).toEqual(['Lumen Day', 'Aurora Night'])
  expect(await ofFirst()).toEqual(before)
})

test('C2: a second run over either of them, and one over both, write nothing', async () => {
  await world.resetRequests('destination')
  expect(await copied(1, 1)).toEqual([one('matched'), one('matched')])
  expect(await copied(outlet.source, outlet.destination)).toEqual([one('matched'), one('matched')])
  const all = { entities: ['store-settings'], themes: 'activate', conflictStrategy: 'update' }
  const both = await world.complete(all)
  expect((await counted(world, both.requestId))['theme-activations']).toEqual({ discovered: 2, matched: 2 })
  const writes = (await world.requests('destination')).filter(({ method }) => method !== 'GET')
  expect(writes.filter(({ path }) => path.startsWith('/v3/themes'))).toEqual([])
})
