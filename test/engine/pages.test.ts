import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'
import { tellEntityStory } from './entity-story.ts'

const path = '/v3/content/pages'
const phases = ['pages']

const make = (world: World, side: 'source' | 'destination', body: object) =>
  callStore<{ id: number }>(world, side, 'POST', path, { type: 'page', body: '', ...body })

describe('pages', () => {
  tellEntityStory({
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
})

describe('pages of two stores that know each other', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld({ seeds: { source: 'tiny-two-storefronts' }, requestTimeoutSeconds: 1 })
  })
  afterAll(() => world?.stop())

  const page = async (side: 'source' | 'destination', name: string) =>
    (await world.state(side)).pages?.find((row) => row.name === name)
  const outlet = async () => (await world.state('source')).channels?.find(({ name }) => name === 'Outlet')?.id ?? 0

  test('one with the same address is taken for the copy whatever its name, and put right by `update`', async () => {
    const standing = await make(world, 'destination', { name: 'Who we are', url: '/about-us' })
    await world.complete({ entities: phases })
    expect(await page('destination', 'Who we are')).toMatchObject({ id: standing.id, body: '' })
    const update = await world.complete({ entities: phases, conflictStrategy: 'update' })
    expect((await counted(world, update.requestId)).pages).toMatchObject({ updated: 1 })
    expect(await page('destination', 'About us')).toMatchObject({ id: standing.id, url: '/about-us/' })
  })

  test('C5: each stands below the copy of the page that it stands below in the source', async () => {
    const parentOf = async (side: 'source' | 'destination', name: string) => {
      const child = await page(side, name)
      return (await world.state(side)).pages?.find(({ id }) => id === child?.parent_id)?.name ?? null
    }
    for (const name of ['Size tables', 'Our makers', 'Shipping and returns', 'Help'])
      expect([name, await parentOf('destination', name)]).toEqual([name, await parentOf('source', name)])
    expect(await parentOf('destination', 'Size tables')).toBe('Shipping and returns')
  })

  test('the page of the blog is left out with a warning, and one at the destination is never deleted', async () => {
    const guide = await make(world, 'source', { name: 'News', url: '/news/' })
    await world.change('source', { op: 'set', table: 'pages', id: guide.id, fields: { type: 'blog' } })
    const there = await make(world, 'destination', { name: 'Journal', url: '/journal/' })
    await world.change('destination', { op: 'set', table: 'pages', id: there.id, fields: { type: 'blog' } })
    const limits = { conflictStrategy: 'replace', pruneLimitPercent: 100, pruneLimitItems: 100 }
    const run = await world.complete({ entities: phases, ...limits })
    const told = (await world.findings(run.requestId)).filter(({ component }) => component === 'pages')
    expect(told.map(({ code, item }) => [code, item.name])).toEqual([['not_copied', 'News']])
    expect(await page('destination', 'News')).toBeUndefined()
    expect(await page('destination', 'Journal')).toBeDefined()
  })

  test('one whose address is taken is there under another one, and that is told', async () => {
    await make(world, 'source', { name: 'Brand story', url: '/story/' })
    await callStore(world, 'destination', 'POST', '/v3/catalog/brands', {
      name: 'In the way',
      custom_url: { url: '/story/', is_customized: true },
    })
    const run = await world.complete({ entities: phases })
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    const told = (await world.issues(run.requestId)).filter(({ component }) => component === 'pages')
    expect(told.map(({ code, item }) => [code, item.name])).toContainEqual(['address_changed', 'Brand story'])
    expect(await page('destination', 'Brand story')).toMatchObject({ url: '/brand-story/' })
  })

  test('D3: one storefront to another takes its own pages, and two storefronts may share an address', async () => {
    const channel_id = await outlet()
    await make(world, 'source', { name: 'About us', url: '/about-us/', body: 'The outlet.', channel_id })
    const whole = await world.complete({ entities: phases })
    const told = (await world.findings(whole.requestId)).filter(({ component }) => component === 'pages')
    expect(told.map(({ code }) => code)).toContain('not_copied')
    const pair = { sourceStorefront: String(channel_id), destStorefront: '1' }
    const run = await world.complete({ entities: phases, conflictStrategy: 'update', ...pair })
    expect((await counted(world, run.requestId)).pages).toMatchObject({ discovered: 1, updated: 1 })
    expect(await page('destination', 'About us')).toMatchObject({ body: 'The outlet.', channel_id: 1 })
  })
})
