import { expect, test } from 'vitest'
import { aWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'
import { testEntityStory } from './entity-story.ts'

const path = '/v2/blog/posts'
const phases = ['blog-posts']

type SideName = 'source' | 'destination'

/** Version 2 answers without an envelope. */
async function post(world: World, side: SideName, body: object): Promise<{ id: number }> {
  const { url, token } = world.address(side)
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'x-auth-token': token, 'content-type': 'application/json' },
    body: JSON.stringify({ body: '', is_published: true, ...body }),
  })
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as { id: number }
}

testEntityStory({
  name: 'blog posts',
  phases,
  component: 'blog-posts',
  judged: phases,
  table: 'blog_posts',
  edit: { meta_description: 'Edited' },
  deletedAt: path,
  creation: { method: 'POST', path: `${path}$` },
  onlyThere: (world) => post(world, 'destination', { title: 'Only there' }),
})

const posts = async (world: World, side: SideName, title: string) =>
  ((await world.state(side)).blog_posts ?? []).filter((row) => row.title === title)

test('a published post and a draft keep their date and state when an update changes their author', async () => {
  const world = await aWorld()
  await world.complete({ entities: phases })
  const { blog_posts = [] } = await world.state('source')
  const chosen = [blog_posts.find((one) => !one.is_published), blog_posts.find((one) => one.is_published)]
  for (const one of chosen)
    await world.change('source', { op: 'set', table: 'blog_posts', id: one?.id ?? 0, fields: { author: 'Another' } })
  await world.complete({ entities: phases, conflictStrategy: 'update' })
  for (const one of chosen) {
    const [copy] = await posts(world, 'destination', String(one?.title))
    expect(copy).toMatchObject({ author: 'Another', is_published: one?.is_published })
    expect(Date.parse(String(copy?.published_date))).toBe(Date.parse(String(one?.published_date)))
  }
})

test('a post without an author, a thumbnail and texts for search engines is copied, and an update takes these off its copy', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: phases })
  const { id } = await post(world, 'source', { title: 'Anonymous' })
  const none = { author: null, thumbnail_path: null, meta_description: null, meta_keywords: null }
  await world.change('source', { op: 'set', table: 'blog_posts', id, fields: none })
  expect(await world.complete()).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const [copy] = await posts(world, 'destination', 'Anonymous')
  const some = { author: 'Robin', thumbnail_path: 'a.png', meta_description: 'All', meta_keywords: 'all' }
  await world.change('destination', { op: 'set', table: 'blog_posts', id: copy?.id ?? 0, fields: some })
  const run = await world.complete({ conflictStrategy: 'update' })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await posts(world, 'destination', 'Anonymous')).toMatchObject([
    { author: '', thumbnail_path: '', meta_description: '', meta_keywords: '' },
  ])
  expect((await world.verify(run.requestId)).differences).toEqual([])
})

test('B3: a post whose address is taken and whose answer is lost is created once, under another address', async () => {
  const world = await aWorld({ seeds: { source: 'empty' } })
  const custom_url = { url: '/blog/first/', is_customized: true }
  await callStore(world, 'destination', 'POST', '/v3/catalog/brands', { name: 'In the way', custom_url })
  const published_date = 'Mon, 01 Apr 2024 08:00:00 +0000'
  await post(world, 'source', { title: 'First', url: '/blog/first/', published_date })
  await world.fault('destination', { kind: 'reset_after_applying', method: 'POST', path: `${path}$`, times: 1 })
  const run = await world.complete({ entities: phases })
  expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([1])
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await posts(world, 'destination', 'First')).map(({ url }) => url)).toEqual(['/blog/first-1/'])
})

test('two posts with the same title and date are copied as two posts', async () => {
  const world = await aWorld({ seeds: { source: 'empty' } })
  const twin = { title: 'Twins', published_date: 'Tue, 02 Apr 2024 08:00:00 +0000' }
  await post(world, 'source', { ...twin, url: '/blog/one/' })
  await post(world, 'source', { ...twin, url: '/blog/two/' })
  await world.complete({ entities: phases })
  const addresses = (await posts(world, 'destination', 'Twins')).map(({ url }) => url)
  expect(addresses.sort()).toEqual(['/blog/one/', '/blog/two/'])
})

test('D3: the blog belongs to the default storefront: a run from it covers every post, a run from another storefront none', async () => {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' } })
  const outlet = (await world.state('source')).channels?.find(({ name }) => name === 'Outlet')?.id
  const copied = async (storefront: unknown) => {
    const pair = { sourceStorefront: String(storefront), destStorefront: '1' }
    const run = await world.complete({ entities: phases, mode: 'dry-run', ...pair })
    return (await counted(world, run.requestId))['blog-posts']?.discovered ?? 0
  }
  expect(await copied(outlet)).toBe(0)
  expect(await copied(1)).toBe((await world.state('source')).blog_posts?.length)
})
