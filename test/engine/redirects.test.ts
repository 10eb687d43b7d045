import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'
import { tellEntityStory } from './entity-story.ts'

const path = '/v3/storefront/redirects'
/** Redirects lead to what the others copy. */
const phases = ['redirects', 'categories', 'brands', 'products', 'pages', 'blog-posts']

type SideName = 'source' | 'destination'

const redirect = async (world: World, side: SideName, body: object) =>
  (await callStore<{ id: number }[]>(world, side, 'PUT', path, [{ site_id: 1000, ...body }]))[0]

describe('redirects', () => {
  tellEntityStory({
    phases,
    component: 'redirects',
    judged: ['redirects'],
    table: 'redirects',
    edit: { to: { type: 'url', url: '/edited' } },
    creation: { method: 'PUT', path: `${path}$` },
    onlyThere: (world) =>
      redirect(world, 'destination', { from_path: '/only-there', to: { type: 'url', url: '/about-us/' } }),
  })
})

describe('redirects of two storefronts', () => {
  let world: World
  let site = 0
  let channel = 0
  beforeAll(async () => {
    world = await startWorld({ seeds: { source: 'tiny-two-storefronts' }, requestTimeoutSeconds: 1 })
    const state = await world.state('source')
    channel = state.channels?.find(({ name }) => name === 'Outlet')?.id ?? 0
    site = state.sites?.find(({ channel_id }) => channel_id === channel)?.id ?? 0
    await redirect(world, 'source', { site_id: site, from_path: '/outlet-only/', to: { type: 'url', url: '/' } })
  })
  afterAll(() => world?.stop())

  const paths = async () => ((await world.state('destination')).redirects ?? []).map(({ from_path }) => from_path)

  test('D3: those of a site whose channel the destination lacks are left out with a warning', async () => {
    const run = await world.complete({ entities: phases })
    // The categories of the other storefront fail, and no redirect leads to them.
    expect((await world.issues(run.requestId)).filter(({ component }) => component === 'redirects')).toEqual([])
    const told = (await world.findings(run.requestId)).filter(({ component }) => component === 'redirects')
    expect(told.map(({ code, item }) => [code, item.name])).toEqual([['not_copied', '/outlet-only']])
    expect(await paths()).not.toContain('/outlet-only')
  })

  test('D3: one storefront to another takes those of its site to the site of the other', async () => {
    const before = await paths()
    const pair = { sourceStorefront: String(channel), destStorefront: '1' }
    const run = await world.complete({ entities: ['redirects'], ...pair })
    expect((await counted(world, run.requestId)).redirects).toMatchObject({ discovered: 1, created: 1 })
    expect(await paths()).toEqual([...before, '/outlet-only'])
    const made = (await world.state('destination')).redirects?.find(({ from_path }) => from_path === '/outlet-only')
    expect(made?.site_id).toBe(1000)
  })

  test('one to what the destination lacks fails by itself and leaves the others of its batch alone', async () => {
    const product = (await world.state('source')).products?.[0]
    await redirect(world, 'source', { from_path: '/gone', to: { type: 'product', entity_id: product?.id } })
    const gone = (await world.state('source')).redirects?.find(({ from_path }) => from_path === '/gone')
    const to = { type: 'product', entity_id: 99_999_999 }
    await world.change('source', { op: 'set', table: 'redirects', id: gone?.id ?? 0, fields: { to } })
    await redirect(world, 'source', { from_path: '/fine', to: { type: 'url', url: '/' } })
    const run = await world.complete({ entities: phases })
    const told = (await world.issues(run.requestId)).filter(({ component }) => component === 'redirects')
    expect(told.map(({ code, item }) => [code, item.sourceId, item.name])).toEqual([
      ['missing_reference', String(gone?.id), '/gone'],
    ])
    expect(await paths()).toContain('/fine')
  })
})

describe('a redirect of the source that begins at another path', () => {
  let world: World
  let first = ''
  const asked = { entities: ['redirects'] }
  const begins = async () =>
    ((await world.state('destination')).redirects ?? [])
      .map(({ from_path }) => String(from_path))
      .filter((path) => /^\/(old|new)-path$/.test(path))
  const writes = async () => (await world.requests('destination')).filter(({ method }) => method !== 'GET').length
  beforeAll(async () => {
    world = await startWorld({ requestTimeoutSeconds: 1 })
    const made = await redirect(world, 'source', { from_path: '/old-path', to: { type: 'url', url: '/' } })
    first = (await world.complete({ entities: phases })).requestId
    await world.change('source', {
      op: 'set',
      table: 'redirects',
      id: made?.id ?? 0,
      fields: { from_path: '/new-path' },
    })
  })
  afterAll(() => world?.stop())

  test('F1: `verify` says that the copy begins elsewhere', async () => {
    const { differences } = await world.verify(first)
    expect(differences.map(({ item, kind }) => [item.name, kind])).toEqual([['/new-path', 'different']])
  })

  test('C1: `skip` writes the new path, once, and leaves the old one', async () => {
    const before = await writes()
    const run = await world.complete({ ...asked, conflictStrategy: 'skip' })
    expect((await counted(world, run.requestId)).redirects).toMatchObject({ created: 1 })
    expect((await writes()) - before).toBe(1)
    expect(await begins()).toEqual(['/old-path', '/new-path'])
  })

  test('C2: `update` after that has nothing to write', async () => {
    const before = await writes()
    await world.complete({ ...asked, conflictStrategy: 'update' })
    expect((await writes()) - before).toBe(0)
    expect(await begins()).toEqual(['/old-path', '/new-path'])
  })

  test('D4: `replace` deletes the one that begins at the old path', async () => {
    await world.complete({ ...asked, conflictStrategy: 'replace' })
    expect(await begins()).toEqual(['/new-path'])
  })
})
