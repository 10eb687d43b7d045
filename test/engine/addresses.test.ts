import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'

type SideName = 'source' | 'destination'

/** Where a visitor of the shop ends who asks for a path, and what is there. */
async function visit(
  world: World,
  side: SideName,
  path: string,
): Promise<{ status: number; title: string; led: boolean }> {
  const { url } = world.address(side)
  const first = await fetch(`${url}${path}`, { redirect: 'manual' })
  const led = first.status === 301
  const last = led ? await fetch(first.headers.get('location') ?? '', { redirect: 'manual' }) : first
  return { status: last.status, title: /<title>(.*)<\/title>/.exec(await last.text())?.[1] ?? '', led }
}

/** Every address that a shop shows, and every path that it leads on from. */
async function addresses(world: World): Promise<string[]> {
  const { urls = [], redirects = [] } = await world.state('source')
  return [...urls.map(({ path }) => String(path)), ...redirects.map(({ from_path }) => String(from_path))]
}

describe('addresses of a shop that was copied to an empty store', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld()
  })
  afterAll(() => world?.stop())

  test('every address of the source shows the same at the destination, and every redirect leads to the same', async () => {
    expect(await world.finished(await world.migrate(), { seconds: 110 })).toMatchObject({ failuresOpen: 0 })
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
  })
})

describe('addresses that are taken at the destination', () => {
  let world: World
  const taken: { path: string; title: string }[] = []
  beforeAll(async () => {
    // Everything that has an address.
    const entities = ['categories', 'brands', 'products', 'pages', 'blog-posts', 'redirects']
    world = await startWorld({ requestTimeoutSeconds: 1, entities })
    const { products = [], categories = [], brands = [], pages = [], blog_posts = [] } = await world.state('source')
    const sold = products.filter(({ is_visible }) => is_visible)
    const things = [
      { path: pathOf(sold[0]?.custom_url, 'url'), title: `product ${sold[0]?.name}` },
      { path: pathOf(categories[0]?.url, 'path'), title: `category ${categories[0]?.name}` },
      { path: pathOf(brands[0]?.custom_url, 'url'), title: `brand ${brands[0]?.name}` },
      { path: String(pages[0]?.url), title: `page ${pages[0]?.name}` },
      { path: String(blog_posts[0]?.url), title: `blog_post ${blog_posts[0]?.title}` },
    ]
    for (const [at, thing] of things.entries()) {
      taken.push({ ...thing, title: thing.title.replaceAll('&', '&amp;') })
      const custom_url = { url: thing.path, is_customized: true }
      await callStore(world, 'destination', 'POST', '/v3/catalog/brands', { name: `In the way ${at}`, custom_url })
    }
  })
  afterAll(() => world?.stop())

  const redirects = async () => (await world.state('destination')).redirects ?? []
  const madeFrom = async (path: string) =>
    (await redirects()).filter(({ from_path }) => from_path === path.replace(/\/+$/, ''))

  test('a redirect is made from each of them, once, although its answer is lost, and told', async () => {
    const fault = { kind: 'reset_after_applying', method: 'PUT', path: '/v3/storefront/redirects$' } as const
    const last = { ...fault, body: taken[0]?.path.replace(/\/+$/, '') ?? '', times: 1 }
    await world.fault('destination', last)
    const run = await world.complete()
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([1])
    await world.clearFaults('destination')
    const told = (await world.issues(run.requestId)).filter(({ code }) => code.startsWith('address_'))
    const codes = Map.groupBy(told, ({ code }) => code)
    expect([...codes].map(([code, some]) => [code, some.length]).sort()).toEqual([
      ['address_changed', taken.length],
      ['address_redirected', taken.length],
    ])
    for (const { path } of taken) expect([path, (await madeFrom(path)).length]).toEqual([path, 1])
  })

  test('a second run makes none again', async () => {
    const before = await redirects()
    await world.complete()
    expect(await redirects()).toEqual(before)
  })

  test('D4: `replace` deletes what was in the way and not the redirects, and every address shows what it shows in the source', async () => {
    const before = await redirects()
    const limits = { pruneLimitPercent: 100, pruneLimitItems: 1000 }
    await world.complete({ conflictStrategy: 'replace', ...limits })
    expect((await world.state('destination')).brands?.filter(({ name }) => /^In the way/.test(String(name)))).toEqual(
      [],
    )
    for (const { path, title } of taken)
      expect(await visit(world, 'destination', path), path).toMatchObject({ status: 200, title })
    expect(await redirects()).toEqual(before)
  })

  test('as soon as nothing else has the address, it leads to what has it in the source; `skip` leaves it at that', async () => {
    const before = await redirects()
    await world.complete()
    expect(await redirects()).toEqual(before)
    for (const { path, title } of taken)
      expect([path, await visit(world, 'destination', path)]).toEqual([path, { status: 200, title, led: true }])
  })

  test('a run with `update` moves each copy to its address, and takes the redirect away', async () => {
    // A moment in which the address leads nowhere would be one too many: the redirect goes last.
    await world.resetRequests('destination')
    const lost = {
      kind: 'reset_after_applying',
      method: 'DELETE',
      path: '/v3/storefront/redirects$',
      times: 1,
    } as const
    await world.fault('destination', lost)
    const run = await world.complete({ conflictStrategy: 'update' })
    await world.clearFaults('destination')
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    for (const { path, title } of taken) {
      expect([path, await visit(world, 'destination', path)]).toEqual([path, { status: 200, title, led: false }])
      expect([path, await madeFrom(path)]).toEqual([path, []])
    }
    const writes = (await world.requests('destination')).filter(({ method }) => method !== 'GET')
    // One for each of five components; what follows leads links in texts back.
    expect(writes.slice(0, taken.length).map(({ method }) => method)).toEqual(taken.map(() => 'PUT'))
  })

  test.each(['update', 'skip'])('a run with %s after that writes nothing', async (conflictStrategy) => {
    await world.resetRequests('destination')
    await world.complete({ conflictStrategy })
    expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('a redirect that leads elsewhere stays, and that is told', async () => {
    const page = { name: 'Moved', type: 'page', body: '', url: '/moved/' }
    await callStore(world, 'source', 'POST', '/v3/content/pages', page)
    await callStore(world, 'destination', 'POST', '/v3/catalog/brands', {
      name: 'Moved there',
      custom_url: { url: '/moved/', is_customized: true },
    })
    const elsewhere = { site_id: 1000, from_path: '/moved', to: { type: 'url', url: 'https://elsewhere.example/' } }
    await callStore(world, 'destination', 'PUT', '/v3/storefront/redirects', [elsewhere])
    const run = await world.complete()
    const codes = (await world.issues(run.requestId))
      .map(({ code }) => code)
      .filter((code) => code.startsWith('address_'))
    expect(codes.sort()).toEqual(['address_changed', 'address_lost'])
    expect((await madeFrom('/moved')).map(({ to }) => to)).toEqual([elsewhere.to])
  })

  test('C4: a run without redirects in its scope makes none', async () => {
    const page = { name: 'Unled', type: 'page', body: '', url: '/unled/' }
    await callStore(world, 'source', 'POST', '/v3/content/pages', page)
    await callStore(world, 'destination', 'POST', '/v3/catalog/brands', {
      name: 'Unled there',
      custom_url: { url: '/unled/', is_customized: true },
    })
    const run = await world.complete({ entities: ['pages'] })
    expect((await world.issues(run.requestId)).map(({ code }) => code)).toContain('address_changed')
    expect(await madeFrom('/unled')).toEqual([])
  })
})

function pathOf(url: unknown, field: string): string {
  return String((url as Record<string, unknown> | undefined)?.[field])
}
