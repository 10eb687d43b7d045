import { NO_SUCH_ID, type Shop } from './contract-shop.ts'
import { at, type Driver, drive } from './driver.ts'

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
  drive(`GET ${ZONES}`, async (shop) => {
    await aZone(shop)
    return {}
  }),
  drive(
    `POST ${ZONES}`,
    [{ body: ZONE }, { body: { name: 'Everywhere else', type: 'global' } }],
    [{ body: { name: 'Nowhere', type: 'country' } }, { body: { type: 'global' } }, { body: { ...ZONE, id: 1 } }],
  ),
  drive(`GET ${ZONES}/:zoneId`, at(aZone)),
  drive(`PUT ${ZONES}/:zoneId`, at(aZone, { body: { ...ZONE, name: 'Two other states' } }), [
    { ids: [NO_SUCH_ID], body: ZONE },
    at(aZone, { body: { enabled: false } }),
  ]),
  drive(`DELETE ${ZONES}/:zoneId`, at(aZone)),
  drive(`GET ${METHODS}`, async (shop) => ({ ids: [(await aMethod(shop))[0]] })),
  drive(
    `POST ${METHODS}`,
    [
      at(aZone, { body: METHOD }),
      at(aZone, { body: { name: 'Flat', type: 'perorder', settings: { rate: 7 } } }),
      at(aZone, {
        body: { name: 'Carrier', type: 'upsready', settings: { carrier_options: { delivery_services: ['Express'] } } },
      }),
    ],
    [
      { ids: [NO_SUCH_ID], body: METHOD },
      at(aZone, { body: { name: 'Free of charge', type: 'peritem' } }),
      at(aZone, { body: { ...METHOD, channel_ids: [NO_SUCH_ID] } }),
    ],
  ),
  drive(`GET ${METHODS}/:methodId`, at(aMethod), async (shop) => ({ ids: [await aZone(shop), NO_SUCH_ID] })),
  drive(`PUT ${METHODS}/:methodId`, at(aMethod, { body: { ...METHOD, name: 'By weight, slowly' } }), async (shop) => ({
    ids: [await aZone(shop), NO_SUCH_ID],
    body: METHOD,
  })),
  drive(`DELETE ${METHODS}/:methodId`, at(aMethod), async (shop) => ({ ids: [await aZone(shop), NO_SUCH_ID] })),
  drive(
    `POST ${CONNECTION}`,
    [{ body: FEDEX }, { body: { carrier_id: 'royalmail', connection: {} } }],
    [{ body: { carrier_id: 'fedex', connection: {} } }, { body: { ...FEDEX, id: 1 } }],
  ),
  drive(`PUT ${CONNECTION}`, { body: FEDEX }, { body: { carrier_id: 'endicia', connection: { account_id: '1' } } }),
  drive(`DELETE ${CONNECTION}`, { body: { carrier_id: 'fedex' } }, { body: {} }),
  drive(`GET ${SETTINGS}`),
  drive(
    `PUT ${SETTINGS}`,
    { body: { checkout: { country_list_strategy: 'DISPLAY_ONLY_SHIPPABLE_COUNTRIES' } } },
    { body: { checkout: { country_list_strategy: 'NONE' } } },
  ),
  drive(`GET ${SETTINGS}/channels/:channelId`, { ids: [1] }),
  drive(
    `PUT ${SETTINGS}/channels/:channelId`,
    { ids: [1], body: { checkout: { out_of_delivery_zone_message: 'Not there.' } } },
    { ids: [NO_SUCH_ID], body: { checkout: { out_of_delivery_zone_message: 'Not there.' } } },
  ),
]
