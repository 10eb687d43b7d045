import { NOBODY, type Shop } from './contract-shop.ts'
import type { Driver } from './driver.ts'

const CUSTOMS = '/v3/shipping/products/customs-information'
const METHODS = '/v3/pickup/methods'

async function information({ first }: Shop) {
  const { id } = await first('/v3/catalog/products')
  const hs_codes = { CA: '508313', ALL: '501000' }
  return {
    product_id: id,
    country_of_origin: 'US',
    commodity_description: 'Lamps',
    international_shipping: true,
    hs_codes,
  }
}

async function savedInformation(shop: Shop) {
  const body = await information(shop)
  await shop.made('PUT', CUSTOMS, [body])
  return body
}

const METHOD = {
  location_id: 1,
  display_name: 'At the counter',
  collection_instructions: 'Ring the bell',
  collection_time_description: 'From nine to five',
}

async function aMethod({ made }: Shop): Promise<number> {
  const [row] = (await made('POST', METHODS, [METHOD])) as unknown as { id: number }[]
  return row?.id ?? 0
}

/** Customs information of products and the ways to fetch an order. */
export const shippingDrivers: Driver[] = [
  {
    operation: `GET ${CUSTOMS}`,
    succeeds: [async (shop) => ({ query: `product_id:in=${(await savedInformation(shop)).product_id}` })],
    fails: [{ query: 'product_id:in=many' }],
  },
  {
    operation: `PUT ${CUSTOMS}`,
    succeeds: [async (shop) => ({ body: [await information(shop)] })],
    fails: [async (shop) => ({ body: [{ ...(await information(shop)), product_id: NOBODY }] })],
  },
  {
    operation: `DELETE ${CUSTOMS}`,
    succeeds: [async (shop) => ({ query: `product_id:in=${(await savedInformation(shop)).product_id}` })],
    fails: [{}],
  },
  {
    operation: `GET ${METHODS}`,
    succeeds: [async (shop) => ({ query: `id:in=${await aMethod(shop)}&sort=name:asc` })],
    fails: [{ query: 'id:in=many' }, { query: 'sort=colour:asc' }],
  },
  {
    operation: `POST ${METHODS}`,
    succeeds: [{ body: [METHOD] }],
    fails: [{ body: [{ ...METHOD, location_id: NOBODY }] }],
  },
  {
    operation: `PUT ${METHODS}`,
    succeeds: [async (shop) => ({ body: [{ id: await aMethod(shop), display_name: 'At the desk' }] })],
    fails: [{ body: [{ id: NOBODY, display_name: 'Nowhere' }] }],
  },
  {
    operation: `DELETE ${METHODS}`,
    succeeds: [async (shop) => ({ query: `id:in=${await aMethod(shop)}` })],
    fails: [{}],
  },
]
