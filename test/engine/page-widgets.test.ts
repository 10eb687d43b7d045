import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { until } from '../harness/until.ts'
import { startWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { contentPhases, namedOnPages, outlineOf, pageOf, putPage, widgetsOf, writesTo } from './content.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'

const home = 'channel_id=1&template_file=pages/home'
const cart = 'channel_id=1&template_file=pages/cart'
const generous = { pruneLimitPercent: 100, pruneLimitItems: 1000 }
let world: World

const findings = async () => {
  const all = compareStores(await world.state('source'), await world.state('destination'))
  return all.filter(({ entity }) => [...contentPhases, 'global-widgets'].includes(entity))
}
const componentOf = (detail: MigrationDetail, key: string) =>
  detail.phases.flatMap(({ components }) => components).find((component) => component.key === key)

describe('pages of a whole store', () => {
  let first: MigrationDetail
  beforeAll(async () => {
    world = await startWorld()
    await world.complete({ entities: namedOnPages })
    first = await world.complete({ entities: contentPhases })
  })
  afterAll(() => world?.stop())

  test('stand at the destination region by region and in their order, under its templates and its ids', async () => {
    expect(first).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await findings()).toEqual([])
    const [ours, theirs] = [await pageOf(world, 'source', home), await pageOf(world, 'destination', home)]
    expect(outlineOf(theirs)).toEqual(outlineOf(ours))
    const uuids = widgetsOf(ours).map((widget) => widget.widget_template_uuid)
    expect(widgetsOf(theirs).some((widget) => uuids.includes(widget.widget_template_uuid))).toBe(false)
    await expectCountersToEqualTheLedger(world, first.requestId)
  })

  test('are counted with the widgets that landed, and no other component tells of widgets', async () => {
    const { page_contexts = [], global_contexts = [] } = await world.state('destination')
    const landed = (rows: object[]) => (JSON.stringify(rows).match(/"type":"widget"/g) ?? []).length
    expect(componentOf(first, 'page-widgets')?.widgets).toBe(landed(page_contexts))
    expect(componentOf(first, 'global-widgets')?.widgets).toBe(landed(global_contexts))
    expect(landed(page_contexts)).toBeGreaterThan(5)
    expect(componentOf(first, 'widget-templates')).not.toHaveProperty('widgets')
  })

  test('a second run finds them as they are and writes nothing', async () => {
    await world.resetRequests('destination')
    const second = await world.complete({ entities: contentPhases })
    expect(await writesTo(world)).toEqual([])
    const { discovered, matched } = componentOf(second, 'page-widgets') ?? {}
    expect(matched).toBe(discovered)
    expect(componentOf(second, 'page-widgets')?.widgets).toBe(componentOf(first, 'page-widgets')?.widgets)
  })

  test('D6: one that was edited there is left alone by skip; update puts it right and keeps what stood there', async () => {
    const edited = (await pageOf(world, 'destination', home)).slice(0, 1)
    await putPage(world, 'destination', { channel_id: 1, template_file: 'pages/home', regions: edited })
    const { differences } = await world.verify(first.requestId)
    expect(differences.map(({ component, fields }) => [component, fields.map(({ path }) => path)])).toEqual([
      ['page-widgets', ['regions']],
    ])
    await world.complete({ entities: contentPhases })
    expect((await findings()).length).toBe(1)
    await world.resetRequests('destination')
    const update = await world.complete({ entities: contentPhases, conflictStrategy: 'update' })
    expect(await writesTo(world)).toEqual(['POST /v3/content/page-widgets'])
    expect(await findings()).toEqual([])
    const { rows } = await sql<{ body: { regions: { name: string }[] } }>`
      select body from before_images where run_id = ${update.requestId}`.execute(world.database)
    expect(rows.map(({ body }) => body.regions.map(({ name }) => name))).toEqual([edited.map(({ name }) => name)])
  })

  test('D4: replace clears a page that only the destination has', async () => {
    const [widget] = widgetsOf(await pageOf(world, 'destination', home))
    const regions = [{ name: 'cart_below_totals', children: [widget] }]
    await putPage(world, 'destination', { channel_id: 1, template_file: 'pages/cart', regions })
    const replace = await world.complete({ entities: contentPhases, conflictStrategy: 'replace', ...generous })
    expect((await counted(world, replace.requestId))['page-widgets']).toMatchObject({ pruned: 1 })
    expect(await pageOf(world, 'destination', cart)).toEqual([])
    expect(await findings()).toEqual([])
  })

  test('links and pictures in the HTML of widgets lead to the destination, and follow a page that moves there', async () => {
    const product = async (side: Side): Promise<{ id: number } & Record<string, unknown>> =>
      (await world.state(side)).products?.find(({ sku }) => sku === 'SKU-00001') ?? { id: 0 }
    const shop = async (side: Side) => String((await world.state(side)).sites?.[0]?.url)
    const { id, custom_url } = await product('source')
    const path = (custom_url as { url: string }).url
    const html = (address: string, productId: number, to = path) =>
      `<a href="${address}/cart.php?product_id=${productId}">buy</a><img src="${address}/content/a.jpg"><a href="${to}">see</a>`
    const [widget] = widgetsOf(await pageOf(world, 'source', home))
    const children = [{ ...widget, configuration: { html: html(await shop('source'), id) } }]
    const regions = [{ name: 'cart_below_totals', children }]
    await putPage(world, 'source', { channel_id: 1, template_file: 'pages/cart', regions })
    const onCart = async () => widgetsOf(await pageOf(world, 'destination', cart))[0]?.configuration

    const run = await world.complete({ entities: contentPhases })
    const there = [await shop('destination'), (await product('destination')).id] as const
    expect(await onCart()).toEqual({ html: html(...there) })
    const told = (await world.issues(run.requestId)).filter(({ code }) => code === 'links_rewritten')
    expect(told.map(({ component, message }) => [component, message])).toEqual([
      ['page-widgets', expect.stringContaining('3 addresses and ids')],
    ])
    expect(await findings()).toEqual([])
    await world.resetRequests('destination')
    await world.complete({ entities: contentPhases, conflictStrategy: 'update' })
    expect(await writesTo(world)).toEqual([])

    const moved = { custom_url: { url: '/elsewhere/' } }
    await callStore(world, 'destination', 'PUT', `/v3/catalog/products/${there[1]}`, moved)
    await world.complete({ entities: ['products', ...contentPhases] })
    expect(await onCart()).toEqual({ html: html(...there, '/elsewhere/') })
  })
})

describe('pages whose widgets name what is not there', () => {
  beforeAll(async () => {
    world = await startWorld()
    await world.complete({ entities: namedOnPages })
  })
  afterAll(() => world?.stop())

  test('C4: a widget without its template is left out and told, and comes as soon as the template is there', async () => {
    const alone = await world.complete({ entities: ['page-widgets'] })
    const names = async () => widgetsOf(await pageOf(world, 'destination', home)).map(({ name }) => name)
    expect(await names()).not.toContain('Countdown')
    const told = (await world.issues(alone.requestId)).filter(({ code }) => code === 'reference_left_out')
    expect(told.map(({ item }) => item.path)).toContain('pages/home')
    await world.complete({ entities: contentPhases })
    expect(await names()).toContain('Countdown')
    expect(await findings()).toEqual([])
  })

  test('a page of a template that the theme of the destination does not have is told and left', async () => {
    const files = (await world.state('destination')).theme_custom_templates ?? []
    const landing = files.find(({ file_name }) => file_name === 'landing.html')
    await world.change('destination', { op: 'remove', table: 'theme_custom_templates', id: landing?.id ?? 0 })
    const page = (await world.state('destination')).page_contexts?.find(({ template_file }) =>
      String(template_file).includes('custom'),
    )
    await world.change('destination', { op: 'remove', table: 'page_contexts', id: page?.id ?? 0 })
    await world.resetRequests('destination')
    const again = await world.complete({ entities: contentPhases })
    expect(await writesTo(world)).toEqual([])
    const told = (await world.findings(again.requestId)).filter(({ component }) => component === 'page-widgets')
    expect(told.map(({ code, item }) => [code, item.path])).toEqual([['not_copied', page?.template_file]])
  })
})

describe('D3: pages of two storefronts', () => {
  let outlets: Record<'source' | 'destination', number>
  beforeAll(async () => {
    world = await startWorld({ seeds: { source: 'tiny-two-storefronts' } })
    await callStore(world, 'destination', 'POST', '/v3/channels', {
      ...{ name: 'Outlet', type: 'storefront', platform: 'bigcommerce', status: 'active' },
    })
    const outletOf = async (side: Side) =>
      (await world.state(side)).channels?.find(({ name }) => name === 'Outlet')?.id ?? 0
    outlets = { source: await outletOf('source'), destination: await outletOf('destination') }
  })
  afterAll(() => world?.stop())

  const contextsOf = async (channel: number) => {
    const { page_contexts = [], global_contexts = [], widget_templates = [] } = await world.state('destination')
    return [...page_contexts, ...global_contexts, ...widget_templates].filter(
      ({ channel_id }) => channel_id === channel,
    )
  }

  test('only the chosen pair is moved, then the other one without disturbing the first', async () => {
    const entities = ['categories', 'brands', 'products', 'pages', ...contentPhases]
    const pair = { sourceStorefront: String(outlets.source), destStorefront: String(outlets.destination) }
    // The service may have listed the storefronts before this one came.
    const id = await until('the service knows the new storefront', async () => {
      const asked = { source: 'source', destination: 'destination', entities, ...pair }
      const { status, body } = await world.api<{ requestId: string }>('POST', '/v2/migrations', asked)
      return status === 202 && body.requestId
    })
    const one = await world.finished(id)
    expect(one).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await contextsOf(1)).toEqual([])
    const moved = await contextsOf(outlets.destination)
    expect(moved.map(({ template_file, name }) => template_file ?? name)).toEqual(['pages/home', '', 'Countdown'])
    const other = await world.complete({ entities, sourceStorefront: '1', destStorefront: '1' })
    expect(other).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect((await contextsOf(1)).length).toBeGreaterThan(5)
    expect(await contextsOf(outlets.destination)).toEqual(moved)
  })

  test('replace over one pair clears nothing of the other', async () => {
    const before = await contextsOf(1)
    const [text] = widgetsOf(await pageOf(world, 'destination', home))
    const regions = [
      { name: 'cart_below_totals', children: [{ ...text, widget_template_uuid: text?.widget_template_uuid }] },
    ]
    for (const channel_id of [1, outlets.destination])
      await putPage(world, 'destination', { channel_id, template_file: 'pages/cart', regions })
    const pair = { sourceStorefront: String(outlets.source), destStorefront: String(outlets.destination) }
    const settings = { entities: contentPhases, conflictStrategy: 'replace', ...pair, ...generous }
    const replaced = await world.complete(settings)
    expect((await counted(world, replaced.requestId))['page-widgets']?.pruned).toBe(1)
    const files = (rows: Record<string, unknown>[]) => rows.map(({ template_file }) => template_file)
    expect(files(await contextsOf(1)).sort()).toEqual([...files(before), 'pages/cart'].sort())
    expect(files(await contextsOf(outlets.destination))).not.toContain('pages/cart')
  })
})
