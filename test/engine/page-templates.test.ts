import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import { startWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { namedOnPages, outlineOf, pageOf, putPage, widgetsOf, writesTo } from './content.ts'
import { counted } from './counted.ts'

const homeQuery = 'channel_id=1&template_file=pages/home'
const pick = (file: string, more: object = {}) => ({ selection: { pageTemplates: [{ file, ...more }] } })
let world: World

beforeAll(async () => {
  world = await startWorld()
  await world.complete({ entities: namedOnPages })
})
afterAll(() => world?.stop())

const pages = async () => {
  const { page_contexts = [], global_contexts = [] } = await world.state('destination')
  return [...page_contexts, ...global_contexts].map(({ template_file, entity_id }) => [template_file, entity_id])
}
const settingsOf = (widgets: Record<string, unknown>[], field: string) =>
  widgets.flatMap(({ configuration }) => (configuration as Record<string, unknown>)[field] ?? [])

test('F2: a dry run over a page says what would come, and writes nothing', async () => {
  await world.resetRequests('destination')
  const dry = await world.complete({ ...pick('pages/home', { globals: true }), mode: 'dry-run' })
  expect(await writesTo(world)).toEqual([])
  expect((await counted(world, dry.requestId))['page-widgets']).toEqual({ discovered: 1, created: 1 })
})

test('only the picked page is published, in the same regions and order, without what all pages show', async () => {
  const run = await world.complete(pick('pages/home'))
  expect(run).toMatchObject({
    status: 'completed',
    selective: true,
    pageTemplates: { picked: ['pages/home'], globalsRequested: false, globalContextsPublished: 0 },
  })
  expect(await pages()).toEqual([['pages/home', '']])
  const [ours, theirs] = [await pageOf(world, 'source', homeQuery), await pageOf(world, 'destination', homeQuery)]
  expect(outlineOf(theirs)).toEqual(outlineOf(ours))
  const [there, here] = [widgetsOf(theirs), widgetsOf(ours)]
  const uuids = here.map((widget) => widget.widget_template_uuid)
  expect(there.some((widget) => uuids.includes(widget.widget_template_uuid))).toBe(false)
})

test('widgets name the items of the destination', async () => {
  const nameOf = async (side: 'source' | 'destination', table: string, id: unknown) =>
    (await world.state(side))[table]?.find((row) => String(row.id) === id)?.name
  for (const [field, table] of [
    ['productId', 'products'],
    ['categoryId', 'categories'],
  ] as const) {
    const [[ours], [theirs]] = [
      settingsOf(widgetsOf(await pageOf(world, 'source', homeQuery)), field),
      settingsOf(widgetsOf(await pageOf(world, 'destination', homeQuery)), field),
    ]
    expect(await nameOf('destination', table, theirs)).toBe(await nameOf('source', table, ours))
    expect(await nameOf('destination', table, theirs)).toBeTruthy()
  }
})

test('C4: what is needed is shown at creation; templates are copied, items that widgets name are looked up only', async () => {
  const { requestId } = await world.complete(pick('pages/home'))
  const { body } = await world.api<MigrationRequest>('GET', `/v2/migrations/${requestId}/request`)
  const created = new Map(body.scope?.map((entry) => [entry.component, entry.created]))
  expect(created.get('page-widgets')).toBe(true)
  expect(created.get('widget-templates')).toBe(true)
  expect(created.get('products')).toBe(false)
  const templates = (await world.state('destination')).widget_templates ?? []
  expect(templates.filter(({ kind }) => kind === 'custom').map(({ name }) => name)).toEqual(['Countdown'])
})

test('with globals what all pages of the channel show comes along; a second run writes nothing and still tells it', async () => {
  const asked = pick('pages/home', { globals: true })
  const told = { picked: ['pages/home'], globalsRequested: true, globalContextsPublished: 1 }
  expect((await world.complete(asked)).pageTemplates).toEqual(told)
  expect(await pages()).toEqual([
    ['pages/home', ''],
    ['', ''],
  ])
  await world.resetRequests('destination')
  const second = await world.complete(asked)
  expect(await writesTo(world)).toEqual([])
  expect(second.pageTemplates).toEqual(told)
  expect((await counted(world, second.requestId))['page-widgets']).toEqual({ discovered: 1, matched: 1 })
})

test('pages of single items: all that have something, or those that are named', async () => {
  const source = (await world.state('source')).page_contexts ?? []
  const ofBrands = source.filter(({ template_file }) => template_file === 'pages/brand')
  const named = await world.complete(pick('pages/brand', { entityIds: [String(ofBrands[0]?.entity_id)] }))
  expect((await counted(world, named.requestId))['page-widgets']).toEqual({ discovered: 1, created: 1 })
  const ofCategories = source.filter(({ template_file }) => template_file === 'pages/category')
  const all = await world.complete(pick('pages/category'))
  expect((await counted(world, all.requestId))['page-widgets']).toEqual({
    discovered: ofCategories.length,
    created: ofCategories.length,
  })
})

test('two templates at once are told in the order they were picked', async () => {
  const pageTemplates = [{ file: 'pages/page', globals: false }, { file: 'pages/home' }]
  const run = await world.complete({ selection: { pageTemplates } })
  expect(run.pageTemplates?.picked).toEqual(['pages/page', 'pages/home'])
  expect((await counted(world, run.requestId))['page-widgets']).toEqual({ discovered: 3, created: 2, matched: 1 })
})

test('a page with nothing on it has nothing to publish', async () => {
  const run = await world.complete(pick('pages/cart'))
  expect(run).toMatchObject({
    status: 'completed',
    pageTemplates: { picked: ['pages/cart'], globalContextsPublished: 0 },
  })
  expect(run.progress.discovered).toBe(0)
})

test('globals that were requested and are empty are told as none', async () => {
  await putPage(world, 'source', { channel_id: 1, regions: [] })
  const run = await world.complete(pick('pages/home', { globals: true }))
  expect(run.pageTemplates).toMatchObject({ globalsRequested: true, globalContextsPublished: 0 })
})

test('a run over other picks, or over a whole store, says nothing of page templates', async () => {
  const [brand] = (await world.state('source')).brands ?? []
  const picked = await world.complete({ selection: { brands: { ids: [String(brand?.id)] } } })
  expect(picked).not.toHaveProperty('pageTemplates')
  expect(await world.complete({ entities: ['page-widgets'] })).not.toHaveProperty('pageTemplates')
})

test('an item that the destination lacks is told, and its page is not put anywhere else', async () => {
  const made = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/brands', {
    name: 'Only at the source',
  })
  const [widget] = widgetsOf(await pageOf(world, 'source', homeQuery))
  const regions = [{ name: 'brand_below_header', children: [widget] }]
  await putPage(world, 'source', { channel_id: 1, template_file: 'pages/brand', entity_id: String(made.id), regions })
  const before = await pages()
  const run = await world.complete(pick('pages/brand', { entityIds: [String(made.id)] }))
  expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
  expect((await world.issues(run.requestId)).map(({ code }) => code)).toEqual(['missing_reference'])
  expect(await pages()).toEqual(before)
})
