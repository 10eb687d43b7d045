import { NO_SUCH_ID, type Shop } from '../contract-shop.ts'
import { at, type Driver, drive } from '../driver.ts'

const TEMPLATES = '/v3/content/widget-templates'
const WIDGETS = '/v3/content/widgets'
const PLACEMENTS = '/v3/content/placements'
const PAGES = '/v3/content/page-widgets'
const REGIONS = '/v3/content/regions'
const FILES = '/v3/themes/custom-templates'
const ASSOCIATIONS = '/v3/storefront/custom-template-associations'
const NONE = '00000000-0000-4000-8000-000000000000'

const uuidOf = async (made: Promise<unknown>) => String(((await made) as { uuid: string }).uuid)
const aTemplate = ({ made }: Shop) => uuidOf(made('POST', TEMPLATES, { name: 'Clock', template: '<b>{{time}}</b>' }))

async function aWidget(shop: Shop): Promise<string> {
  return uuidOf(shop.made('POST', WIDGETS, { name: 'Clock', widget_template_uuid: await aTemplate(shop) }))
}

const onPage = (widget_uuid: string) => ({ widget_uuid, template_file: 'pages/cart', region: 'cart_below_totals' })

async function aPlacement(shop: Shop): Promise<string> {
  return uuidOf(shop.made('POST', PLACEMENTS, onPage(await aWidget(shop))))
}

async function aPage(shop: Shop) {
  const widget = {
    type: 'widget',
    widget_template_uuid: await aTemplate(shop),
    configuration: { time: 12 },
    name: 'Clock',
  }
  const layout = {
    type: 'layout',
    name: 'Layout',
    configuration: {},
    dropzones: [{ configuration: {}, widgets: [widget] }],
  }
  return {
    template_file: 'pages/home',
    channel_id: 1,
    regions: [{ name: 'home_below_menu', children: [widget, layout] }],
  }
}

async function anAssociation({ first }: Shop) {
  const { id: entity_id } = await first('/v3/catalog/brands')
  return { channel_id: 1, entity_type: 'brand', entity_id, file_name: 'custom-brand-1.html' }
}

async function theVersion({ made }: Shop): Promise<string> {
  const theme = await made('GET', '/v3/channels/1/active-theme')
  return String(theme.active_theme_version_uuid)
}

export const widgetDrivers: Driver[] = [
  drive(`GET ${TEMPLATES}`, [{ query: 'widget_template_kind=text' }, {}], { query: 'page=many' }),
  drive(`POST ${TEMPLATES}`, { body: { name: 'Clock', template: '<b>{{time}}</b>', schema: [], channel_id: 1 } }, [
    { body: { name: 'Clock' } },
    { body: { name: 'Clock', template: '', channel_id: NO_SUCH_ID } },
  ]),
  drive(`GET ${TEMPLATES}/:uuid`, at(aTemplate), { ids: [NONE] }),
  drive(`PUT ${TEMPLATES}/:uuid`, at(aTemplate, { body: { name: 'Watch', create_new_version: true } }), {
    ids: [NONE],
    body: { name: 'Watch' },
  }),
  drive(`DELETE ${TEMPLATES}/:uuid`, at(aTemplate), { ids: [NONE] }),
  drive(`GET ${WIDGETS}`, [{}, { query: 'name=Text' }], { query: 'channel_id:in=one' }),
  drive(
    `POST ${WIDGETS}`,
    async (shop) => {
      const own = { name: 'Clock', widget_template_uuid: await aTemplate(shop) }
      return { body: { ...own, description: 'tells the time', widget_configuration: { time: 12 }, channel_id: 1 } }
    },
    { body: { name: 'Clock', widget_template_uuid: NONE } },
  ),
  drive(`GET ${WIDGETS}/:uuid`, at(aWidget), { ids: [NONE] }),
  drive(`PUT ${WIDGETS}/:uuid`, at(aWidget, { body: { widget_configuration: { time: 9 } } }), {
    ids: [NONE],
    body: { name: 'Watch' },
  }),
  drive(`DELETE ${WIDGETS}/:uuid`, at(aWidget), { ids: [NONE] }),
  drive(`GET ${PLACEMENTS}`, { query: 'template_file=pages/home' }, { query: 'site_id:in=one' }),
  drive(
    `POST ${PLACEMENTS}`,
    async (shop) => ({ body: { ...onPage(await aWidget(shop)), sort_order: 1, status: 'active' } }),
    { body: onPage(NONE) },
  ),
  drive(`GET ${PLACEMENTS}/:uuid`, at(aPlacement), { ids: [NONE] }),
  drive(`PUT ${PLACEMENTS}/:uuid`, at(aPlacement, { body: { status: 'active', template_file: 'pages/home' } }), {
    ids: [NONE],
    body: { status: 'active' },
  }),
  drive(`DELETE ${PLACEMENTS}/:uuid`, at(aPlacement), { ids: [NONE] }),
  drive(`GET ${REGIONS}`, { query: 'template_file=pages/home' }, [{ query: 'template_file=pages/none' }, {}]),
  drive(
    `GET ${PAGES}`,
    [{ query: 'channel_id=1&template_file=pages/home' }, {}],
    [{ query: `channel_id=${NO_SUCH_ID}` }, { query: 'template_file=pages/home&entity_id=1' }],
  ),
  drive(`POST ${PAGES}`, async (shop) => ({ body: await aPage(shop) }), [
    { body: {} },
    async (shop) => ({ body: { ...(await aPage(shop)), channel_id: NO_SUCH_ID } }),
  ]),
  drive(`GET ${FILES}/:versionUuid`, at(theVersion), []),
  drive(`GET ${ASSOCIATIONS}`, { query: 'is_valid=true' }),
  drive(`PUT ${ASSOCIATIONS}`, async (shop) => ({ body: [await anAssociation(shop)] }), [
    { body: [] },
    async (shop) => ({ body: [{ ...(await anAssociation(shop)), entity_id: NO_SUCH_ID }] }),
  ]),
  drive(`DELETE ${ASSOCIATIONS}`, { query: 'channel_id=1' }),
]
