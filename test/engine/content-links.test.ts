import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'

const texts = ['pages', 'blog-posts']
const all = ['categories', 'brands', 'products', ...texts, 'redirects']

let world: World
/** Of the source. */
let product: { id: number; sku: string }

beforeAll(async () => {
  world = await startWorld()
  const row = (await world.state('source')).products?.[0]
  product = { id: row?.id ?? 0, sku: String(row?.sku) }
  const shop = await shopOf('source')
  const body = textFor(shop, product.id)
  await callStore(world, 'source', 'POST', '/v3/content/pages', { name: 'Linking', type: 'page', body })
  const link = `${shop}/about-us/`
  await callStore(world, 'source', 'POST', '/v3/content/pages', { name: 'Leading', type: 'link', link })
  await callV2(world, 'source', '/v2/blog/posts', { title: 'Linking', body, is_published: true })
  const redirect = { site_id: 1000, from_path: '/leading', to: { type: 'url', url: link } }
  await callStore(world, 'source', 'PUT', '/v3/storefront/redirects', [redirect])
})
afterAll(() => world?.stop())

/** Version 2 answers without an envelope. */
async function callV2(of: World, side: Side, path: string, body: object): Promise<void> {
  const { url, token } = of.address(side)
  const headers = { 'x-auth-token': token, 'content-type': 'application/json' }
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
}

function textFor(shop: string, productId: number, page = '/about-us/'): string {
  return `<a href="${shop}/cart.php?action=add&amp;product_id=${productId}">buy</a> <a href="${shop}${page}">us</a> <a href="${page}">us</a>`
}

async function shopOf(side: Side): Promise<string> {
  return String((await world.state(side)).sites?.[0]?.url)
}

/** What the destination has of each. */
async function copies() {
  const { pages = [], blog_posts: posts = [], redirects = [], products = [] } = await world.state('destination')
  return {
    page: pages.find(({ name }) => name === 'Linking')?.body,
    link: pages.find(({ name }) => name === 'Leading')?.link,
    post: posts.find(({ title }) => title === 'Linking')?.body,
    redirect: redirects.find(({ from_path }) => from_path === '/leading')?.to,
    product: products.find(({ sku }) => sku === product.sku)?.id ?? 0,
  }
}

/** How they have to be when the page that they name is there under the given path. */
async function expected(path: string) {
  const shop = await shopOf('destination')
  const { product: copy } = await copies()
  const [text, url] = [textFor(shop, copy, path), `${shop}${path}`]
  return { page: text, link: url, post: text, redirect: { type: 'url', url }, product: copy }
}

async function writes(): Promise<unknown[]> {
  return (await world.requests('destination')).filter(({ method }) => method !== 'GET')
}

async function toldOfLinks(runId: string): Promise<string[]> {
  const issues = (await world.issues(runId)).filter(({ code }) => ['link_unresolved', 'links_rewritten'].includes(code))
  return issues.map(({ component, code }) => `${component} ${code}`).sort()
}

test('a link to what is not copied yet stays whole in pages and posts, and that is told', async () => {
  const run = await world.complete({ entities: texts })
  const [here, there] = [await shopOf('source'), await shopOf('destination')]
  const half = textFor(there, product.id).replace(`${there}/cart.php`, `${here}/cart.php`)
  expect(await copies()).toMatchObject({ page: half, post: half, link: `${there}/about-us/` })
  expect(await toldOfLinks(run.requestId)).toEqual([
    'blog-posts link_unresolved',
    'blog-posts links_rewritten',
    'pages link_unresolved',
    'pages links_rewritten',
  ])
})

test('links of pages, posts and redirects lead to the destination as soon as it has what they name', async () => {
  const run = await world.complete({ entities: all })
  expect((await copies()).product).toBeGreaterThan(0)
  expect(await copies()).toEqual(await expected('/about-us/'))
  expect(await toldOfLinks(run.requestId)).toContain('redirects links_rewritten')
  expect(await toldOfLinks(run.requestId)).not.toContain('pages link_unresolved')
})

test('C2: a second run writes nothing of them, whatever the strategy', async () => {
  for (const conflictStrategy of ['skip', 'update']) {
    await world.resetRequests('destination')
    await world.complete({ entities: all, conflictStrategy })
    expect(await writes(), conflictStrategy).toEqual([])
  }
})

test('they follow a page that has another address at the destination, and come back with it', async () => {
  const page = (await world.state('destination')).pages?.find(({ name }) => name === 'About us')
  await callStore(world, 'destination', 'PUT', `/v3/content/pages/${page?.id}`, { url: '/who-we-are/' })
  await world.complete({ entities: all })
  expect(await copies()).toEqual(await expected('/who-we-are/'))
  await world.complete({ entities: all, conflictStrategy: 'update' })
  expect(await copies()).toEqual(await expected('/about-us/'))
})
