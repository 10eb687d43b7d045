import { get } from 'node:http'
import { expect, test } from 'vitest'
import { aSandbox } from './a-sandbox.ts'

const REDIRECTS = '/v3/storefront/redirects'

async function aShop() {
  const { call, url } = await aSandbox({ store: { seed: 'tiny-two-storefronts' } })
  const lead = (from_path: string, to: object, site_id = 1000) => call('PUT', REDIRECTS, [{ site_id, from_path, to }])
  const visit = async (path: string) => {
    const answer = await fetch(`${url}${path}`, { redirect: 'manual' })
    const location = answer.headers.get('location')
    return location === null ? answer.status : `${answer.status} ${location.replace(url, '')}`
  }
  const sites = (await call('GET', '/v3/sites')).body.data as { id: number; url: string; channel_id: number }[]
  return { call, url, lead, visit, outlet: sites.find(({ channel_id }) => channel_id !== 1) }
}

test('addresses of products, categories, brands, pages and published posts answer, and others do not', async () => {
  const { call, visit } = await aShop()
  const data = async (path: string) => (await call('GET', path)).body.data
  const [product] = await data('/v3/catalog/products?limit=1')
  const [category] = await data('/v3/catalog/trees/categories?limit=1')
  const [brand] = await data('/v3/catalog/brands?limit=1')
  const [page] = await data('/v3/content/pages?limit=1')
  const posts = (await call('GET', '/v2/blog/posts')).body
  const post = (published: boolean) => posts.find((one: { is_published: boolean }) => one.is_published === published)
  const there = [product.custom_url.url, category.url.path, brand.custom_url.url, page.url, post(true).url]
  for (const path of there) expect([path, await visit(path)]).toEqual([path, 200])
  expect(await visit(there[0].toUpperCase().replace(/\/$/, ''))).toBe(200)
  for (const path of [post(false).url, '/nowhere/']) expect([path, await visit(path)]).toEqual([path, 404])
})

test('an unused path leads where its redirect says, and nowhere if the target was deleted', async () => {
  const { call, lead, visit } = await aShop()
  const made = (await call('POST', '/v3/catalog/brands', { name: 'Lumen' })).body.data
  await lead('/old/', { type: 'brand', entity_id: made.id })
  await lead('/out', { type: 'url', url: 'https://elsewhere.example/?a=1' })
  await lead('/old.php?id=7', { type: 'url', url: '/about-us/' })
  expect(await visit('/old')).toBe('301 /brands/lumen/')
  expect(await visit('/OLD/?from=mail')).toBe('301 /brands/lumen/')
  expect(await visit('/out')).toBe('301 https://elsewhere.example/?a=1')
  expect(await visit('/old.php?id=7')).toBe('301 /about-us/')
  expect(await visit('/old.php')).toBe(404)
  await call('DELETE', `/v3/catalog/brands/${made.id}`)
  expect(await visit('/old')).toBe(404)
})

test('an existing page has priority over a redirect', async () => {
  const { lead, visit } = await aShop()
  await lead('/about-us', { type: 'url', url: '/help/' })
  expect(await visit('/about-us/')).toBe(200)
})

test('a second redirect from a path of a site replaces the first, and every site has its own', async () => {
  const { call, url, lead, visit, outlet } = await aShop()
  const first = (await lead('/way/', { type: 'url', url: '/one' })).body.data[0]
  const second = await lead('/Way', { type: 'url', url: '/two' })
  expect(second).toMatchObject({ status: 201, body: { data: [{ id: first.id, from_path: '/Way' }] } })
  await lead('/way', { type: 'url', url: '/three' }, outlet?.id)
  expect(await visit('/way')).toBe('301 /two')
  expect(await locationAt(`${url}/way`, new URL(outlet?.url ?? '').host)).toBe(`${url}/three`)
  const listed = (await call('GET', `${REDIRECTS}?site_id=${outlet?.id}&keyword=way&include=to_url`)).body.data
  expect(listed).toMatchObject([{ from_path: '/way', to_url: `${outlet?.url}/three` }])
})

test('redirects are read by id bounds, and an invalid one refuses its whole batch', async () => {
  const { call } = await aShop()
  const all = (await call('GET', `${REDIRECTS}?limit=250`)).body.data as { id: number }[]
  const from = all[4]?.id ?? 0
  const rest = (await call('GET', `${REDIRECTS}?id:min=${from}&sort=id&direction=asc`)).body.data
  expect(rest).toEqual(all.slice(4))
  const good = { site_id: 1000, from_path: '/good', to: { type: 'url', url: '/' } }
  expect((await call('PUT', REDIRECTS, [good, { ...good, from_path: 'bad' }])).status).toBe(422)
  expect((await call('GET', `${REDIRECTS}?keyword=good`)).body.data).toEqual([])
})

/** `fetch` does not let the caller set the Host header. */
function locationAt(address: string, host: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    get(address, { headers: { host } }, (answer) => {
      answer.resume()
      resolve(answer.headers.location)
    }).on('error', reject)
  })
}
