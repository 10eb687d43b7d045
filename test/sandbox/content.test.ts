import { expect, test } from 'vitest'
import { customTemplateTable } from '../../sandbox/resources/themes/theme-files.ts'
import { startSandbox } from '../../sandbox/start.ts'
import { aProductWorld } from './product-world.ts'

const TEMPLATES = '/v3/content/widget-templates'
const PAGES = '/v3/content/page-widgets'
const PLACEMENTS = '/v3/content/placements'
const ASSOCIATIONS = '/v3/storefront/custom-template-associations'
const HOME = 'pages/home'

const widget = (widget_template_uuid: string, name = 'Clock') => ({
  type: 'widget',
  widget_template_uuid,
  configuration: { name },
  storefront_api_query_params: {},
  name,
  description: '',
})

/** A store with a template of its own. */
async function aContentWorld(options: Parameters<typeof aProductWorld>[0] = {}) {
  const world = await aProductWorld(options)
  const { uuid } = (await world.call('POST', TEMPLATES, { name: 'Clock', template: '<b></b>' })).body.data
  const page = (regions: unknown, more: object = {}) =>
    world.call('POST', PAGES, { channel_id: 1, template_file: HOME, regions, ...more })
  const shown = async (query = `template_file=${HOME}`) =>
    (await world.get(`${PAGES}?channel_id=1&${query}`)).body.data.regions as { name: string; children: unknown[] }[]
  return { ...world, uuid, page, shown }
}

const filled = <Region extends { children: unknown[] }>(regions: Region[]) =>
  regions.filter(({ children }) => children.length > 0)

test('built-in widget templates have the same name and kind in every store, and UUIDs of their own', async () => {
  const sandbox = await startSandbox({ stores: ['One', 'Other'].map((name) => ({ name, seed: 'empty' as const })) })
  const [one, other] = ['One', 'Other'].map((name) => sandbox.store(name).table('widget_templates').find({}))
  await sandbox.close()
  expect(one?.length).toBeGreaterThan(4)
  expect(one?.map(({ name, kind }) => [name, kind])).toEqual(other?.map(({ name, kind }) => [name, kind]))
  expect(one?.some(({ uuid }) => other?.some((there) => there.uuid === uuid))).toBe(false)
})

test('a page is replaced as a whole: regions, layouts and widgets in their order', async () => {
  const { page, shown, uuid } = await aContentWorld()
  const layout = {
    type: 'layout',
    layout_template_uuid: 'of another store',
    configuration: { numberOfDropzones: 2 },
    name: 'Layout',
    dropzones: [{ configuration: { at: 0 }, widgets: [widget(uuid, 'In'), widget(uuid, 'Below')] }],
  }
  const regions = [
    { name: 'home_below_carousel', children: [widget(uuid, 'First'), layout, widget(uuid, 'Last')] },
    { name: 'home_below_menu', children: [] },
  ]
  expect((await page(regions)).status).toBe(204)
  const [only, ...others] = filled(await shown())
  expect(others).toEqual([])
  const { layout_template_uuid: _own, ...rest } = only?.children[1] as Record<string, unknown>
  const { layout_template_uuid: _sent, ...sent } = layout
  expect([only?.name, only?.children[0], rest, only?.children[2]]).toEqual([
    'home_below_carousel',
    widget(uuid, 'First'),
    sent,
    widget(uuid, 'Last'),
  ])
  await page([{ name: 'home_below_menu', children: [widget(uuid, 'Only')] }])
  expect(filled(await shown()).map(({ name }) => name)).toEqual(['home_below_menu'])
  await page([])
  expect(filled(await shown())).toEqual([])
})

test('without a file and an item, content is shown on all pages of the channel', async () => {
  const { page, shown, uuid } = await aContentWorld()
  const regions = [{ name: 'header_bottom--global', children: [widget(uuid)] }]
  expect((await page(regions, { template_file: undefined })).status).toBe(204)
  expect(filled(await shown('')).map(({ name }) => name)).toEqual(['header_bottom--global'])
  expect(filled(await shown())).toEqual([])
})

test('a page holds 150 widgets and 150 layouts, and one more of either is refused', async () => {
  const { page, uuid } = await aContentWorld()
  const region = (children: object[]) => [{ name: 'home_below_menu', children }]
  const widgets = (many: number) => Array.from({ length: many }, () => widget(uuid))
  const layouts = (many: number) =>
    Array.from({ length: many }, () => ({ type: 'layout', configuration: {}, name: '', dropzones: [] }))
  expect((await page(region([...widgets(150), ...layouts(150)]))).status).toBe(204)
  expect((await page(region(widgets(151)))).status).toBe(422)
  expect((await page(region(layouts(151)))).status).toBe(422)
})

test('a widget of an unknown template refuses the page, or is left out if the switch says so', async () => {
  const unknown = widget('00000000-0000-4000-8000-000000000000')
  const regions = (uuid: string) => [{ name: 'home_below_menu', children: [unknown, widget(uuid)] }]
  const strict = await aContentWorld()
  expect((await strict.page(regions(strict.uuid))).status).toBe(422)
  expect(filled(await strict.shown())).toEqual([])
  const lenient = await aContentWorld({ switches: { unknown_widget_template: 'leave_out' } })
  expect((await lenient.page(regions(lenient.uuid))).status).toBe(204)
  expect(filled(await lenient.shown())[0]?.children).toHaveLength(1)
})

test.each([
  ['a file that the theme does not have', { template_file: 'pages/none' }],
  ['an item of the home page', { entity_id: '1' }],
  ['an item that does not exist', { template_file: 'pages/brand', entity_id: '99999999' }],
  ['a page that does not exist', { template_file: 'pages/page', entity_id: '99999999' }],
  ['an item of no file', { template_file: undefined, entity_id: '1' }],
  ['an item as a number', { template_file: 'pages/brand', entity_id: 1 }],
  ['a channel that does not exist', { channel_id: 99_999_999 }],
])('%s is refused', async (_what, place) => {
  const { page, uuid } = await aContentWorld()
  expect((await page([{ name: 'any', children: [widget(uuid)] }], place)).status).toBe(422)
})

test('content of a page is also listed as a widget and a placement until it is deleted', async () => {
  const { call, get, page, shown, uuid } = await aContentWorld()
  await page([{ name: 'home_below_menu', children: [widget(uuid, 'One'), widget(uuid, 'Two')] }])
  const placed = (await get(`${PLACEMENTS}?template_file=${HOME}`)).body.data
  expect(placed.map((one: { sort_order: number; region: string }) => [one.region, one.sort_order])).toEqual([
    ['home_below_menu', 0],
    ['home_below_menu', 1],
  ])
  const [one, two] = placed
  await call('PUT', `/v3/content/widgets/${one.widget.uuid}`, { widget_configuration: { changed: true } })
  await call('DELETE', `${PLACEMENTS}/${two.uuid}`)
  expect(filled(await shown())[0]?.children).toEqual([{ ...widget(uuid, 'One'), configuration: { changed: true } }])
})

test('a new placement is inactive by default and keeps its position', async () => {
  const { call, get, uuid } = await aContentWorld()
  const loose = (await call('POST', '/v3/content/widgets', { name: 'Clock', widget_template_uuid: uuid })).body.data
  expect((await get(PLACEMENTS)).body.data).toEqual([])
  const at = { widget_uuid: loose.uuid, template_file: 'pages/cart', region: 'cart_below_totals' }
  const placed = (await call('POST', PLACEMENTS, at)).body.data
  expect(placed).toMatchObject({ status: 'inactive', template_file: 'pages/cart', region: 'cart_below_totals' })
  expect((await get(PLACEMENTS)).body.data).toHaveLength(1)
})

test('a template in use cannot be deleted, and those of the platform can neither be changed nor deleted', async () => {
  const { call, get, page, uuid } = await aContentWorld()
  await page([{ name: 'home_below_menu', children: [widget(uuid)] }])
  expect((await call('DELETE', `${TEMPLATES}/${uuid}`)).status).toBe(422)
  await page([])
  expect((await call('DELETE', `${TEMPLATES}/${uuid}`)).status).toBe(204)
  const [own] = (await get(`${TEMPLATES}?widget_template_kind=text`)).body.data
  expect((await call('DELETE', `${TEMPLATES}/${own.uuid}`)).status).toBe(422)
  expect((await call('PUT', `${TEMPLATES}/${own.uuid}`, { name: 'Other' })).status).toBe(422)
})

test('an association is replaced by another for the same item, and checked against the active theme', async () => {
  const { aBrand, call, get, store } = await aContentWorld()
  const row = { channel_id: 1, entity_type: 'brand', entity_id: aBrand('Acme') }
  await call('PUT', ASSOCIATIONS, [{ ...row, file_name: 'gone.html' }])
  expect((await get(`${ASSOCIATIONS}?is_valid=false`)).body.data).toHaveLength(1)
  expect((await call('PUT', ASSOCIATIONS, [{ ...row, file_name: 'custom-brand-1.html' }])).status).toBe(200)
  expect((await get(ASSOCIATIONS)).body.data).toMatchObject([{ ...row, is_valid: true }])
  for (const { id } of customTemplateTable(store).find({ entity_type: 'brand' })) customTemplateTable(store).delete(id)
  expect((await get(ASSOCIATIONS)).body.data).toMatchObject([{ is_valid: false }])
})

test('associations are written 100 at a time, all or none, and deleted by filter only', async () => {
  const { aBrand, call, get } = await aContentWorld()
  const row = { channel_id: 1, entity_type: 'brand', entity_id: aBrand('Acme'), file_name: 'custom-brand-1.html' }
  const many = Array.from({ length: 101 }, (_none, at) => ({ ...row, entity_id: aBrand(`Brand ${at}`) }))
  const third = many[2]?.entity_id
  expect((await call('PUT', ASSOCIATIONS, many)).status).toBe(422)
  expect((await call('PUT', ASSOCIATIONS, [])).status).toBe(422)
  expect((await call('PUT', ASSOCIATIONS, [row, { ...row, entity_id: 99_999_999 }])).status).toBe(422)
  expect((await get(ASSOCIATIONS)).body.data).toEqual([])
  expect((await call('PUT', ASSOCIATIONS, many.slice(1))).status).toBe(200)
  expect((await call('DELETE', ASSOCIATIONS)).status).toBe(422)
  expect((await call('DELETE', `${ASSOCIATIONS}?entity_id:in=${third}`)).status).toBe(422)
  expect((await call('DELETE', `${ASSOCIATIONS}?type=brand&entity_id:in=${third}`)).status).toBe(204)
  expect((await get(`${ASSOCIATIONS}?type=brand`)).body.meta.pagination.total).toBe(99)
})

test('regions are those of the file in the theme, and an unknown file is not found', async () => {
  const { get } = await aContentWorld()
  const { data } = (await get(`/v3/content/regions?template_file=${HOME}`)).body
  expect(data).toContainEqual({ name: 'home_below_menu' })
  expect((await get('/v3/content/regions?template_file=pages/custom/brand/custom-brand-1')).status).toBe(200)
  expect((await get('/v3/content/regions?template_file=pages/custom/brand/none')).status).toBe(404)
})
