import { makeCertificate } from '../../../sandbox/certificate.ts'
import { NOBODY, type Shop } from './contract-shop.ts'
import type { Driver } from './driver.ts'
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
  {
    operation: `GET ${SITES}`,
    succeeds: [{}, { query: 'url_type:in=primary' }],
    fails: [{ query: 'channel_id:in=many' }],
  },
  {
    operation: `POST ${SITES}`,
    succeeds: [async (shop) => ({ body: { channel_id: await aChannel(shop), ...URL_FIELDS } })],
    fails: [async (shop) => ({ body: { channel_id: await aChannel(shop), url: 'no address' } })],
  },
  {
    operation: `GET ${SITE}`,
    succeeds: [async (shop) => ({ ids: [(await aSite(shop)).siteId] })],
    fails: [{ ids: [NOBODY] }],
  },
  {
    operation: `PUT ${SITE}`,
    succeeds: [async (shop) => ({ ids: [(await aSite(shop)).siteId], body: { url: 'https://third.example' } })],
    fails: [{ ids: [NOBODY], body: URL_FIELDS }],
  },
  {
    operation: `DELETE ${SITE}`,
    succeeds: [async (shop) => ({ ids: [(await aSite(shop)).siteId] })],
    fails: [{ ids: [NOBODY] }],
  },
  {
    operation: `GET ${OF_CHANNEL}`,
    succeeds: [async (shop) => ({ ids: [(await aSite(shop)).channelId] })],
    fails: [{ ids: [NOBODY] }],
  },
  {
    operation: `POST ${OF_CHANNEL}`,
    succeeds: [async (shop) => ({ ids: [await aChannel(shop)], body: URL_FIELDS })],
    fails: [{ ids: [NOBODY], body: URL_FIELDS }],
  },
  {
    operation: `PUT ${OF_CHANNEL}`,
    succeeds: [async (shop) => ({ ids: [(await aSite(shop)).channelId], body: { url: 'https://third.example' } })],
    fails: [{ ids: [NOBODY], body: URL_FIELDS }],
  },
  {
    operation: `DELETE ${OF_CHANNEL}`,
    succeeds: [async (shop) => ({ ids: [(await aSite(shop)).channelId] })],
    fails: [{ ids: [NOBODY] }],
  },
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
  {
    operation: `PUT ${CHECKOUT}`,
    succeeds: [
      async (shop) => ({ ids: [(await aSite(shop)).channelId], body: { url: 'https://checkout.second.example' } }),
    ],
    fails: [async (shop) => ({ ids: [(await aSite(shop)).channelId], body: { url: 'https://checkout.example' } })],
  },
  {
    operation: `DELETE ${CHECKOUT}`,
    succeeds: [async (shop) => ({ ids: [(await aSite(shop)).channelId] })],
    fails: [{ ids: [NOBODY] }],
  },
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
  {
    operation: `GET ${SITE}/certificate`,
    succeeds: [
      async (shop) => ({ ids: [(await aSite(shop)).siteId] }),
      async (shop) => ({ ids: [await aCertifiedSite(shop)] }),
    ],
    fails: [{ ids: [NOBODY] }],
  },
  {
    operation: `PUT ${SITE}/certificate`,
    succeeds: [async (shop) => ({ ids: [(await aSite(shop)).siteId], body: await aCertificate() })],
    fails: [
      async () => ({ ids: [NOBODY], body: await aCertificate() }),
      async (shop) => ({ ids: [(await aSite(shop)).siteId], body: { certificate: { certificate: 'none' } } }),
    ],
  },
  {
    operation: `GET ${SITES}/certificates`,
    succeeds: [
      async (shop) => {
        await aCertifiedSite(shop)
        return {}
      },
    ],
    fails: [],
  },
]

export const siteDrivers: Driver[] = [
  ...siteDriversProper,
  ...checkoutDrivers,
  ...certificateDrivers,
  ...partDrivers(ROUTE),
  {
    operation: `PUT ${SITE}/routes`,
    succeeds: [async (shop) => ({ ids: await ROUTE.owner(shop), body: [ROUTE_FIELDS] })],
    fails: [async (shop) => ({ ids: await ROUTE.owner(shop), body: [ROUTE_FIELDS, ROUTE_FIELDS] })],
  },
]
