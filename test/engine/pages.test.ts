import { expect, test } from 'vitest'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'
import { testEntityStory } from './entity-story.ts'
import { firstPair } from './two-storefronts.ts'

const path = '/v3/content/pages'
const phases = ['pages']

const make = (world: World, side: Side, body: object) =>
  callStore<{ id: number }>(world, side, 'POST', path, { type: 'page', body: '', ...body })

testEntityStory({
  name: 'pages',
  phases,
  component: 'pages',
  judged: phases,
  table: 'pages',
  edit: { body: '<p>Edited</p>' },
  edited: ({ name }) => name === 'Members only',
  deletedAt: path,
  creation: { method: 'POST', path: `${path}$` },
  onlyThere: (world) => make(world, 'destination', { name: 'Only there' }),
})

const page = async (world: World, side: Side, name: string) =>
  (await world.state(side)).pages?.find((row) => row.name === name)

test('a page with the same address is adopted even under another name, and renamed by update', async () => {
  const world = await aWorld()
  const existing = await make(world, 'destination', { name: 'Who we are', url: '/about-us' })
  await world.complete({ entities: phases })
  expect(await page(world, 'destination', 'Who we are')).toMatchObject({ id: existing.id, body: '' })
  const update = await world.complete({ entities: phases, conflictStrategy: 'update' })
  expect((await counted(world, update.requestId)).pages).toMatchObject({ updated: 1 })
  expect(await page(world, 'destination', 'About us')).toMatchObject({ id: existing.id, url: '/about-us/' })
})

test('C5: each page is placed below the copy of its parent', async () => {
  const world = await aWorld()
  await world.complete({ entities: phases })
  const parents = async (side: Side) => {
    const { pages = [] } = await world.state(side)
    const named = (id: unknown) => pages.find((row) => row.id === id)?.name ?? null
    return pages.map(({ name, parent_id }) => `${name} < ${named(parent_id)}`).sort()
  }
  expect(await parents('destination')).toEqual(await parents('source'))
  expect(await parents('destination')).toContain('Size tables < Shipping and returns')
})

test('the blog page of the source is left out with a warning, and replace does not delete the destination’s', async () => {
  const world = await aWorld()
  const blog = async (side: Side, body: object) => {
    const { id } = await make(world, side, body)
    await world.change(side, { op: 'set', table: 'pages', id, fields: { type: 'blog' } })
  }
  await blog('source', { name: 'News', url: '/news/' })
  await blog('destination', { name: 'Journal', url: '/journal/' })
  await make(world, 'destination', { name: 'Superfluous', url: '/superfluous/' })
  const limits = { conflictStrategy: 'replace', pruneLimitPercent: 100, pruneLimitItems: 100 }
  const run = await world.complete({ entities: phases, ...limits })
  const reported = (await world.findings(run.requestId)).filter(({ component }) => component === 'pages')
  expect(reported.map(({ code, item }) => [code, item.name])).toEqual([['not_copied', 'News']])
  expect(await page(world, 'destination', 'News')).toBeUndefined()
  expect(await page(world, 'destination', 'Superfluous')).toBeUndefined()
  expect(await page(world, 'destination', 'Journal')).toBeDefined()
})

test('D2: a new home page leaves the destination its own one, unless the strategy is update', async () => {
  const world = await aWorld({ seeds: { source: 'empty' } })
  const { id } = await make(world, 'source', { name: 'Welcome', url: '/welcome/', is_homepage: true })
  const linked = await make(world, 'source', { name: 'Linked', url: '/linked/' })
  const body = `<a href="/pages.php?page_id=${linked.id}">more</a>`
  await callStore(world, 'source', 'PUT', `${path}/${id}`, { body })
  const own = await make(world, 'destination', { name: 'Own welcome', url: '/own/', is_homepage: true })
  const home = async () =>
    (await world.state('destination')).pages?.filter((row) => row.is_homepage).map(({ name }) => name)
  const run = await world.complete({ entities: phases })
  expect(await home()).toEqual(['Own welcome'])
  const reported = (await world.findings(run.requestId)).filter(({ component }) => component === 'pages')
  expect(reported).toMatchObject([{ code: 'not_copied', severity: 'warning', item: { name: 'Welcome' } }])
  expect(reported[0]?.message).toContain(`"Own welcome" (destination ${own.id})`)
  const update = await world.complete({ entities: phases, conflictStrategy: 'update' })
  expect(await home()).toEqual(['Welcome'])
  expect((await world.issues(update.requestId)).map(({ code }) => code)).toEqual(['links_rewritten'])
})

test('a new home page of a storefront without one is its home page', async () => {
  const world = await aWorld({ seeds: { source: 'empty' } })
  await make(world, 'source', { name: 'Welcome', url: '/welcome/', is_homepage: true })
  const run = await world.complete({ entities: phases })
  expect(await page(world, 'destination', 'Welcome')).toMatchObject({ is_homepage: true })
  expect((await world.findings(run.requestId)).filter(({ component }) => component === 'pages')).toEqual([])
})

test('a page whose address is taken is created under another one, and that is reported', async () => {
  const world = await aWorld({ seeds: { source: 'empty' } })
  await make(world, 'source', { name: 'Brand story', url: '/story/' })
  const custom_url = { url: '/story/', is_customized: true }
  await callStore(world, 'destination', 'POST', '/v3/catalog/brands', { name: 'In the way', custom_url })
  const run = await world.complete({ entities: phases })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const reported = (await world.issues(run.requestId)).filter(({ component }) => component === 'pages')
  expect(reported.map(({ code, item }) => [code, item.name])).toEqual([['address_changed', 'Brand story']])
  expect(await page(world, 'destination', 'Brand story')).toMatchObject({ url: '/brand-story/' })
})

test('D3: a storefront run copies only the pages of its source storefront, even at an address that another storefront uses too', async () => {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' } })
  const channel_id = (await world.state('source')).channels?.find(({ name }) => name === 'Outlet')?.id
  await make(world, 'source', { name: 'About us', url: '/about-us/', body: 'The outlet.', channel_id })
  const whole = await world.complete({ entities: phases })
  const reported = (await world.findings(whole.requestId)).filter(({ component }) => component === 'pages')
  expect(reported.map(({ code }) => code)).toContain('not_copied')
  expect((await page(world, 'destination', 'About us'))?.body).not.toBe('The outlet.')
  const pair = { sourceStorefront: String(channel_id), destStorefront: '1' }
  const run = await world.complete({ entities: phases, conflictStrategy: 'update', ...pair })
  expect((await counted(world, run.requestId)).pages).toMatchObject({ discovered: 1, updated: 1 })
  expect(await page(world, 'destination', 'About us')).toMatchObject({ body: 'The outlet.', channel_id: 1 })
})

test('a page that a storefront run copied, below its parent, is compared with its copy', async () => {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' } })
  const { source, destination } = await world.complete({ entities: phases, ...firstPair })
  const { id } = (await page(world, 'source', 'Size tables')) ?? {}
  const copy = await page(world, 'destination', 'Size tables')
  const { body } = await world.api('POST', '/v2/compare', {
    ...{ source: source.hash, destination: destination.hash, entity: 'pages' },
    sourceItemId: String(id),
  })
  expect(body).toMatchObject({
    state: 'equal',
    destinationId: String(copy?.id),
    missingReference: null,
    differences: [],
  })
})

test('E2, F4: pages are created ten a call, and one that the platform refuses costs none of the others and makes none twice', async () => {
  const world = await aWorld()
  for (let at = 0; at < 24; at++) await make(world, 'source', { name: `Chapter ${at}`, url: `/chapter-${at}/` })
  const refused = await page(world, 'source', 'Chapter 13')
  await world.change('source', { op: 'set', table: 'pages', id: refused?.id ?? 0, fields: { name: 'G'.repeat(101) } })
  const { requestId } = await world.complete({ entities: phases })
  const names = async (side: Side) => ((await world.state(side)).pages ?? []).map(({ name }) => String(name)).sort()
  expect(await names('destination')).toEqual((await names('source')).filter((name) => name.length <= 100))
  const failures = (await world.issues(requestId)).filter(({ severity }) => severity === 'failure')
  expect(failures.map(({ code, component }) => [code, component])).toEqual([['platform_refused', 'pages']])
  const calls = (await world.requests('destination')).filter(({ method, path: at }) => method === 'POST' && at === path)
  expect(calls.filter(({ status }) => Number(status) < 300).length).toBeLessThan(10)
})

test('B6, D3: pages that have exchanged their names keep their copies and addresses in a run over their storefront, although a run over the whole store made these', async () => {
  const world = await aWorld({ entities: phases })
  await world.complete()
  const [about, shipping] = [
    await page(world, 'source', 'About us'),
    await page(world, 'source', 'Shipping and returns'),
  ]
  for (const [id, name] of [
    [about?.id, 'For a moment'],
    [shipping?.id, 'About us'],
    [about?.id, 'Shipping and returns'],
  ])
    await callStore(world, 'source', 'PUT', `${path}/${id}`, { name })
  const copy = await page(world, 'destination', 'About us')
  const run = await world.complete({ ...firstPair, conflictStrategy: 'update' })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const renamed = { name: 'Shipping and returns', url: '/about-us/', body: copy?.body }
  expect((await world.state('destination')).pages?.find(({ id }) => id === copy?.id)).toMatchObject(renamed)
  await world.resetRequests('destination')
  await world.complete({ conflictStrategy: 'update' })
  expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
})
