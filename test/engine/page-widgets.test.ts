import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { isLong, longTest } from '../harness/long-form.ts'
import { mappingsWhere } from '../harness/map-items.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { contentPhases, namedOnPages, outlineOf, pageOf, putPage, widgetsOf, writesTo } from './content.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'
import { addStorefront, firstPair, outletOf, outletPair } from './two-storefronts.ts'

const home = 'channel_id=1&template_file=pages/home'
const cart = 'channel_id=1&template_file=pages/cart'
const generous = { conflictStrategy: 'replace', pruneLimitPercent: 100, pruneLimitItems: 1000 }
const entities = [...namedOnPages, ...contentPhases]

/** All pages were copied with the items that they name; the runs that follow cover pages alone. */
async function aWorldWithPages(): Promise<{ world: World; first: MigrationDetail }> {
  const world = await aWorld({ entities: contentPhases })
  const first = await world.complete({ entities })
  return { world, first }
}

const findings = async (world: World) => {
  const all = compareStores(await world.state('source'), await world.state('destination'))
  return all.filter(({ entity }) => [...contentPhases, 'global-widgets'].includes(entity))
}
const componentOf = (detail: MigrationDetail, key: string) =>
  detail.phases.flatMap(({ components }) => components).find((component) => component.key === key)

longTest(
  'C2: widgets keep their order, use the destination’s templates and are counted with their page; a second run writes nothing',
  async () => {
    const { world, first } = await aWorldWithPages()
    expect(first).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await findings(world)).toEqual([])
    const [ours, theirs] = [await pageOf(world, 'source', home), await pageOf(world, 'destination', home)]
    expect(outlineOf(theirs)).toEqual(outlineOf(ours))
    const uuids = widgetsOf(ours).map((widget) => widget.widget_template_uuid)
    expect(widgetsOf(theirs).some((widget) => uuids.includes(widget.widget_template_uuid))).toBe(false)
    await expectCountersToEqualTheLedger(world, first.requestId)

    const { page_contexts = [], global_contexts = [] } = await world.state('destination')
    const landed = (rows: object[]) => (JSON.stringify(rows).match(/"type":"widget"/g) ?? []).length
    expect(componentOf(first, 'page-widgets')?.widgets).toBe(landed(page_contexts))
    expect(componentOf(first, 'global-widgets')?.widgets).toBe(landed(global_contexts))
    expect(landed(page_contexts)).toBeGreaterThan(5)
    expect(componentOf(first, 'widget-templates')).not.toHaveProperty('widgets')

    await world.resetRequests('destination')
    const second = await world.complete()
    expect(await writesTo(world)).toEqual([])
    const { discovered, matched, widgets } = componentOf(second, 'page-widgets') ?? {}
    expect(matched).toBe(discovered)
    expect(widgets).toBe(landed(page_contexts))
  },
)

longTest(
  'D6: skip leaves a page edited at the destination alone; update corrects it and keeps the before-image',
  async () => {
    const { world, first } = await aWorldWithPages()
    const edited = (await pageOf(world, 'destination', home)).slice(0, 1)
    await putPage(world, 'destination', { channel_id: 1, template_file: 'pages/home', regions: edited })
    const { differences } = await world.verify(first.requestId)
    expect(differences.map(({ component, fields }) => [component, fields.map(({ path }) => path)])).toEqual([
      ['page-widgets', ['regions']],
    ])
    await world.complete()
    expect((await findings(world)).length).toBe(1)
    await world.resetRequests('destination')
    const update = await world.complete({ conflictStrategy: 'update' })
    expect(await writesTo(world)).toEqual(['POST /v3/content/page-widgets'])
    expect(await findings(world)).toEqual([])
    const { rows } = await sql<{ body: { regions: { name: string }[] } }>`
    select body from before_images where run_id = ${update.requestId}`.execute(world.database)
    expect(rows.map(({ body }) => body.regions.map(({ name }) => name))).toEqual([edited.map(({ name }) => name)])
  },
)

longTest('D4: replace clears a page that only the destination has', async () => {
  const { world } = await aWorldWithPages()
  const [widget] = widgetsOf(await pageOf(world, 'destination', home))
  const regions = [{ name: 'cart_below_totals', children: [widget] }]
  await putPage(world, 'destination', { channel_id: 1, template_file: 'pages/cart', regions })
  const replace = await world.complete(generous)
  expect((await counted(world, replace.requestId))['page-widgets']).toMatchObject({ pruned: 1 })
  expect(await pageOf(world, 'destination', cart)).toEqual([])
  expect(await findings(world)).toEqual([])
})

longTest(
  'C2: links and pictures in the HTML of widgets lead to the destination, and follow a page that moves there',
  async () => {
    const world = await aWorld({ entities: ['products', ...contentPhases] })
    const product = async (side: Side): Promise<{ id: number } & Record<string, unknown>> =>
      (await world.state(side)).products?.find(({ sku }) => sku === 'SKU-00001') ?? { id: 0 }
    const shop = async (side: Side) => String((await world.state(side)).sites?.[0]?.url)
    const { id, custom_url } = await product('source')
    const path = (custom_url as { url: string }).url
    const html = (address: string, productId: number, to = path) =>
      `<a href="${address}/cart.php?product_id=${productId}">buy</a><img src="${address}/content/a.jpg"><a href="${to}">see</a>`
    const [widget] = widgetsOf(await pageOf(world, 'source', home))
    const children = [{ ...widget, configuration: { html: html(await shop('source'), id) } }]
    // Nothing else of the source names anything.
    for (const table of ['page_contexts', 'global_contexts', 'custom_template_associations'])
      for (const row of (await world.state('source'))[table] ?? [])
        await world.change('source', { op: 'remove', table, id: row.id })
    const regions = [{ name: 'cart_below_totals', children }]
    await putPage(world, 'source', { channel_id: 1, template_file: 'pages/cart', regions })
    const onCart = async () => widgetsOf(await pageOf(world, 'destination', cart))[0]?.configuration

    const run = await world.complete()
    const there = [await shop('destination'), (await product('destination')).id] as const
    expect(await onCart()).toEqual({ html: html(...there) })
    const reported = (await world.issues(run.requestId)).filter(({ code }) => code === 'links_rewritten')
    expect(reported.map(({ component, message }) => [component, message])).toEqual([
      ['page-widgets', expect.stringContaining('3 addresses and ids')],
    ])
    expect(await findings(world)).toEqual([])
    await world.resetRequests('destination')
    await world.complete({ entities: contentPhases, conflictStrategy: 'update' })
    expect(await writesTo(world)).toEqual([])

    const moved = { custom_url: { url: '/elsewhere/' } }
    await callStore(world, 'destination', 'PUT', `/v3/catalog/products/${there[1]}`, moved)
    await world.complete()
    expect(await onCart()).toEqual({ html: html(...there, '/elsewhere/') })
  },
)

longTest(
  'C4: a widget without its template is left out and reported, and copied once the template exists',
  async () => {
    const world = await aWorld({ entities: contentPhases })
    await world.complete({ entities: namedOnPages })
    const alone = await world.complete({ entities: ['page-widgets'] })
    const names = async () => widgetsOf(await pageOf(world, 'destination', home)).map(({ name }) => name)
    expect(await names()).not.toContain('Countdown')
    const reported = (await world.issues(alone.requestId)).filter(({ code }) => code === 'reference_left_out')
    expect(reported.map(({ item }) => item.path)).toContain('pages/home')
    await world.complete()
    expect(await names()).toContain('Countdown')
    expect(await findings(world)).toEqual([])
  },
)

longTest('a page whose template the destination’s theme does not have is reported and left out', async () => {
  const { world } = await aWorldWithPages()
  const state = await world.state('destination')
  const landing = state.theme_custom_templates?.find(({ file_name }) => file_name === 'landing.html')
  await world.change('destination', { op: 'remove', table: 'theme_custom_templates', id: landing?.id ?? 0 })
  const page = state.page_contexts?.find(({ template_file }) => String(template_file).includes('custom'))
  await world.change('destination', { op: 'remove', table: 'page_contexts', id: page?.id ?? 0 })
  await world.resetRequests('destination')
  const again = await world.complete()
  expect(await writesTo(world)).toEqual([])
  const reported = (await world.findings(again.requestId)).filter(({ component }) => component === 'page-widgets')
  expect(reported.map(({ code, item }) => [code, item.path])).toEqual([['not_copied', page?.template_file]])
})

test.each(
  isLong ? [404, 422] : [422],
)('G13: content that the source answers with %i is left as it is with a warning that names it, in a copy, under `replace` and in a comparison', async (status) => {
  const { world, first } = await aWorldWithPages()
  const before = await pageOf(world, 'destination', home)
  for (const query of ['template_file=pages(/|%2F)home', '^channel_id=1$']) {
    const refusal = { kind: 'error_before_applying', status, times: null } as const
    await world.fault('source', { ...refusal, method: 'GET', path: '^/v3/content/page-widgets$', query })
  }
  const warned = async (id: string) => {
    const issues = (await world.findings(id)).filter(({ component }) => component.endsWith('-widgets'))
    for (const { message } of issues)
      expect(message).toContain(
        `its content was left out, because its store answered GET /v3/content/page-widgets with HTTP ${status}.`,
      )
    return issues.map(({ component, severity, code, item }) => [component, severity, code, item.name])
  }
  const expected = [
    ['global-widgets', 'warning', 'not_copied', 'all pages'],
    ['page-widgets', 'warning', 'not_copied', 'pages/home'],
  ]
  const copy = await world.complete({ conflictStrategy: 'update' })
  expect((await warned(copy.requestId)).sort()).toEqual(expected)
  expect(await counted(world, copy.requestId)).toMatchObject({
    'page-widgets': { skipped: 1 },
    'global-widgets': { skipped: 1 },
  })
  const { detail } = await world.verify(first.requestId)
  expect((await warned(detail.requestId)).sort()).toEqual(expected)

  // Nothing says any more that they are copies.
  await sql`delete from mappings where ${mappingsWhere(sql`organisation_id = ${world.organisationId} and component like '%-widgets'`)}`.execute(
    world.database,
  )
  await world.resetRequests('destination')
  const replace = await world.complete(generous)
  expect((await warned(replace.requestId)).sort()).toEqual(expected)
  expect(await writesTo(world)).toEqual([])
  expect(await pageOf(world, 'destination', home)).toEqual(before)
})

longTest(
  'G13: content that the destination does not show is neither compared nor overwritten, and a warning names page, endpoint and status',
  async () => {
    const { world, first } = await aWorldWithPages()
    const before = await pageOf(world, 'destination', home)
    const at = { method: 'GET', path: '^/v3/content/page-widgets$', query: 'template_file=pages(/|%2F)home' }
    await world.fault('destination', { kind: 'error_before_applying', status: 422, times: null, ...at })
    const warned = async (id: string) =>
      (await world.findings(id))
        .filter(({ component }) => component === 'page-widgets')
        .map(({ severity, code, item, message }) => [severity, code, item.name, message.split(': ').at(-1)])
    const answer = 'the destination answered GET /v3/content/page-widgets with HTTP 422.'
    const left = `it was not compared and was left as it is, because ${answer}`
    const expected = [['warning', 'not_copied', 'pages/home', left]]
    await world.resetRequests('destination')
    expect(await warned((await world.complete({ conflictStrategy: 'update' })).requestId)).toEqual(expected)
    const { detail, differences } = await world.verify(first.requestId)
    expect(await warned(detail.requestId)).toEqual(expected)
    expect(differences).toEqual([])

    // Nothing says any more that they are copies.
    await sql`delete from mappings where ${mappingsWhere(sql`organisation_id = ${world.organisationId} and component = 'page-widgets'`)}`.execute(
      world.database,
    )
    expect(await warned((await world.complete(generous)).requestId)).toEqual(expected)
    expect(await writesTo(world)).toEqual([])
    await world.clearFaults('destination')
    expect(await pageOf(world, 'destination', home)).toEqual(before)
  },
)

longTest(
  'D3: pages of one pair of storefronts are copied and cleared without affecting those of another pair',
  async () => {
    const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' }, entities })
    await addStorefront(world)
    const outlet = await outletOf(world, 'destination')
    const pair = await outletPair(world)
    const contextsOf = async (channel: number) => {
      const { page_contexts = [], global_contexts = [], widget_templates = [] } = await world.state('destination')
      return [...page_contexts, ...global_contexts, ...widget_templates].filter(
        ({ channel_id }) => channel_id === channel,
      )
    }
    expect(await world.complete(pair)).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await contextsOf(1)).toEqual([])
    const moved = await contextsOf(outlet)
    expect(moved.map(({ template_file, name }) => template_file ?? name)).toEqual(['pages/home', '', 'Countdown'])
    expect(await world.complete(firstPair)).toMatchObject({ status: 'completed', failuresOpen: 0 })
    const ofFirst = await contextsOf(1)
    expect(ofFirst.length).toBeGreaterThan(5)
    expect(await contextsOf(outlet)).toEqual(moved)

    const [text] = widgetsOf(await pageOf(world, 'destination', home))
    const widget = { ...text, widget_template_uuid: text?.widget_template_uuid }
    const regions = [{ name: 'cart_below_totals', children: [widget] }]
    for (const channel_id of [1, outlet])
      await putPage(world, 'destination', { channel_id, template_file: 'pages/cart', regions })
    const replaced = await world.complete({ entities: contentPhases, ...pair, ...generous })
    expect((await counted(world, replaced.requestId))['page-widgets']?.pruned).toBe(1)
    const files = (rows: Record<string, unknown>[]) => rows.map(({ template_file }) => template_file)
    expect(files(await contextsOf(1)).sort()).toEqual([...files(ofFirst), 'pages/cart'].sort())
    expect(files(await contextsOf(outlet))).not.toContain('pages/cart')
  },
)

test('G16: a widget template is copied without what only the platform sets, and compared without it', async () => {
  const world = await aWorld({ entities: ['widget-templates'] })
  const { widget_templates = [] } = await world.state('source')
  const fields = { template_engine: 'handlebars_v4', client_rerender: true }
  for (const { id, kind } of widget_templates)
    if (kind === 'custom') await world.change('source', { op: 'set', table: 'widget_templates', id, fields })
  await world.complete()
  await world.resetRequests('destination')
  const run = await world.complete({ conflictStrategy: 'update' })
  expect(await writesTo(world)).toEqual([])
  expect((await world.verify(run.requestId)).differences).toEqual([])
})

test('C1: skip leaves a page that was edited at the destination before its products were copied, and reports what it lacks', async () => {
  const world = await aWorld({ entities: contentPhases })
  const lacking = namedOnPages.filter((key) => key !== 'products')
  await world.complete({ entities: [...lacking, ...contentPhases] })
  const edited = (await pageOf(world, 'destination', home)).slice(0, 1)
  await putPage(world, 'destination', { channel_id: 1, template_file: 'pages/home', regions: edited })
  const run = await world.complete({ entities })
  expect(await pageOf(world, 'destination', home)).toEqual(edited)
  const reported = (await world.issues(run.requestId)).filter(({ code }) => code === 'destination_changed')
  expect(reported.map(({ component, item }) => [component, item.path])).toEqual([['page-widgets', 'pages/home']])
})

test('widgets whose placements are switched off in the source are not published without a word, nor pages that have no others', async () => {
  const world = await aWorld({ entities: contentPhases })
  const placements = '/v3/content/placements'
  const [region] = await pageOf(world, 'source', home)
  await putPage(world, 'source', {
    channel_id: 1,
    template_file: 'pages/cart',
    regions: [{ ...region, name: 'cart_below_totals' }],
  })
  const all = await callStore<{ uuid: string; template_file: string }[]>(
    world,
    'source',
    'GET',
    `${placements}?limit=250`,
  )
  const ofFile = (file: string) => all.filter(({ template_file }) => template_file === file)
  const [first] = ofFile('pages/home')
  const off = [...ofFile('pages/cart'), ...(first ? [first] : [])]
  expect(off.length).toBeGreaterThan(1)
  expect(ofFile('pages/home').length).toBeGreaterThan(1)
  for (const { uuid, template_file } of off)
    await callStore(world, 'source', 'PUT', `${placements}/${uuid}`, {
      template_file,
      channel_id: 1,
      status: 'inactive',
    })
  const run = await world.complete({ entities })
  expect(await pageOf(world, 'destination', cart).then(widgetsOf)).toEqual([])
  const reported = (await world.findings(run.requestId)).filter(({ component }) => component === 'page-widgets')
  expect(reported.map(({ code, item }) => [code, item.name]).sort()).toEqual([
    ['not_copied', 'pages/cart'],
    ['not_copied', 'pages/home'],
  ])
})
