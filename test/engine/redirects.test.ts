import { expect, test } from 'vitest'
import { brokenReferenceRemedy, issueRemedies } from '../../src/contract/issue-codes.ts'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'
import { testEntityStory } from './entity-story.ts'
import { heal } from './healing-story.ts'

const path = '/v3/storefront/redirects'
const entities = ['redirects']
/** Items that redirects of the seeds lead to. */
const led = ['categories', 'brands', 'products', 'pages', 'blog-posts']

type SideName = 'source' | 'destination'

const redirect = async (world: World, side: SideName, body: object) =>
  (await callStore<{ id: number }[]>(world, side, 'PUT', path, [{ site_id: 1000, ...body }]))[0]
const pathsOf = async (world: World) =>
  ((await world.state('destination')).redirects ?? []).map(({ from_path }) => from_path)

testEntityStory({
  name: 'redirects',
  phases: entities,
  component: 'redirects',
  judged: ['redirects'],
  table: 'redirects',
  edit: { to: { type: 'url', url: '/edited' } },
  creation: { method: 'PUT', path: `${path}$` },
  onlyThere: (world) =>
    redirect(world, 'destination', { from_path: '/only-there', to: { type: 'url', url: '/about-us/' } }),
  arrange: (world) => world.complete({ entities: led }),
})

longTest(
  'D3: redirects of a channel without a counterpart are left out with a warning, and copied by a run over their storefront',
  async () => {
    const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' } })
    const { channels = [], sites = [] } = await world.state('source')
    const channel = channels.find(({ name }) => name === 'Outlet')?.id
    const site_id = sites.find(({ channel_id }) => channel_id === channel)?.id
    await redirect(world, 'source', { site_id, from_path: '/outlet-only/', to: { type: 'url', url: '/' } })
    const whole = await world.complete({ entities })
    const reported = (await world.findings(whole.requestId)).filter(({ component }) => component === 'redirects')
    expect(reported.map(({ code, item }) => [code, item.name])).toEqual([['not_copied', '/outlet-only']])
    const before = await pathsOf(world)
    expect(before).not.toEqual([])
    expect(before).not.toContain('/outlet-only')

    const run = await world.complete({ entities, sourceStorefront: String(channel), destStorefront: '1' })
    expect((await counted(world, run.requestId)).redirects).toMatchObject({ discovered: 1, created: 1 })
    expect(await pathsOf(world)).toEqual([...before, '/outlet-only'])
    const made = (await world.state('destination')).redirects?.find(({ from_path }) => from_path === '/outlet-only')
    expect(made?.site_id).toBe(1000)
  },
)

test('F1: a redirect to an item that the destination does not have fails alone, without the others of its batch, and is reported as broken if the source lacks that item too', async () => {
  const world = await aWorld({ seeds: { source: 'empty' } })
  const brand = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/brands', { name: 'Gone' })
  const gone = await redirect(world, 'source', { from_path: '/gone', to: { type: 'brand', entity_id: brand.id } })
  await redirect(world, 'source', { from_path: '/fine', to: { type: 'url', url: '/' } })
  const run = await world.complete({ entities })
  expect(run.status).toBe('partial_completed')
  const issuesOf = async (id: string) => (await world.issues(id)).filter(({ component }) => component === 'redirects')
  const reported = await issuesOf(run.requestId)
  expect(reported.map(({ code, item }) => [code, item.sourceId, item.name])).toEqual([
    ['missing_reference', String(gone?.id), '/gone'],
  ])
  expect(reported[0]).toMatchObject({
    message: expect.stringContaining('which the destination does not have.'),
    remedy: issueRemedies.missing_reference,
  })
  expect(await pathsOf(world)).toEqual(['/fine'])

  // F1: a comparison reports it as missing, and it says so where the source itself has lost what it leads to.
  const { differences } = await world.verify(run.requestId)
  expect(differences.map(({ kind, item }) => [kind, item.name])).toEqual([['missing', '/gone']])
  await world.change('source', { op: 'remove', table: 'brands', id: brand.id })
  const broken = await issuesOf((await world.complete({ entities })).requestId)
  expect(broken).toMatchObject([
    {
      code: 'missing_reference',
      message: expect.stringContaining('which the source store does not have either.'),
      remedy: brokenReferenceRemedy,
    },
  ])
})

test('C1, C2, D4, F1: a redirect whose path changed is written once under the new one, and only replace deletes the old one', async () => {
  const world = await aWorld({ seeds: { source: 'empty' } })
  const begins = async () => (await pathsOf(world)).filter((from) => /^\/(old|new)-path$/.test(String(from)))
  const writes = async () => (await world.requests('destination')).filter(({ method }) => method !== 'GET').length
  const made = await redirect(world, 'source', { from_path: '/old-path', to: { type: 'url', url: '/' } })
  const first = await world.complete({ entities })
  const fields = { from_path: '/new-path' }
  await world.change('source', { op: 'set', table: 'redirects', id: made?.id ?? 0, fields })

  const { differences } = await world.verify(first.requestId)
  expect(differences.map(({ item, kind }) => [item.name, kind])).toEqual([['/new-path', 'different']])

  await world.resetRequests('destination')
  const skip = await world.complete({ entities })
  expect((await counted(world, skip.requestId)).redirects).toMatchObject({ created: 1 })
  expect(await writes()).toBe(1)
  expect(await begins()).toEqual(['/old-path', '/new-path'])
  await world.complete({ entities, conflictStrategy: 'update' })
  expect(await writes()).toBe(1)
  expect(await begins()).toEqual(['/old-path', '/new-path'])
  await world.complete({ entities, conflictStrategy: 'replace', pruneLimitPercent: 100 })
  expect(await begins()).toEqual(['/new-path'])
})

test('F1: a redirect whose product is not at the destination any more is compared once', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products', 'redirects'] })
  const lamp = { name: 'Lamp', type: 'physical', weight: 1, price: 1 }
  const product = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/products', lamp)
  await redirect(world, 'source', { from_path: '/lamp-of-old', to: { type: 'product', entity_id: product.id } })
  await world.complete()
  const [copy] = (await world.state('destination')).products ?? []
  await callStore(world, 'destination', 'DELETE', `/v3/catalog/products/${copy?.id}`)
  const creating = {
    kind: 'error_before_applying',
    status: 422,
    method: 'POST',
    path: '^/v3/catalog/products$',
  } as const
  await world.fault('destination', { ...creating, times: null })
  const { requestId } = await world.finished(await world.migrate({ conflictStrategy: 'update' }))
  const { detail, differences } = await world.verify(requestId)
  expect(differences.map(({ component, kind }) => [component, kind]).sort()).toEqual([
    ['products', 'missing'],
    ['redirects', 'missing'],
  ])
  expect(detail.phases.find(({ key }) => key === 'redirects')).toMatchObject({ skipped: 1, total: 1 })
})

test('D2, F4: healing leaves the destination’s own redirect from the same path alone under `skip`', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products', 'redirects'] })
  const lamp = { name: 'Lamp', type: 'physical', weight: 1, price: 1 }
  const { id } = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/products', lamp)
  await redirect(world, 'source', { from_path: '/old-lamp', to: { type: 'product', entity_id: id } })
  await redirect(world, 'destination', { from_path: '/old-lamp', to: { type: 'url', url: '/their-lamp' } })
  const own = (await world.state('destination')).redirects
  const creating = { method: 'POST', path: '^/v3/catalog/products$', times: null } as const
  await world.fault('destination', { kind: 'error_before_applying', status: 422, ...creating })
  const { requestId, failuresOpen } = await world.complete()
  expect(failuresOpen).toBe(2)
  await world.clearFaults('destination')
  expect(await heal(world, requestId)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await world.state('destination')).products).toHaveLength(1)
  expect((await world.state('destination')).redirects).toEqual(own)
})

test('F1: a redirect whose product the source has deleted and created again keeps its copy, which leads to the new one, and is not called missing', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products', 'redirects'] })
  const lamp = { name: 'Lamp', type: 'physical', weight: 1, price: 1 }
  const create = () => callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/products', lamp)
  const { id } = await create()
  const made = await redirect(world, 'source', { from_path: '/old-lamp', to: { type: 'product', entity_id: id } })
  await world.complete()
  const copied = (await world.state('destination')).redirects
  await callStore(world, 'source', 'DELETE', `/v3/catalog/products/${id}`)
  await create()
  for (const conflictStrategy of ['skip', 'replace'] as const) {
    const { requestId, status } = await world.finished(await world.migrate({ conflictStrategy }))
    expect(status).toBe('completed')
    const left = {
      component: 'redirects',
      severity: 'warning',
      code: 'not_copied',
      message: `"/old-lamp" (source ${made?.id}): it needs product ${id}, which the source store does not have any more. Its copy is left as it is and not compared.`,
      remedy: brokenReferenceRemedy,
    }
    expect(await world.findings(requestId)).toMatchObject([left])
    const verified = await world.verify(requestId)
    expect(verified.differences).toEqual([])
    expect(await world.findings(verified.detail.requestId)).toMatchObject([left])
  }
  expect((await world.state('destination')).redirects).toEqual(copied)
})

test('B6: of two redirects from paths that the destination takes for one, the first is copied and the other reported, in this run and the next', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['redirects'] })
  const leadTo = (url: string) => ({ to: { type: 'url', url } })
  await redirect(world, 'source', { from_path: '/old', ...leadTo('/new') })
  const other = await redirect(world, 'source', { from_path: '/other', ...leadTo('/elsewhere') })
  const fields = { from_path: '/old/' }
  await world.change('source', { op: 'set', table: 'redirects', id: Number(other?.id), fields })
  for (const conflictStrategy of ['skip', 'update'] as const) {
    const run = await world.complete({ conflictStrategy })
    expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
    const failures = (await world.issues(run.requestId)).filter(({ severity }) => severity === 'failure')
    expect(failures).toMatchObject([{ code: 'natural_key_collision', item: { sourceId: String(other?.id) } }])
    expect((await world.state('destination')).redirects).toMatchObject([{ from_path: '/old', ...leadTo('/new') }])
  }
})

test('D3: a redirect whose site is gone from the source keeps its copy as it is, which leads to the copy of its product', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products', 'redirects'] })
  const lamp = { name: 'Lamp', type: 'physical', weight: 1, price: 1 }
  const product = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/products', lamp)
  const to = { type: 'product', entity_id: product.id }
  const made = await redirect(world, 'source', { from_path: '/old-lamp', to })
  await world.complete()
  const before = (await world.state('destination')).redirects
  expect(before).toMatchObject([{ to: { type: 'product', entity_id: expect.not.toBeOneOf([product.id]) } }])
  await world.change('source', { op: 'set', table: 'redirects', id: made?.id ?? 0, fields: { site_id: 4321 } })
  const { requestId } = await world.complete({ conflictStrategy: 'update' })
  expect((await world.state('destination')).redirects).toEqual(before)
  expect(await world.findings(requestId)).toMatchObject([{ code: 'not_copied', item: { name: '/old-lamp' } }])
  expect(await world.verify(requestId)).toMatchObject({ differences: [] })
})

test('B6: of two redirects that the destination takes for one, the first is copied and the other reported, also with more between them than one call takes; a dry run foretells it', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['redirects'] })
  const leadTo = (url: string) => ({ to: { type: 'url', url } })
  const paths = ['/old', ...Array.from({ length: 60 }, (_, at) => `/between-${at}`)]
  const all = [...paths, '/other'].map((from_path) => ({ site_id: 1000, from_path, ...leadTo('/elsewhere') }))
  const made = (
    await Promise.all(
      [all.slice(0, 40), all.slice(40)].map((some) => callStore<{ id: number }[]>(world, 'source', 'PUT', path, some)),
    )
  ).flat()
  const { redirects = [] } = await world.state('source')
  const idOf = (from: string) => redirects.find(({ from_path }) => from_path === from)?.id ?? 0
  await world.change('source', { op: 'set', table: 'redirects', id: idOf('/old'), fields: leadTo('/new') })
  await world.change('source', { op: 'set', table: 'redirects', id: idOf('/other'), fields: { from_path: '/OLD/' } })
  expect(made).toHaveLength(62)
  for (const mode of ['dry-run', 'full', 'full'] as const) {
    const run = await world.complete({ mode })
    const issues = (await world.issues(run.requestId)).filter(({ component }) => component === 'redirects')
    expect(issues.map(({ item }) => item.sourceId)).toEqual([String(idOf('/other'))])
    if (mode === 'full') expect(issues).toMatchObject([{ code: 'natural_key_collision', severity: 'failure' }])
  }
  const there = (await world.state('destination')).redirects ?? []
  expect(there).toHaveLength(61)
  expect(there.filter(({ from_path }) => from_path === '/old')).toMatchObject([leadTo('/new')])
})
