import { expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { StoreName } from '../harness/world-sandbox.ts'
import { actBetweenPages, patientSeconds } from './between-pages.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'

type Row = { id: number } & Record<string, unknown>

const pageSize = 250
const empty = { seeds: { source: 'empty' }, requestTimeoutSeconds: patientSeconds } as const

const fieldOf = async (world: World, side: StoreName, table: string, field: string) =>
  ((await world.state(side))[table] ?? []).map((row) => String(row[field]))
const twice = (names: string[]) => names.filter((name, at) => names.indexOf(name) !== at)

/** Items of a list as its first page shows them now. */
const firstPage = (world: World, side: StoreName, path: string) =>
  callStore<Row[]>(world, side, 'GET', `${path}?page=1&limit=${pageSize}`)

async function addBrands(world: World, side: StoreName, count: number): Promise<void> {
  for (let n = 1; n <= count; n++) await callStore(world, side, 'POST', '/v3/catalog/brands', { name: `Brand ${n}` })
}

const brandPath = '/v3/catalog/brands'

longTest('G2: of 300 brands none is lost when one of the first page is deleted before the second is read', async () => {
  const world = await aWorld({ ...empty, entities: ['brands'] })
  await addBrands(world, 'source', 300)
  const [first] = await firstPage(world, 'source', brandPath)
  const id = await actBetweenPages(world, { side: 'source', path: brandPath, before: 1 }, () =>
    callStore(world, 'source', 'DELETE', `${brandPath}/${first?.id}`),
  )
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const there = await fieldOf(world, 'destination', 'brands', 'name')
  const missing = (await fieldOf(world, 'source', 'brands', 'name')).filter((name) => !there.includes(name))
  expect(missing).toEqual([])
  expect(twice(there)).toEqual([])
  expect(await world.issues(id)).toEqual([])
})

longTest('G2: no wishlist is lost when a shopper deletes one between two pages', async () => {
  const world = await aWorld({ ...empty, entities: ['customers', 'wishlists'] })
  const path = '/v3/wishlists'
  const shopper = { email: 'wisher@example.com', first_name: 'Ada', last_name: 'Example' }
  const [customer] = await callStore<Row[]>(world, 'source', 'POST', '/v3/customers', [shopper])
  for (let n = 1; n <= 253; n++)
    await callStore(world, 'source', 'POST', path, {
      customer_id: customer?.id,
      name: `List ${n}`,
      is_public: false,
      items: [],
    })
  const [first] = await firstPage(world, 'source', path)
  const id = await actBetweenPages(world, { side: 'source', path, before: 1 }, () =>
    callStore(world, 'source', 'DELETE', `${path}/${first?.id}`),
  )
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const there = await fieldOf(world, 'destination', 'wishlists', 'name')
  const missing = (await fieldOf(world, 'source', 'wishlists', 'name')).filter((name) => !there.includes(name))
  expect(missing).toEqual([])
  expect(await world.issues(id)).toEqual([])
})

/** The query of a list's first page in a run; forecasts name the limit first, except in v2. */
const endsEarly = { kind: 'list_ends_early', method: 'GET', query: '^page=1&limit=250$' } as const

const postPath = '/v2/blog/posts'

async function addPosts(world: World, count: number): Promise<void> {
  for (let n = 1; n <= count; n++) {
    const published_date = new Date(Date.UTC(2020, 0, 1) + n * 86_400_000).toUTCString().replace('GMT', '+0000')
    const post = { title: `Post ${n}`, body: '', is_published: true, published_date, url: `/blog/post-${n}/` }
    await callStore(world, 'source', 'POST', postPath, post)
  }
}

test('G2: a v2 list that ends early once is still read to its end', async () => {
  const world = await aWorld({ ...empty, entities: ['blog-posts'] })
  await addPosts(world, 3)
  // One reading is the forecast's, and one is the run's.
  await world.fault('source', { ...endsEarly, path: `^${postPath}$`, times: 2 })
  const run = await world.complete()
  expect((await world.faults('source')).map(({ hits }) => hits)).toEqual([2])
  expect(await fieldOf(world, 'destination', 'blog_posts', 'title')).toHaveLength(3)
  expect(await world.issues(run.requestId)).toEqual([])
})

longTest(
  'G1, G2: a post deleted at the destination between two pages is the only one created again, and none is doubled',
  async () => {
    const world = await aWorld({ ...empty, entities: ['blog-posts'] })
    await addPosts(world, 253)
    await world.complete()
    const [first] = await firstPage(world, 'destination', postPath)
    const id = await actBetweenPages(world, { side: 'destination', path: postPath, before: 1 }, () =>
      callStore(world, 'destination', 'DELETE', `${postPath}/${first?.id}`),
    )
    expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
    const titles = await fieldOf(world, 'destination', 'blog_posts', 'title')
    expect(twice(titles)).toEqual([])
    expect(await fieldOf(world, 'source', 'blog_posts', 'title')).toEqual(expect.arrayContaining(titles))
    const lost = 253 - titles.length
    // Deleted after its page was read, it is found missing by this run or by the next.
    const again = await world.complete()
    const issues = [...(await world.issues(id)), ...(await world.issues(again.requestId))]
    expect(issues.map(({ code, item }) => [code, item.name])).toEqual([['destination_deleted', first?.title]])
    expect(lost).toBeLessThanOrEqual(1)
    expect((await fieldOf(world, 'destination', 'blog_posts', 'title')).sort()).toEqual(
      (await fieldOf(world, 'source', 'blog_posts', 'title')).sort(),
    )
  },
)

longTest('G2: `replace` deletes nothing that the source has, although its list shifted', async () => {
  const world = await aWorld({ ...empty, entities: ['brands'] })
  await addBrands(world, 'source', 300)
  await addBrands(world, 'destination', 300)
  const [first] = await firstPage(world, 'source', brandPath)
  const id = await actBetweenPages(
    world,
    { side: 'source', path: brandPath, before: 1 },
    () => callStore(world, 'source', 'DELETE', `${brandPath}/${first?.id}`),
    { conflictStrategy: 'replace' },
  )
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const there = await fieldOf(world, 'destination', 'brands', 'name')
  const missing = (await fieldOf(world, 'source', 'brands', 'name')).filter((name) => !there.includes(name))
  expect(missing).toEqual([])
  expect((await counted(world, id)).brands?.pruned ?? 0).toBeLessThanOrEqual(1)
})

test('G1: posts that the list of the destination does not show are asked for one by one, and not created again', async () => {
  const world = await aWorld({ ...empty, entities: ['blog-posts'] })
  await addPosts(world, 3)
  await world.complete()
  const [first] = await firstPage(world, 'destination', postPath)
  await callStore(world, 'destination', 'DELETE', `${postPath}/${first?.id}`)
  // One reading is the forecast's, and two are the run's.
  await world.fault('destination', { ...endsEarly, path: `^${postPath}$`, times: 3 })
  const run = await world.complete()
  expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([3])
  expect(await fieldOf(world, 'destination', 'blog_posts', 'title')).toHaveLength(3)
  expect(await counted(world, run.requestId)).toMatchObject({ 'blog-posts': { created: 1, matched: 2 } })
  expect((await world.issues(run.requestId)).map(({ code }) => code)).toEqual(['destination_deleted'])
})

test('G1, G2: a list that cannot be filtered by ids is read once more before its items count as deleted', async () => {
  const world = await aWorld({ entities: ['customer-attributes'] })
  await world.complete()
  const copied = await fieldOf(world, 'destination', 'customer_attributes', 'name')
  expect(copied.length).toBeGreaterThan(0)
  // Five readings, in each of which an empty page is tried three times.
  await world.fault('destination', { ...endsEarly, path: '^/v3/customers/attributes$', times: 15 })
  const run = await world.complete()
  expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([15])
  expect(await fieldOf(world, 'destination', 'customer_attributes', 'name')).toEqual(copied)
  const issues = await world.issues(run.requestId)
  expect(issues.map(({ code, component }) => [code, component])).toEqual([['source_changed', 'customer-attributes']])
  expect(issues[0]?.message).toContain('the destination store counts')
})

test('G1: a picked group that the list of the source does not show is asked for before it counts as gone', async () => {
  const world = await aWorld()
  const groups = await fieldOf(world, 'source', 'customer_groups', 'id')
  await world.fault('source', { ...endsEarly, path: '^/v2/customer_groups$', times: null })
  const run = await world.complete({ selection: { 'customer-groups': { ids: groups } } })
  expect((await world.issues(run.requestId)).filter(({ code }) => code === 'source_gone')).toEqual([])
  expect(await counted(world, run.requestId)).toMatchObject({ 'customer-groups': { created: groups.length } })
})

test('G1, F1: what one of the lists does not show is asked for before verify calls it missing or extra', async () => {
  const world = await aWorld({ ...empty, entities: ['blog-posts'] })
  await addPosts(world, 3)
  const copy = await world.complete()
  for (const side of ['source', 'destination'] as const) {
    // The run's two readings; its forecast takes over what that of the copy found.
    await world.fault(side, { ...endsEarly, path: `^${postPath}$`, times: 2 })
    const { detail, differences } = await world.verify(copy.requestId)
    expect((await world.faults(side)).map(({ hits }) => hits)).toEqual([2])
    expect(differences).toEqual([])
    expect(await counted(world, detail.requestId)).toMatchObject({ 'blog-posts': { discovered: 3, matched: 3 } })
    await world.clearFaults(side)
  }
})

test('F1: a difference in a list without a filter by ids is read a second time before it is reported', async () => {
  const world = await aWorld({ entities: ['customer-attributes'] })
  const copy = await world.complete()
  const [attribute] = (await world.state('destination')).customer_attributes ?? []
  const rename = (name: unknown) =>
    world.change('destination', { op: 'set', table: 'customer_attributes', id: attribute?.id ?? 0, fields: { name } })
  await rename('Renamed')
  const path = '/v3/customers/attributes'
  const held = { kind: 'hold_after_applying', method: 'GET', path: `^${path}$`, query: endsEarly.query } as const
  await world.fault('source', held)
  const verifying = world.verify(copy.requestId)
  await until('the source list is held', async () => (await world.faults('source')).some(({ hits }) => hits > 0))
  await rename(attribute?.name)
  await world.release('source')
  expect((await verifying).differences).toEqual([])
})

test.each([
  // The list is known to lack items, so the run says so.
  { counted: true, issues: ['source_changed'] },
  { counted: false, issues: [] },
])('G1: a wishlist that a list of several pages lacks is asked for by its customer, and not created twice (counted: $counted)', async ({
  counted,
  issues,
}) => {
  const switches = { destination: { wishlists_counted: counted } }
  const world = await aWorld({ ...empty, switches, entities: ['customers', 'wishlists'] })
  const path = '/v3/wishlists'
  const addList = async (side: StoreName, customer_id: unknown, name: string) =>
    callStore(world, side, 'POST', path, { customer_id, name, is_public: false, items: [] })
  const shopper = { email: 'wisher@example.com', first_name: 'Ada', last_name: 'Example' }
  const other = { email: 'other@example.com', first_name: 'Bo', last_name: 'Example' }
  const [customer] = await callStore<Row[]>(world, 'source', 'POST', '/v3/customers', [shopper])
  await addList('source', customer?.id, 'Wished for')
  const there = await callStore<Row[]>(world, 'destination', 'POST', '/v3/customers', [shopper, other])
  for (let n = 1; n <= 251; n++) await addList('destination', there[1]?.id, `List ${n}`)
  await addList('destination', there[0]?.id, 'Wished for')
  await addList('destination', there[1]?.id, 'The last one')
  // The second page never shows anything.
  await world.fault('destination', {
    kind: 'list_ends_early',
    method: 'GET',
    path: `^${path}$`,
    query: '(^|&)page=2(&|$)',
    times: null,
  })
  const run = await world.complete()
  const names = await fieldOf(world, 'destination', 'wishlists', 'name')
  expect(names.filter((name) => name === 'Wished for')).toHaveLength(1)
  expect((await world.issues(run.requestId)).map(({ code }) => code)).toEqual(issues)
})
