import { expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { aWorld } from '../harness/world.ts'
import { callStore } from './call-store.ts'

test('D5: scripts are created disabled, and those enabled in the source are enabled after the last one was created', async () => {
  const world = await aWorld()
  const path = '/v3/content/scripts'
  const refused = { kind: 'error_before_applying', status: 422, times: null } as const
  await world.fault('destination', { ...refused, method: 'POST', path: `${path}$`, body: '"enabled":true' })
  await world.complete({ entities: ['scripts'] })
  expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([0])
  const { scripts: source = [] } = await world.state('source')
  const { scripts: copies = [] } = await world.state('destination')
  const reported = (rows: typeof copies) => rows.map(({ name, enabled }) => `${name} ${enabled}`).sort()
  expect(reported(copies)).toEqual(reported(source))
  const running = source.filter(({ enabled }) => enabled)
  expect(running).not.toEqual([])
  const writes = (await world.requests('destination')).filter(({ method }) => method !== 'GET')
  expect(writes.map(({ method }) => method)).toEqual([...source.map(() => 'POST'), ...running.map(() => 'PUT')])
})

test('the consent category that a merchant gives the copy of a script without one stays, and is no difference', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['scripts'] })
  const script = {
    name: 'Chat',
    kind: 'src',
    src: 'https://chat.example/widget.js',
    location: 'head',
    visibility: 'storefront',
  }
  await callStore(world, 'source', 'POST', '/v3/content/scripts', { ...script, load_method: 'default', enabled: false })
  await world.complete()
  const copy = async () => (await world.state('destination')).scripts?.[0]
  const given = { consent_category: 'essential' }
  await callStore(world, 'destination', 'PUT', `/v3/content/scripts/${(await copy())?.uuid}`, given)
  await world.resetRequests('destination')
  const run = await world.complete({ conflictStrategy: 'update' })
  expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
  expect(await world.issues(run.requestId)).toEqual([])
  expect(await copy()).toMatchObject(given)
  expect((await world.verify(run.requestId)).differences).toEqual([])
})

longTest(
  'scripts of another app and of a storefront without a counterpart are not copied, with one report; no copy links to the source shop',
  async () => {
    const world = await aWorld({ seeds: { source: 'awkward' } })
    const run = await world.complete({ entities: ['scripts'] })
    const { scripts: source = [], sites = [] } = await world.state('source')
    const { scripts: copies = [] } = await world.state('destination')
    const elsewhere = ['Of another app', 'On a closed storefront']
    const moved = source.filter(({ name }) => !elsewhere.includes(String(name)))
    expect(copies.map(({ name }) => name).sort()).toEqual(moved.map(({ name }) => name).sort())
    expect(source).toHaveLength(moved.length + elsewhere.length)
    const reported = (await world.findings(run.requestId)).filter(({ component }) => component === 'scripts')
    expect(reported.map(({ code }) => code)).toEqual(['not_copied'])
    // No text of a copy links to the source shop.
    const shop = /\/\/([^.]+)/.exec(String(sites[0]?.url))?.[1] ?? ''
    expect(JSON.stringify(source)).toContain(shop)
    expect(JSON.stringify(copies)).not.toContain(shop)
  },
)

longTest(
  'a banner refers to the copies of its category and brand, and is not copied if its category is gone',
  async () => {
    const world = await aWorld({ seeds: { source: 'awkward' } })
    const run = await world.complete({ entities: ['categories', 'brands', 'banners'] })
    expect(run.status).toBe('partial_completed')
    const { banners = [], categories = [], brands = [] } = await world.state('destination')
    const names = (await world.state('source')).banners?.map(({ name }) => name) ?? []
    // Several are created at the same time, so their order is undefined.
    expect(banners.map(({ name }) => name).sort()).toEqual(names.filter((name) => name !== 'Category gone').sort())
    const itemIdOf = (name: string) => Number(banners.find((banner) => banner.name === name)?.item_id)
    expect(categories.find(({ id }) => id === itemIdOf('In a category'))?.name).toBe('Shoes')
    expect(brands.find(({ id }) => id === itemIdOf('Of a maker'))?.name).toBe('Plain')
    expect(itemIdOf('In every category')).toBe(0)
    const failed = (await world.issues(run.requestId)).filter(({ component }) => component === 'banners')
    expect(failed.filter(({ severity }) => severity === 'failure').map(({ code }) => code)).toEqual([
      'missing_reference',
    ])
  },
)
