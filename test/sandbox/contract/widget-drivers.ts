import { NOBODY, type Shop } from './contract-shop.ts'
import type { Driver } from './driver.ts'

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
  {
    operation: `GET ${TEMPLATES}`,
    succeeds: [{ query: 'widget_template_kind=text' }, {}],
    fails: [{ query: 'page=many' }],
  },
  {
    operation: `POST ${TEMPLATES}`,
    succeeds: [{ body: { name: 'Clock', template: '<b>{{time}}</b>', schema: [], channel_id: 1 } }],
    fails: [{ body: { name: 'Clock' } }, { body: { name: 'Clock', template: '', channel_id: NOBODY } }],
  },
  {
    operation: `GET ${TEMPLATES}/:uuid`,
    succeeds: [async (shop) => ({ ids: [await aTemplate(shop)] })],
    fails: [{ ids: [NONE] }],
  },
  {
    operation: `PUT ${TEMPLATES}/:uuid`,
    succeeds: [async (shop) => ({ ids: [await aTemplate(shop)], body: { name: 'Watch', create_new_version: true } })],
    fails: [{ ids: [NONE], body: { name: 'Watch' } }],
  },
  {
    operation: `DELETE ${TEMPLATES}/:uuid`,
    succeeds: [async (shop) => ({ ids: [await aTemplate(shop)] })],
    fails: [{ ids: [NONE] }],
  },
  { operation: `GET ${WIDGETS}`, succeeds: [{}, { query: 'name=Text' }], fails: [{ query: 'channel_id:in=one' }] },
  {
    operation: `POST ${WIDGETS}`,
    succeeds: [
      async (shop) => {
        const own = { name: 'Clock', widget_template_uuid: await aTemplate(shop) }
        return { body: { ...own, description: 'tells the time', widget_configuration: { time: 12 }, channel_id: 1 } }
      },
    ],
    fails: [{ body: { name: 'Clock', widget_template_uuid: NONE } }],
  },
  {
    operation: `GET ${WIDGETS}/:uuid`,
    succeeds: [async (shop) => ({ ids: [await aWidget(shop)] })],
    fails: [{ ids: [NONE] }],
  },
  {
    operation: `PUT ${WIDGETS}/:uuid`,
    succeeds: [async (shop) => ({ ids: [await aWidget(shop)], body: { widget_configuration: { time: 9 } } })],
    fails: [{ ids: [NONE], body: { name: 'Watch' } }],
  },
  {
    operation: `DELETE ${WIDGETS}/:uuid`,
    succeeds: [async (shop) => ({ ids: [await aWidget(shop)] })],
    fails: [{ ids: [NONE] }],
  },
  {
    operation: `GET ${PLACEMENTS}`,
    succeeds: [{ query: 'template_file=pages/home' }],
    fails: [{ query: 'site_id:in=one' }],
  },
  {
    operation: `POST ${PLACEMENTS}`,
    succeeds: [async (shop) => ({ body: { ...onPage(await aWidget(shop)), sort_order: 1, status: 'active' } })],
    fails: [{ body: onPage(NONE) }],
  },
  {
    operation: `GET ${PLACEMENTS}/:uuid`,
    succeeds: [async (shop) => ({ ids: [await aPlacement(shop)] })],
    fails: [{ ids: [NONE] }],
  },
  {
    operation: `PUT ${PLACEMENTS}/:uuid`,
    succeeds: [
      async (shop) => ({ ids: [await aPlacement(shop)], body: { status: 'active', template_file: 'pages/home' } }),
    ],
    fails: [{ ids: [NONE], body: { status: 'active' } }],
  },
  {
    operation: `DELETE ${PLACEMENTS}/:uuid`,
    succeeds: [async (shop) => ({ ids: [await aPlacement(shop)] })],
    fails: [{ ids: [NONE] }],
  },
  {
    operation: `GET ${REGIONS}`,
    succeeds: [{ query: 'template_file=pages/home' }],
    fails: [{ query: 'template_file=pages/none' }, {}],
  },
  {
    operation: `GET ${PAGES}`,
    succeeds: [{ query: 'channel_id=1&template_file=pages/home' }, {}],
    fails: [{ query: `channel_id=${NOBODY}` }, { query: 'template_file=pages/home&entity_id=1' }],
  },
  {
    operation: `POST ${PAGES}`,
    succeeds: [async (shop) => ({ body: await aPage(shop) })],
    fails: [{ body: {} }, async (shop) => ({ body: { ...(await aPage(shop)), channel_id: NOBODY } })],
  },
  {
    operation: `GET ${FILES}/:versionUuid`,
    succeeds: [async (shop) => ({ ids: [await theVersion(shop)] })],
    fails: [],
  },
  { operation: `GET ${ASSOCIATIONS}`, succeeds: [{ query: 'is_valid=true' }], fails: [] },
  {
    operation: `PUT ${ASSOCIATIONS}`,
    succeeds: [async (shop) => ({ body: [await anAssociation(shop)] })],
    fails: [{ body: [] }, async (shop) => ({ body: [{ ...(await anAssociation(shop)), entity_id: NOBODY }] })],
  },
  { operation: `DELETE ${ASSOCIATIONS}`, succeeds: [{ query: 'channel_id=1' }], fails: [] },
]
