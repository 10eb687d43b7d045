import { makeCertificate } from '../../../../sandbox/server/certificate.ts'
import { NO_SUCH_ID, type Shop } from './contract-shop.ts'
import { at, type Driver, drive } from './driver.ts'
import { type PartKind, partDrivers } from './part-drivers.ts'

const SITES = '/v3/sites'
const SITE = `${SITES}/:siteId`
const OF_CHANNEL = '/v3/channels/:channelId/site'

const URL_FIELDS = { url: 'https://second.example' }

async function aChannel({ made }: Shop): Promise<number> {
  return (await made('POST', '/v3/channels', { name: 'Second', type: 'storefront', platform: 'custom' })).id
}

async function aSite(shop: Shop): Promise<{ siteId: number; channelId: number }> {
  const channelId = await aChannel(shop)
  return { channelId, siteId: (await shop.made('POST', SITES, { channel_id: channelId, ...URL_FIELDS })).id }
}

const siteDriversProper: Driver[] = [
  drive(`GET ${SITES}`, [{}, { query: 'url_type:in=primary' }], { query: 'channel_id:in=many' }),
  drive(
    `POST ${SITES}`,
    async (shop) => ({ body: { channel_id: await aChannel(shop), ...URL_FIELDS } }),
    async (shop) => ({ body: { channel_id: await aChannel(shop), url: 'no address' } }),
  ),
  drive(`GET ${SITE}`, async (shop) => ({ ids: [(await aSite(shop)).siteId] })),
  drive(
    `PUT ${SITE}`,
    async (shop) => ({ ids: [(await aSite(shop)).siteId], body: { url: 'https://third.example' } }),
    { ids: [NO_SUCH_ID], body: URL_FIELDS },
  ),
  drive(`DELETE ${SITE}`, async (shop) => ({ ids: [(await aSite(shop)).siteId] })),
  drive(`GET ${OF_CHANNEL}`, async (shop) => ({ ids: [(await aSite(shop)).channelId] })),
  drive(`POST ${OF_CHANNEL}`, at(aChannel, { body: URL_FIELDS }), { ids: [NO_SUCH_ID], body: URL_FIELDS }),
  drive(
    `PUT ${OF_CHANNEL}`,
    async (shop) => ({ ids: [(await aSite(shop)).channelId], body: { url: 'https://third.example' } }),
    { ids: [NO_SUCH_ID], body: URL_FIELDS },
  ),
  drive(`DELETE ${OF_CHANNEL}`, async (shop) => ({ ids: [(await aSite(shop)).channelId] })),
]

const ROUTE_FIELDS = { type: 'product', matching: '5', route: '/my-lamp' }

const ROUTE: PartKind = {
  ownerPath: SITE,
  owner: async (shop) => [(await aSite(shop)).siteId],
  folder: 'routes',
  parameter: 'routeId',
  part: () => ROUTE_FIELDS,
  change: { ...ROUTE_FIELDS, route: '/lamp' },
  bad: { type: 'product' },
  badChange: { ...ROUTE_FIELDS, type: 'lamp' },
}

const CHECKOUT = `${OF_CHANNEL}/checkout-url`

const checkoutDrivers: Driver[] = [
  drive(
    `PUT ${CHECKOUT}`,
    async (shop) => ({ ids: [(await aSite(shop)).channelId], body: { url: 'https://checkout.second.example' } }),
    async (shop) => ({ ids: [(await aSite(shop)).channelId], body: { url: 'https://checkout.example' } }),
  ),
  drive(`DELETE ${CHECKOUT}`, async (shop) => ({ ids: [(await aSite(shop)).channelId] })),
]

async function aCertificate() {
  const { certificate, privateKey } = await makeCertificate()
  return { certificate: { certificate, private_key: privateKey, intermediate_certificates: '' } }
}

async function aCertifiedSite(shop: Shop): Promise<number> {
  const { siteId } = await aSite(shop)
  await shop.call({ method: 'PUT', path: `${SITES}/${siteId}/certificate`, body: await aCertificate() })
  return siteId
}

const certificateDrivers: Driver[] = [
  drive(`GET ${SITE}/certificate`, [async (shop) => ({ ids: [(await aSite(shop)).siteId] }), at(aCertifiedSite)]),
  drive(
    `PUT ${SITE}/certificate`,
    async (shop) => ({ ids: [(await aSite(shop)).siteId], body: await aCertificate() }),
    [
      async () => ({ ids: [NO_SUCH_ID], body: await aCertificate() }),
      async (shop) => ({ ids: [(await aSite(shop)).siteId], body: { certificate: { certificate: 'none' } } }),
    ],
  ),
  drive(`GET ${SITES}/certificates`, async (shop) => {
    await aCertifiedSite(shop)
    return {}
  }),
]

export const siteDrivers: Driver[] = [
  ...siteDriversProper,
  ...checkoutDrivers,
  ...certificateDrivers,
  ...partDrivers(ROUTE),
  drive(
    `PUT ${SITE}/routes`,
    at(ROUTE.owner, { body: [ROUTE_FIELDS] }),
    at(ROUTE.owner, { body: [ROUTE_FIELDS, ROUTE_FIELDS] }),
  ),
]
