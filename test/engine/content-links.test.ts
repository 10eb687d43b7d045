import { expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { writesTo } from './content.ts'
import { addStorefront, outletOf } from './two-storefronts.ts'

const texts = ['pages', 'blog-posts']
const all = ['categories', 'brands', 'products', ...texts, 'redirects']

interface Product {
  id: number
  sku: string
}

/** A page and a post of the source link to a product by its id, and to a page; a page and a redirect lead to the latter. */
async function aWorldWithLinks(): Promise<{ world: World; product: Product }> {
  const world = await aWorld({ entities: all })
  const row = (await world.state('source')).products?.[0]
  const product = { id: row?.id ?? 0, sku: String(row?.sku) }
  const shop = await shopOf(world, 'source')
  const body = textFor(shop, product.id)
  await callStore(world, 'source', 'POST', '/v3/content/pages', { name: 'Linking', type: 'page', body })
  const link = `${shop}/about-us/`
  await callStore(world, 'source', 'POST', '/v3/content/pages', { name: 'Leading', type: 'link', link })
  await callStore(world, 'source', 'POST', '/v2/blog/posts', { title: 'Linking', body, is_published: true })
  const redirect = { site_id: 1000, from_path: '/leading', to: { type: 'url', url: link } }
  await callStore(world, 'source', 'PUT', '/v3/storefront/redirects', [redirect])
  return { world, product }
}

function textFor(shop: string, productId: number, page = '/about-us/'): string {
  return `<a href="${shop}/cart.php?action=add&amp;product_id=${productId}">buy</a> <a href="${shop}${page}">us</a> <a href="${page}">us</a>`
}

async function shopOf(world: World, side: Side): Promise<string> {
  return String((await world.state(side)).sites?.[0]?.url)
}

/** The destination's version of each. */
async function copies(world: World) {
  const { pages = [], blog_posts: posts = [], redirects = [] } = await world.state('destination')
  return {
    page: pages.find(({ name }) => name === 'Linking')?.body,
    link: pages.find(({ name }) => name === 'Leading')?.link,
    post: posts.find(({ title }) => title === 'Linking')?.body,
    redirect: redirects.find(({ from_path }) => from_path === '/leading')?.to,
  }
}

/** The expected texts once the product is copied and the linked page exists under the given path. */
async function expected(world: World, { sku }: Product, path: string) {
  const shop = await shopOf(world, 'destination')
  const copy = (await world.state('destination')).products?.find((row) => row.sku === sku)
  if (!copy) throw new Error(`The destination has no product ${sku}.`)
  const [text, url] = [textFor(shop, copy.id, path), `${shop}${path}`]
  return { page: text, link: url, post: text, redirect: { type: 'url', url } }
}

async function linkReports(world: World, runId: string): Promise<string[]> {
  const issues = (await world.issues(runId)).filter(({ code }) => ['link_unresolved', 'links_rewritten'].includes(code))
  return issues.map(({ component, code }) => `${component} ${code}`).sort()
}

test('links in pages and posts to items not yet copied are left unchanged and reported, and lead to the copy once it exists', async () => {
  const { world, product } = await aWorldWithLinks()
  const early = await world.complete({ entities: texts })
  const [here, there] = [await shopOf(world, 'source'), await shopOf(world, 'destination')]
  const half = textFor(there, product.id).replace(`${there}/cart.php`, `${here}/cart.php`)
  expect(await copies(world)).toMatchObject({ page: half, post: half, link: `${there}/about-us/` })
  expect(await linkReports(world, early.requestId)).toEqual([
    'blog-posts link_unresolved',
    'blog-posts links_rewritten',
    'pages link_unresolved',
    'pages links_rewritten',
  ])

  const later = await world.complete()
  expect(await copies(world)).toEqual(await expected(world, product, '/about-us/'))
  expect(await linkReports(world, later.requestId)).toContain('redirects links_rewritten')
  expect(await linkReports(world, later.requestId)).not.toContain('pages link_unresolved')
})

longTest(
  'C2: links follow a page to another address at the destination and back, and then nothing is written',
  async () => {
    const { world, product } = await aWorldWithLinks()
    await world.complete()
    const page = (await world.state('destination')).pages?.find(({ name }) => name === 'About us')
    await callStore(world, 'destination', 'PUT', `/v3/content/pages/${page?.id}`, { url: '/who-we-are/' })
    await world.complete()
    expect(await copies(world)).toEqual(await expected(world, product, '/who-we-are/'))
    await world.complete({ conflictStrategy: 'update' })
    expect(await copies(world)).toEqual(await expected(world, product, '/about-us/'))
    await world.resetRequests('destination')
    for (const conflictStrategy of ['skip', 'update']) {
      await world.complete({ conflictStrategy })
      expect(await writesTo(world), conflictStrategy).toEqual([])
    }
  },
)

/** A banner, a post and a page that link to a product, all copied before it. */
async function aWorldWithoutTheProduct(): Promise<{ world: World; bodyOf(side: Side): Promise<string> }> {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products', 'banners', 'pages', 'blog-posts'] })
  const product = { name: 'Kite', type: 'physical', price: 1, weight: 1 }
  await callStore(world, 'source', 'POST', '/v3/catalog/products', product)
  const bodyOf = async (side: Side) => {
    const [kite] = (await world.state(side)).products ?? []
    return `<a href="/cart.php?product_id=${kite?.id}">Buy</a>`
  }
  const body = await bodyOf('source')
  const banner = { page: 'home_page', location: 'top', date_type: 'always', visible: '1', item_id: '0' }
  await callStore(world, 'source', 'POST', '/v2/banners', { ...banner, name: 'Kites', content: body })
  await callStore(world, 'source', 'POST', '/v3/content/pages', { name: 'Kites', type: 'page', body })
  await callStore(world, 'source', 'POST', '/v2/blog/posts', { title: 'Kites', body, is_published: true })
  // An empty destination has another product with the id of the source's.
  await callStore(world, 'destination', 'POST', '/v3/catalog/products', { ...product, name: 'Other' })
  await callStore(world, 'destination', 'POST', '/v3/catalog/products', { ...product, name: 'Another' })
  await world.complete({ entities: ['banners', 'pages', 'blog-posts'] })
  return {
    world,
    bodyOf: async (side) => {
      const kite = (await world.state(side)).products?.find(({ name }) => name === 'Kite')
      return body.replace(/\d+/, String(kite?.id))
    },
  }
}

test('C1, D6: skip adds to a copy what it lacked at first, and nothing that was changed at the destination meanwhile is undone', async () => {
  const { world, bodyOf } = await aWorldWithoutTheProduct()
  const there = async () => {
    const { banners = [], blog_posts: posts = [], pages = [] } = await world.state('destination')
    return { banner: banners[0], post: posts[0], page: pages[0] }
  }
  const { banner, post } = await there()
  await world.change('destination', { op: 'set', table: 'banners', id: Number(banner?.id), fields: { visible: '0' } })
  const hidden = { is_published: false }
  await world.change('destination', { op: 'set', table: 'blog_posts', id: Number(post?.id), fields: hidden })
  await world.complete()
  const body = await bodyOf('destination')
  expect(body).not.toBe(await bodyOf('source'))
  expect(await there()).toMatchObject({
    banner: { content: body, visible: '0' },
    post: { body, is_published: false },
    page: { body },
  })
})

test('C1: skip leaves a text that was edited at the destination as it is and reports what it lacks; update overwrites it', async () => {
  const { world, bodyOf } = await aWorldWithoutTheProduct()
  const pageThere = async () => (await world.state('destination')).pages?.[0]
  const edited = { body: '<p>Written by the merchant.</p>' }
  await callStore(world, 'destination', 'PUT', `/v3/content/pages/${(await pageThere())?.id}`, edited)
  for (const _time of ['once', 'again']) {
    const { requestId } = await world.complete()
    expect(await pageThere()).toMatchObject(edited)
    const reported = (await world.issues(requestId)).filter(({ code }) => code === 'destination_changed')
    expect(reported.map(({ component, item }) => [component, item.name])).toEqual([['pages', 'Kites']])
  }
  await world.complete({ conflictStrategy: 'update' })
  expect(await pageThere()).toMatchObject({ body: await bodyOf('destination') })
})

test('a link in the message of a closed shop leads to the copy of a product that the same run creates after it', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['store-settings', 'products'] })
  const product = { name: 'Kite', type: 'physical', price: 1, weight: 1 }
  const { id } = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/products', product)
  await callStore(world, 'destination', 'POST', '/v3/catalog/products', { ...product, name: 'Other' })
  const path = '/v3/settings/storefront/status'
  const messageTo = (productId: unknown) => `<a href="/cart.php?product_id=${productId}">Buy</a>`
  for (const query of ['', '?channel_id=1'])
    await callStore(world, 'source', 'PUT', `${path}${query}`, { down_for_maintenance_message: messageTo(id) })
  const run = await world.complete({ conflictStrategy: 'update' })
  expect((await world.issues(run.requestId)).map(({ code }) => code)).not.toContain('link_unresolved')
  const copy = (await world.state('destination')).products?.find(({ name }) => name === 'Kite')
  for (const query of ['', '?channel_id=1'])
    expect(await callStore(world, 'destination', 'GET', `${path}${query}`)).toMatchObject({
      down_for_maintenance_message: messageTo(copy?.id),
    })
  await world.resetRequests('destination')
  await world.complete({ conflictStrategy: 'update' })
  expect(await writesTo(world)).toEqual([])
})

test('D3: links follow a page to its new address only on its own storefront, where another one has a page at the same path', async () => {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' }, entities: ['pages'] })
  await addStorefront(world)
  const make = (channel_id: number, name: string, page: object) =>
    callStore(world, 'source', 'POST', '/v3/content/pages', { type: 'page', channel_id, name, ...page })
  const body = '<a href="/about-us/">us</a>'
  const outlet = await outletOf(world, 'source')
  await make(outlet, 'The outlet', { url: '/about-us/', body: '' })
  await make(outlet, 'Links of the outlet', { body })
  await make(1, 'Links', { body })
  await world.complete()
  const copy = async (name: string) => (await world.state('destination')).pages?.find((row) => row.name === name)
  const moved = { url: '/elsewhere/' }
  await callStore(world, 'destination', 'PUT', `/v3/content/pages/${(await copy('The outlet'))?.id}`, moved)
  await world.complete()
  expect((await copy('Links of the outlet'))?.body).toBe('<a href="/elsewhere/">us</a>')
  expect((await copy('Links'))?.body).toBe(body)
})

test('D3: redirects to a path follow a page to its new address only on its own storefront', async () => {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' }, entities: ['pages', 'redirects'] })
  await addStorefront(world)
  const outlet = await outletOf(world, 'source')
  const site = { channel_id: await outletOf(world, 'destination'), url: 'https://outlet.example' }
  await callStore(world, 'destination', 'POST', '/v3/sites', site)
  const page = { type: 'page', channel_id: outlet, name: 'The outlet', url: '/about-us/', body: '' }
  await callStore(world, 'source', 'POST', '/v3/content/pages', page)
  const sites = await callStore<{ id: number; channel_id: number }[]>(world, 'source', 'GET', '/v3/sites')
  const ofOutlet = ({ channel_id }: { channel_id: number }) => channel_id === outlet
  const to = { type: 'url', url: '/about-us/' }
  const put = sites.map((site) => ({ site_id: site.id, from_path: ofOutlet(site) ? '/of-outlet' : '/of-main', to }))
  await callStore(world, 'source', 'PUT', '/v3/storefront/redirects', put)
  await world.complete()
  const { pages = [] } = await world.state('destination')
  const copy = pages.find(({ name }) => name === 'The outlet')
  await callStore(world, 'destination', 'PUT', `/v3/content/pages/${copy?.id}`, { url: '/elsewhere/' })
  await world.complete()
  const { redirects = [] } = await world.state('destination')
  const ledTo = (from: string) => redirects.find(({ from_path }) => from_path === from)?.to
  expect(ledTo('/of-outlet')).toMatchObject({ url: '/elsewhere/' })
  expect(ledTo('/of-main')).toMatchObject({ url: '/about-us/' })
})
