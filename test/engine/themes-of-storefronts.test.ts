import { expect, test } from 'vitest'
import { aWorld, type World } from '../harness/world.ts'
import { shownAt, showTheme, themesOf } from '../show-theme.ts'
import { counted } from './counted.ts'
import { addStorefront, outletOf } from './two-storefronts.ts'

const entities = ['store-settings']

/** Everything that defines what the first storefront shows, down to the bytes of its theme. */
async function shownByFirst(world: World): Promise<object> {
  const { themes = [], theme_activations = [], theme_configurations = [] } = await world.state('destination')
  const activations = theme_activations.filter(({ channel_id }) => channel_id === 1)
  const uuids = activations.map(({ theme_uuid }) => theme_uuid)
  const own = { themes: themes.filter(({ uuid }) => uuids.includes(uuid)), activations }
  return { ...own, configurations: theme_configurations.filter(({ theme_uuid }) => uuids.includes(theme_uuid)) }
}

test('D3, C2: each storefront gets its counterpart’s theme, the other’s is left alone, and running either or both again writes no theme', async () => {
  const switches = { source: { theme_job_ms: 20 }, destination: { theme_job_ms: 20 } }
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' }, switches, entities })
  await addStorefront(world)
  const outlet = { source: await outletOf(world, 'source'), destination: await outletOf(world, 'destination') }
  await showTheme(world, { name: 'Lumen' })
  await showTheme(world, { name: 'Aurora' }, { channelId: outlet.source, variation: 1 })
  const names = async () => (await themesOf(world, 'destination')).map(({ name }) => name)
  const shown = async () => [
    await shownAt(world, 'destination'),
    await shownAt(world, 'destination', outlet.destination),
  ]
  const copied = async (sourceStorefront: number, destStorefront: number) => {
    const pair = { sourceStorefront: String(sourceStorefront), destStorefront: String(destStorefront) }
    const run = await world.complete({ themes: 'activate', ...pair })
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    const all = await counted(world, run.requestId)
    return [all.themes, all['theme-activations']]
  }
  const one = (state: string) => ({ discovered: 1, [state]: 1 })

  expect(await copied(1, 1)).toEqual([one('created'), one('created')])
  expect(await names()).toEqual(['Cornerstone', 'Lumen'])
  expect(await shown()).toEqual(['Lumen Day', 'Cornerstone Light'])

  const before = await shownByFirst(world)
  expect(before).toMatchObject({ themes: [{ name: 'Lumen' }], activations: [{ channel_id: 1 }] })
  expect(await copied(outlet.source, outlet.destination)).toEqual([one('created'), one('created')])
  expect(await names()).toEqual(['Cornerstone', 'Lumen', 'Aurora'])
  expect(await shown()).toEqual(['Lumen Day', 'Aurora Night'])
  expect(await shownByFirst(world)).toEqual(before)

  await world.resetRequests('destination')
  expect(await copied(1, 1)).toEqual([one('matched'), one('matched')])
  expect(await copied(outlet.source, outlet.destination)).toEqual([one('matched'), one('matched')])
  const both = await world.complete({ themes: 'activate', conflictStrategy: 'update' })
  expect((await counted(world, both.requestId))['theme-activations']).toEqual({ discovered: 2, matched: 2 })
  const writes = (await world.requests('destination')).filter(({ method }) => method !== 'GET')
  expect(writes.filter(({ path }) => path.startsWith('/v3/themes'))).toEqual([])
})
