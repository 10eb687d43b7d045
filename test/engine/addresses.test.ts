import { expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { writesTo } from './content.ts'
import { comparedWithItsPlan } from './planned.ts'
import { firstPair } from './two-storefronts.ts'

/** The entities whose items have an address. */
const entities = ['categories', 'brands', 'products', 'pages', 'blog-posts', 'redirects']

/** Where a visitor who requests a path ends up, and which page that is. */
async function visit(world: World, side: Side, path: string): Promise<{ status: number; title: string; led: boolean }> {
  const { url } = world.address(side)
  const first = await fetch(`${url}${path}`, { redirect: 'manual' })
  const led = first.status === 301
  const last = led ? await fetch(first.headers.get('location') ?? '', { redirect: 'manual' }) : first
  return { status: last.status, title: /<title>(.*)<\/title>/.exec(await last.text())?.[1] ?? '', led }
}

/** Every address that a shop shows, and every path that redirects. */
async function addresses(world: World): Promise<string[]> {
  const { urls = [], redirects = [] } = await world.state('source')
  return [...urls.map(({ path }) => String(path)), ...redirects.map(({ from_path }) => String(from_path))]
}

longTest(
  'every address of a shop copied to an empty store shows the same page there, and every redirect leads to the same page',
  async () => {
    const world = await aWorld({ entities })
    expect(await world.complete()).toMatchObject({ failuresOpen: 0 })
    const all = await addresses(world)
    expect(all.length).toBeGreaterThan(40)
    const seen = { pages: 0, redirects: 0 }
    for (const path of all) {
      const here = await visit(world, 'source', path)
      expect([path, await visit(world, 'destination', path)]).toEqual([path, here])
      if (here.status === 200) seen[here.led ? 'redirects' : 'pages']++
    }
    expect(seen.pages).toBeGreaterThan(25)
    expect(seen.redirects).toBeGreaterThan(8)
  },
)

interface Taken {
  path: string
  title: string
}

/** At the destination a brand occupies the address of one item of every kind. */
async function aWorldInTheWay(): Promise<{ world: World; taken: Taken[] }> {
  const world = await aWorld({ entities })
  const { products = [], categories = [], brands = [], pages = [], blog_posts = [] } = await world.state('source')
  const sold = products.filter(({ is_visible }) => is_visible)
  const taken = [
    { path: pathOf(sold[0]?.custom_url, 'url'), title: `product ${sold[0]?.name}` },
    { path: pathOf(categories[0]?.url, 'path'), title: `category ${categories[0]?.name}` },
    { path: pathOf(brands[0]?.custom_url, 'url'), title: `brand ${brands[0]?.name}` },
    { path: String(pages[0]?.url), title: `page ${pages[0]?.name}` },
    { path: String(blog_posts[0]?.url), title: `blog_post ${blog_posts[0]?.title}` },
  ].map(({ path, title }) => ({ path, title: title.replaceAll('&', '&amp;') }))
  for (const [at, { path }] of taken.entries()) await putBrandAt(world, `In the way ${at}`, path)
  return { world, taken }
}

function pathOf(url: unknown, field: string): string {
  return String((url as Record<string, unknown> | undefined)?.[field])
}

function putBrandAt(world: World, name: string, url: string): Promise<unknown> {
  return callStore(world, 'destination', 'POST', '/v3/catalog/brands', {
    name,
    custom_url: { url, is_customized: true },
  })
}

const redirects = async (world: World) => (await world.state('destination')).redirects ?? []
const madeFrom = async (world: World, path: string) =>
  (await redirects(world)).filter(({ from_path }) => from_path === path.replace(/\/+$/, ''))
const codesOf = async (world: World, runId: string) =>
  (await world.issues(runId)).map(({ code }) => code).filter((code) => code.startsWith('address_'))

longTest(
  'B2, C2: a redirect is created once from each occupied address, even if its answer is lost, and reported; a second run creates none',
  async () => {
    const { world, taken } = await aWorldInTheWay()
    const fault = { kind: 'reset_after_applying', method: 'PUT', path: '/v3/storefront/redirects$' } as const
    await world.fault('destination', { ...fault, body: taken[0]?.path.replace(/\/+$/, '') ?? '', times: 1 })
    const run = await world.complete()
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([1])
    const codes = Map.groupBy(await codesOf(world, run.requestId), (code) => code)
    expect([...codes].map(([code, some]) => [code, some.length]).sort()).toEqual([
      ['address_changed', taken.length],
      ['address_redirected', taken.length],
    ])
    for (const { path } of taken) expect([path, (await madeFrom(world, path)).length]).toEqual([path, 1])
    const made = await redirects(world)
    await world.complete()
    expect(await redirects(world)).toEqual(made)
  },
)

longTest(
  'D4: replace deletes what occupies an address but no redirect, skip keeps the redirects, update moves each copy to its address',
  async () => {
    const { world, taken } = await aWorldInTheWay()
    await world.complete()
    const made = await redirects(world)
    await world.complete({ conflictStrategy: 'replace', pruneLimitPercent: 100, pruneLimitItems: 1000 })
    const { brands = [] } = await world.state('destination')
    expect(brands.filter(({ name }) => String(name).startsWith('In the way'))).toEqual([])
    expect(await redirects(world)).toEqual(made)
    // Once the address is free, its redirect leads to the same item as in the source.
    await world.complete()
    expect(await redirects(world)).toEqual(made)
    const shows = async (led: boolean) => {
      for (const { path, title } of taken)
        expect([path, await visit(world, 'destination', path)]).toEqual([path, { status: 200, title, led }])
    }
    await shows(true)

    const path = '/v3/storefront/redirects$'
    await world.fault('destination', { kind: 'reset_after_applying', method: 'DELETE', path, times: 1 })
    await world.resetRequests('destination')
    const run = await world.complete({ conflictStrategy: 'update' })
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    await shows(false)
    for (const one of taken) expect([one.path, await madeFrom(world, one.path)]).toEqual([one.path, []])
    // The redirect is deleted last, because the address must lead somewhere at every moment.
    const methods = (await writesTo(world)).map((call) => call.split(' ')[0])
    expect(methods.slice(0, taken.length)).toEqual(taken.map(() => 'PUT'))
    expect(methods).toContain('DELETE')

    for (const conflictStrategy of ['update', 'skip']) {
      await world.resetRequests('destination')
      await world.complete({ conflictStrategy })
      expect(await writesTo(world), conflictStrategy).toEqual([])
    }
  },
)

const kinds: [
  what: string,
  path: string,
  body: (name: string, at: string) => object,
  moved: (id: number, name: string, at: string) => { path?: string; body: object },
][] = [
  [
    'products',
    '/v3/catalog/products',
    (name, url) => ({ name, type: 'physical', weight: 1, price: 1, custom_url: { url, is_customized: true } }),
    (_id, _name, url) => ({ body: { custom_url: { url, is_customized: true } } }),
  ],
  [
    'brands',
    '/v3/catalog/brands',
    (name, url) => ({ name, custom_url: { url, is_customized: true } }),
    (_id, _name, url) => ({ body: { custom_url: { url, is_customized: true } } }),
  ],
  [
    'pages',
    '/v3/content/pages',
    (name, url) => ({ type: 'page', channel_id: 1, name, body: name, url }),
    (_id, name, url) => ({ body: { type: 'page', name, url } }),
  ],
  [
    'blog-posts',
    '/v2/blog/posts',
    (title, url) => ({ title, body: title, url, is_published: true }),
    (_id, title, url) => ({ body: { title, body: title, url, is_published: true } }),
  ],
]

test.each(
  kinds,
)('C2: %s that have exchanged their addresses in the source do so in one `update`, without a redirect', async (entity, path, body, moved) => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: [entity, 'redirects'] })
  const names = ['One', 'Two', 'Three']
  const put = async (ids: number[], urls: string[]) => {
    for (const [at, id] of ids.entries())
      await callStore(world, 'source', 'PUT', `${path}/${id}`, moved(id, names[at] ?? '', urls[at] ?? '').body)
  }
  const ids: number[] = []
  for (const name of names) {
    const sent = body(name, `/${name.toLowerCase()}/`)
    ids.push((await callStore<{ id: number }>(world, 'source', 'POST', path, sent)).id)
  }
  await world.complete()
  await put(ids, ['/x/', '/y/', '/z/'])
  await put(ids, ['/two/', '/three/', '/one/'])
  const run = await world.complete({ conflictStrategy: 'update' })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  for (const at of ['/one/', '/two/', '/three/'])
    expect([at, await visit(world, 'destination', at)]).toEqual([at, await visit(world, 'source', at)])
  const open = (await world.issues(run.requestId)).filter(({ state }) => state === 'open')
  expect(open.map(({ code }) => code)).toEqual([])
  expect(await redirects(world)).toEqual([])
  await world.resetRequests('destination')
  await world.complete({ conflictStrategy: 'update' })
  expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
})

test('a redirect that leads elsewhere is kept and reported', async () => {
  const world = await aWorldWithOnePage('/moved/')
  const elsewhere = { site_id: 1000, from_path: '/moved', to: { type: 'url', url: 'https://elsewhere.example/' } }
  await callStore(world, 'destination', 'PUT', '/v3/storefront/redirects', [elsewhere])
  const run = await world.complete({ entities: ['pages', 'redirects'] })
  expect((await codesOf(world, run.requestId)).sort()).toEqual(['address_changed', 'address_lost'])
  expect((await madeFrom(world, '/moved')).map(({ to }) => to)).toEqual([elsewhere.to])
})

test('D2: a redirect that a run made and that leads elsewhere by now stays when the page gets its address back, and is reported', async () => {
  const world = await aWorldWithOnePage('/moved/')
  const own = { entities: ['pages', 'redirects'] }
  await world.complete(own)
  const elsewhere = { site_id: 1000, from_path: '/moved', to: { type: 'url', url: 'https://elsewhere.example/' } }
  await callStore(world, 'destination', 'PUT', '/v3/storefront/redirects', [elsewhere])
  const { brands: [brand] = [] } = await world.state('destination')
  await callStore(world, 'destination', 'DELETE', `/v3/catalog/brands/${brand?.id}`)
  const run = await world.complete({ ...own, conflictStrategy: 'update' })
  const { pages: [page] = [] } = await world.state('destination')
  expect(page?.url).toBe('/moved/')
  expect((await madeFrom(world, '/moved')).map(({ to }) => to)).toEqual([elsewhere.to])
  expect(await world.issues(run.requestId)).toMatchObject([
    { component: 'redirects', code: 'not_pruned', message: expect.stringContaining('leads elsewhere by now') },
  ])
})

test('F1: a comparison leaves out a redirect that a run made, and does not ask the source for it', async () => {
  const world = await aWorldWithOnePage('/made/')
  const own = ['pages', 'redirects']
  expect(await codesOf(world, (await world.complete({ entities: own })).requestId)).toContain('address_redirected')
  const other = { site_id: 1000, from_path: '/theirs', to: { type: 'url', url: 'https://elsewhere.example/' } }
  await callStore(world, 'destination', 'PUT', '/v3/storefront/redirects', [other])
  const { requestId, status } = await world.complete({ entities: own, mode: 'verify' })
  expect([status, (await world.issues(requestId)).map(({ code }) => code)]).toEqual(['completed', []])
  const { body } = await world.api<{ items: { component: string; kind: string; item: { path: string | null } }[] }>(
    'GET',
    `/v2/migrations/${requestId}/differences`,
  )
  const ofRedirects = body.items.filter(({ component }) => component === 'redirects')
  expect(ofRedirects.map(({ kind, item }) => [kind, item.path])).toEqual([['extra', '/theirs']])
})

test('D3, D4, F1: a run over one storefront takes a redirect that a run over the whole store made for ours', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products', 'redirects'] })
  const product = {
    name: 'Moved',
    type: 'physical',
    price: 1,
    weight: 1,
    custom_url: { url: '/made/', is_customized: true },
  }
  await callStore(world, 'source', 'POST', '/v3/catalog/products', product)
  const other = { site_id: 1000, from_path: '/other', to: { type: 'url', url: 'https://elsewhere.example/' } }
  await callStore(world, 'source', 'PUT', '/v3/storefront/redirects', [other])
  await putBrandAt(world, 'Moved there', '/made/')
  await world.complete()
  expect(await madeFrom(world, '/made')).toHaveLength(1)
  const limits = { pruneLimitPercent: 100, pruneLimitItems: 100 }
  const replace = { ...firstPair, entities: ['redirects'], conflictStrategy: 'replace', ...limits }
  const run = await world.complete(replace)
  expect(await madeFrom(world, '/made')).toHaveLength(1)
  const { differences } = await world.verify(run.requestId)
  expect(differences.filter(({ component }) => component === 'redirects')).toEqual([])
})

test('B6: a redirect that the source has from the address of one that a run made takes its place', async () => {
  const world = await aWorldWithOnePage('/made/')
  const own = ['pages', 'redirects']
  await world.complete({ entities: own })
  const theirs = { site_id: 1000, from_path: '/made', to: { type: 'url', url: 'https://elsewhere.example/' } }
  await callStore(world, 'source', 'PUT', '/v3/storefront/redirects', [theirs])
  const { requestId } = await world.finished(await world.migrate({ entities: own, conflictStrategy: 'update' }))
  expect((await world.issues(requestId)).filter(({ severity }) => severity === 'failure')).toEqual([])
  expect((await madeFrom(world, '/made')).map(({ to }) => to)).toEqual([theirs.to])
})

test('C4: a run without redirects in its scope creates none', async () => {
  const world = await aWorldWithOnePage('/unled/')
  const run = await world.complete({ entities: ['pages'] })
  expect(await codesOf(world, run.requestId)).toContain('address_changed')
  expect(await madeFrom(world, '/unled')).toEqual([])
})

/** The source has only one page, and at the destination a brand occupies its address. */
async function aWorldWithOnePage(url: string): Promise<World> {
  const world = await aWorld({ seeds: { source: 'empty' } })
  await callStore(world, 'source', 'POST', '/v3/content/pages', { name: 'Moved', type: 'page', body: '', url })
  await putBrandAt(world, 'Moved there', url)
  return world
}

test('F2: categories that have exchanged their addresses count as updated, as their dry run says', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['categories', 'redirects'] })
  const path = '/v3/catalog/trees/categories'
  const [tree] = await callStore<{ id: number }[]>(world, 'source', 'GET', '/v3/catalog/trees')
  const url = (address: string) => ({ url: { path: address, is_customized: true } })
  const category = (name: string) => ({ tree_id: tree?.id, parent_id: 0, name, ...url(`/${name}/`) })
  const sent = [category('one'), category('two')]
  const [one, two] = await callStore<{ category_id: number }[]>(world, 'source', 'POST', path, sent)
  await world.complete()
  for (const [first, second] of [
    ['/x/', '/y/'],
    ['/two/', '/one/'],
  ])
    await callStore(world, 'source', 'PUT', path, [
      { category_id: one?.category_id, ...url(first ?? '') },
      { category_id: two?.category_id, ...url(second ?? '') },
    ])
  const { onlyPlanned, onlyDone } = await comparedWithItsPlan(world, { conflictStrategy: 'update' })
  expect({ onlyPlanned, onlyDone }).toEqual({ onlyPlanned: [], onlyDone: [] })
  expect(await visit(world, 'destination', '/one/')).toEqual(await visit(world, 'source', '/one/'))
})
