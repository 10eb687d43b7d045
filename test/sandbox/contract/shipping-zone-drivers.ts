import { NOBODY, type Shop } from './contract-shop.ts'
import type { Driver } from './driver.ts'

const ZONES = '/v2/shipping/zones'
const METHODS = `${ZONES}/:zoneId/methods`
const CONNECTION = '/v2/shipping/carrier/connection'
const SETTINGS = '/v3/shipping/settings'

const ZONE = {
  name: 'Two states',
  type: 'state',
  locations: [
    { country_iso2: 'US', state_iso2: 'TX' },
    { country_iso2: 'US', state_iso2: 'OR' },
  ],
  free_shipping: { enabled: true, minimum_sub_total: '50', exclude_fixed_shipping_products: true },
  handling_fees: { fixed_surcharge: '2.5', display_separately: true },
  enabled: true,
}

const METHOD = {
  name: 'By weight',
  type: 'weight',
  settings: {
    default_cost: 12,
    default_cost_type: 'fixed_amount',
    range: [{ lower_limit: 0, upper_limit: 20, shipping_cost: 8 }],
  },
  enabled: true,
  handling_fees: { percentage_surcharge: 5 },
  is_fallback: false,
  channel_ids: [1],
}

async function saved({ call }: Shop, path: string, body: unknown): Promise<number> {
  const answer = await call({ method: 'POST', path, body })
  if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  // v2 answers without an envelope.
  return (answer.body as { id: number }).id
}

const aZone = (shop: Shop) => saved(shop, ZONES, ZONE)

async function aMethod(shop: Shop): Promise<[zone: number, method: number]> {
  const zone = await aZone(shop)
  return [zone, await saved(shop, `${ZONES}/${zone}/methods`, METHOD)]
}

const FEDEX = {
  carrier_id: 'fedex',
  connection: { key: 'a-key', password: 'a-word', account_number: '1', meter_number: '2' },
}

export const shippingZoneDrivers: Driver[] = [
  {
    operation: `GET ${ZONES}`,
    succeeds: [
      async (shop) => {
        await aZone(shop)
        return {}
      },
    ],
    fails: [],
  },
  {
    operation: `POST ${ZONES}`,
    succeeds: [{ body: ZONE }, { body: { name: 'Everywhere else', type: 'global' } }],
    fails: [{ body: { name: 'Nowhere', type: 'country' } }, { body: { type: 'global' } }, { body: { ...ZONE, id: 1 } }],
  },
  {
    operation: `GET ${ZONES}/:zoneId`,
    succeeds: [async (shop) => ({ ids: [await aZone(shop)] })],
    fails: [{ ids: [NOBODY] }],
  },
  {
    operation: `PUT ${ZONES}/:zoneId`,
    succeeds: [async (shop) => ({ ids: [await aZone(shop)], body: { ...ZONE, name: 'Two other states' } })],
    fails: [{ ids: [NOBODY], body: ZONE }, async (shop) => ({ ids: [await aZone(shop)], body: { enabled: false } })],
  },
  {
    operation: `DELETE ${ZONES}/:zoneId`,
    succeeds: [async (shop) => ({ ids: [await aZone(shop)] })],
    fails: [{ ids: [NOBODY] }],
  },
  {
    operation: `GET ${METHODS}`,
    succeeds: [async (shop) => ({ ids: [(await aMethod(shop))[0]] })],
    fails: [{ ids: [NOBODY] }],
  },
  {
    operation: `POST ${METHODS}`,
    succeeds: [
      async (shop) => ({ ids: [await aZone(shop)], body: METHOD }),
      async (shop) => ({ ids: [await aZone(shop)], body: { name: 'Flat', type: 'perorder', settings: { rate: 7 } } }),
      async (shop) => ({
        ids: [await aZone(shop)],
        body: { name: 'Carrier', type: 'upsready', settings: { carrier_options: { delivery_services: ['Express'] } } },
      }),
    ],
    fails: [
      { ids: [NOBODY], body: METHOD },
      async (shop) => ({ ids: [await aZone(shop)], body: { name: 'Free of charge', type: 'peritem' } }),
      async (shop) => ({ ids: [await aZone(shop)], body: { ...METHOD, channel_ids: [NOBODY] } }),
    ],
  },
  {
    operation: `GET ${METHODS}/:methodId`,
    succeeds: [async (shop) => ({ ids: await aMethod(shop) })],
    fails: [async (shop) => ({ ids: [await aZone(shop), NOBODY] })],
  },
  {
    operation: `PUT ${METHODS}/:methodId`,
    succeeds: [async (shop) => ({ ids: await aMethod(shop), body: { ...METHOD, name: 'By weight, slowly' } })],
    fails: [async (shop) => ({ ids: [await aZone(shop), NOBODY], body: METHOD })],
  },
  {
    operation: `DELETE ${METHODS}/:methodId`,
    succeeds: [async (shop) => ({ ids: await aMethod(shop) })],
    fails: [async (shop) => ({ ids: [await aZone(shop), NOBODY] })],
  },
  {
    operation: `POST ${CONNECTION}`,
    succeeds: [{ body: FEDEX }, { body: { carrier_id: 'royalmail', connection: {} } }],
    fails: [{ body: { carrier_id: 'fedex', connection: {} } }, { body: { ...FEDEX, id: 1 } }],
  },
  {
    operation: `PUT ${CONNECTION}`,
    succeeds: [{ body: FEDEX }],
    fails: [{ body: { carrier_id: 'endicia', connection: { account_id: '1' } } }],
  },
  { operation: `DELETE ${CONNECTION}`, succeeds: [{ body: { carrier_id: 'fedex' } }], fails: [{ body: {} }] },
  { operation: `GET ${SETTINGS}`, succeeds: [{}], fails: [] },
  {
    operation: `PUT ${SETTINGS}`,
    succeeds: [{ body: { checkout: { country_list_strategy: 'DISPLAY_ONLY_SHIPPABLE_COUNTRIES' } } }],
    fails: [{ body: { checkout: { country_list_strategy: 'NONE' } } }],
  },
  { operation: `GET ${SETTINGS}/channels/:channelId`, succeeds: [{ ids: [1] }], fails: [{ ids: [NOBODY] }] },
  {
    operation: `PUT ${SETTINGS}/channels/:channelId`,
    succeeds: [{ ids: [1], body: { checkout: { out_of_delivery_zone_message: 'Not there.' } } }],
    fails: [{ ids: [NOBODY], body: { checkout: { out_of_delivery_zone_message: 'Not there.' } } }],
  },
]
