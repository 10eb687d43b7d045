import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'
import { tellEntityStory } from './entity-story.ts'

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

describe('blog posts', () => {
  tellEntityStory({
    phases,
    component: 'blog-posts',
    judged: phases,
    table: 'blog_posts',
    edit: { meta_description: 'Edited' },
    deletedAt: path,
    creation: { method: 'POST', path: `${path}$` },
    onlyThere: (world) => post(world, 'destination', { title: 'Only there' }),
  })
})

describe('posts of a blog that goes on', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld({ requestTimeoutSeconds: 1 })
  })
  afterAll(() => world?.stop())

  const posts = async (side: SideName, title: string) =>
    ((await world.state(side)).blog_posts ?? []).filter((row) => row.title === title)

  test('each has the day of its publication, and a draft stays one, also after a correction', async () => {
    await world.complete({ entities: phases })
    const [draft] = (await world.state('source')).blog_posts?.filter(({ is_published }) => !is_published) ?? []
    const [published] = (await world.state('source')).blog_posts?.filter(({ is_published }) => is_published) ?? []
    for (const one of [draft, published]) {
      await world.change('source', { op: 'set', table: 'blog_posts', id: one?.id ?? 0, fields: { author: 'Another' } })
      await world.complete({ entities: phases, conflictStrategy: 'update' })
      const [copy] = await posts('destination', String(one?.title))
      expect(copy).toMatchObject({ author: 'Another', is_published: one?.is_published })
      expect(Date.parse(String(copy?.published_date))).toBe(Date.parse(String(one?.published_date)))
    }
  })

  test('B3: one whose address is taken and whose answer is lost is made once, under another address', async () => {
    const custom_url = { url: '/blog/first/', is_customized: true }
    await callStore(world, 'destination', 'POST', '/v3/catalog/brands', { name: 'In the way', custom_url })
    await post(world, 'source', {
      title: 'First',
      url: '/blog/first/',
      published_date: 'Mon, 01 Apr 2024 08:00:00 +0000',
    })
    const wish = { kind: 'reset_after_applying', method: 'POST', path: `${path}$`, times: 1 } as const
    await world.fault('destination', wish)
    const run = await world.complete({ entities: phases, conflictStrategy: 'update' })
    expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([1])
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect((await posts('destination', 'First')).map(({ url }) => url)).toEqual(['/blog/first-1/'])
  })

  test('two posts of one title and one moment are two posts', async () => {
    const twin = { title: 'Twins', published_date: 'Tue, 02 Apr 2024 08:00:00 +0000' }
    await post(world, 'source', { ...twin, url: '/blog/one/' })
    await post(world, 'source', { ...twin, url: '/blog/two/' })
    await world.complete({ entities: phases })
    expect((await posts('destination', 'Twins')).map(({ url }) => url).sort()).toEqual(['/blog/one/', '/blog/two/'])
  })

  test('D3: the blog belongs to the default storefront: a copy of another one has none', async () => {
    const pair = { sourceStorefront: '1', destStorefront: '1' }
    const run = await world.complete({ entities: phases, ...pair })
    expect((await counted(world, run.requestId))['blog-posts']?.discovered).toBeGreaterThan(5)
  })
})
