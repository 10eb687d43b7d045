import { expect, test } from 'vitest'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { namedOnPages, outlineOf, pageOf, putPage, widgetsOf, writesTo } from './content.ts'
import { counted } from './counted.ts'
import { planFor } from './planned.ts'

const homeQuery = 'channel_id=1&template_file=pages/home'
const pick = (file: string, more: object = {}) => ({ selection: { pageTemplates: [{ file, ...more }] } })

/** The destination has the items that pages name, and no page with content. */
async function aWorldWithNamed(): Promise<World> {
  const world = await aWorld()
  await world.complete({ entities: namedOnPages })
  return world
}

const pages = async (world: World) => {
  const { page_contexts = [], global_contexts = [] } = await world.state('destination')
  return [...page_contexts, ...global_contexts].map(({ template_file, entity_id }) => [template_file, entity_id])
}
const settingsOf = (widgets: Record<string, unknown>[], field: string) =>
  widgets.flatMap(({ configuration }) => (configuration as Record<string, unknown>)[field] ?? [])

test('F2, G14: a dry run over a picked page counts it as created, publishes nothing, and predicts widgets and shared content in its plan', async () => {
  const world = await aWorld()
  const dry = await world.complete({ ...pick('pages/home', { globals: true }), mode: 'dry-run' })
  expect(await writesTo(world)).toEqual([])
  expect((await counted(world, dry.requestId))['page-widgets']).toEqual({ discovered: 1, created: 1 })
  expect(dry.pageTemplates).toMatchObject({ globalsRequested: true, globalContextsPublished: 0 })
  const widgets = dry.phases.flatMap(({ components }) => components).flatMap((component) => component.widgets ?? [])
  expect(new Set(widgets)).toEqual(new Set([0]))
  const sources = await Promise.all([homeQuery, 'channel_id=1'].map((query) => pageOf(world, 'source', query)))
  expect(await planFor(world, dry.requestId)).toMatchObject({
    widgets: sources.flatMap(widgetsOf).length,
    globalContextsPublished: 1,
  })
})

longTest(
  'C4: only the picked page is published, with its templates, and its widgets name the destination’s items',
  async () => {
    const world = await aWorldWithNamed()
    const run = await world.complete(pick('pages/home'))
    expect(run).toMatchObject({
      status: 'completed',
      selective: true,
      pageTemplates: { picked: ['pages/home'], globalsRequested: false, globalContextsPublished: 0 },
    })
    expect(await pages(world)).toEqual([['pages/home', '']])
    const [ours, theirs] = [await pageOf(world, 'source', homeQuery), await pageOf(world, 'destination', homeQuery)]
    expect(outlineOf(theirs)).toEqual(outlineOf(ours))
    const [there, here] = [widgetsOf(theirs), widgetsOf(ours)]
    const uuids = here.map((widget) => widget.widget_template_uuid)
    expect(there.some((widget) => uuids.includes(widget.widget_template_uuid))).toBe(false)
    const nameOf = async (side: Side, table: string, id: unknown) =>
      (await world.state(side))[table]?.find((row) => String(row.id) === id)?.name
    for (const [field, table] of [
      ['productId', 'products'],
      ['categoryId', 'categories'],
    ] as const) {
      const name = await nameOf('destination', table, settingsOf(there, field)[0])
      expect(name).toBeTruthy()
      expect(name).toBe(await nameOf('source', table, settingsOf(here, field)[0]))
    }

    // Shown at creation.
    const { body } = await world.api<MigrationRequest>('GET', `/v2/migrations/${run.requestId}/request`)
    const created = new Map(body.scope?.map((entry) => [entry.component, entry.created]))
    expect(created.get('page-widgets')).toBe(true)
    expect(created.get('widget-templates')).toBe(true)
    expect(created.get('products')).toBe(false)
    const templates = (await world.state('destination')).widget_templates ?? []
    expect(templates.filter(({ kind }) => kind === 'custom').map(({ name }) => name)).toEqual(['Countdown'])
  },
)

longTest(
  'C2: with globals, content shown on every page of the channel is copied too; a second run writes nothing and reports it again',
  async () => {
    const world = await aWorldWithNamed()
    const requested = pick('pages/home', { globals: true })
    const reported = { picked: ['pages/home'], globalsRequested: true, globalContextsPublished: 1 }
    expect((await world.complete(requested)).pageTemplates).toEqual(reported)
    expect(await pages(world)).toEqual([
      ['pages/home', ''],
      ['', ''],
    ])
    await world.resetRequests('destination')
    const second = await world.complete(requested)
    expect(await writesTo(world)).toEqual([])
    expect(second.pageTemplates).toEqual(reported)
    expect((await counted(world, second.requestId))['page-widgets']).toEqual({ discovered: 1, matched: 1 })
  },
)

longTest(
  'a picked template of item pages copies the pages of the named items, or all that have content if none is named',
  async () => {
    const world = await aWorldWithNamed()
    const source = (await world.state('source')).page_contexts ?? []
    const ofBrands = source.filter(({ template_file }) => template_file === 'pages/brand')
    const named = await world.complete(pick('pages/brand', { entityIds: [String(ofBrands[0]?.entity_id)] }))
    expect((await counted(world, named.requestId))['page-widgets']).toEqual({ discovered: 1, created: 1 })
    const ofCategories = source.filter(({ template_file }) => template_file === 'pages/category')
    expect(ofCategories.length).toBeGreaterThan(0)
    const all = await world.complete(pick('pages/category'))
    expect((await counted(world, all.requestId))['page-widgets']).toEqual({
      discovered: ofCategories.length,
      created: ofCategories.length,
    })
  },
)

longTest('two templates at once are reported in the order they were picked', async () => {
  const world = await aWorldWithNamed()
  const pageTemplates = [{ file: 'pages/page', globals: false }, { file: 'pages/home' }]
  const run = await world.complete({ selection: { pageTemplates } })
  expect(run.pageTemplates?.picked).toEqual(['pages/page', 'pages/home'])
  expect((await counted(world, run.requestId))['page-widgets']).toEqual({ discovered: 3, created: 3 })
})

test('a page without content has nothing to publish', async () => {
  const world = await aWorld()
  const run = await world.complete(pick('pages/cart'))
  expect(run).toMatchObject({
    status: 'completed',
    pageTemplates: { picked: ['pages/cart'], globalContextsPublished: 0 },
  })
  expect(run.progress.discovered).toBe(0)
})

test('requested globals that are empty are reported as none', async () => {
  const world = await aWorld()
  await putPage(world, 'source', { channel_id: 1, regions: [] })
  const run = await world.complete(pick('pages/home', { globals: true }))
  expect(run.pageTemplates).toMatchObject({ globalsRequested: true, globalContextsPublished: 0 })
})

test('a run over other picks, or over a whole component, reports no page templates', async () => {
  const world = await aWorld()
  const [brand] = (await world.state('source')).brands ?? []
  const picked = await world.complete({ selection: { brands: { ids: [String(brand?.id)] } } })
  expect(picked).not.toHaveProperty('pageTemplates')
  expect(await world.complete({ entities: ['page-widgets'] })).not.toHaveProperty('pageTemplates')
})

test('C4: the page of an item that the destination does not have fails with an issue, and is not published anywhere', async () => {
  const world = await aWorld()
  const brand = { name: 'Only at the source' }
  const made = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/brands', brand)
  const [widget] = widgetsOf(await pageOf(world, 'source', homeQuery))
  const regions = [{ name: 'brand_below_header', children: [widget] }]
  await putPage(world, 'source', { channel_id: 1, template_file: 'pages/brand', entity_id: String(made.id), regions })
  const run = await world.complete(pick('pages/brand', { entityIds: [String(made.id)] }))
  expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
  expect((await world.issues(run.requestId)).map(({ code }) => code)).toEqual(['missing_reference'])
  expect(await pages(world)).toEqual([])
})
