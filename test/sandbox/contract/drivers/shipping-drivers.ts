import { NO_SUCH_ID, type Shop } from './contract-shop.ts'
import { type Driver, drive } from './driver.ts'

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
  drive(`GET ${CUSTOMS}`, async (shop) => ({ query: `product_id:in=${(await savedInformation(shop)).product_id}` }), {
    query: 'product_id:in=many',
  }),
  drive(
    `PUT ${CUSTOMS}`,
    async (shop) => ({ body: [await information(shop)] }),
    async (shop) => ({ body: [{ ...(await information(shop)), product_id: NO_SUCH_ID }] }),
  ),
  drive(
    `DELETE ${CUSTOMS}`,
    async (shop) => ({ query: `product_id:in=${(await savedInformation(shop)).product_id}` }),
    {},
  ),
  drive(`GET ${METHODS}`, async (shop) => ({ query: `id:in=${await aMethod(shop)}&sort=name:asc` }), [
    { query: 'id:in=many' },
    { query: 'sort=colour:asc' },
  ]),
  drive(`POST ${METHODS}`, { body: [METHOD] }, { body: [{ ...METHOD, location_id: NO_SUCH_ID }] }),
  drive(`PUT ${METHODS}`, async (shop) => ({ body: [{ id: await aMethod(shop), display_name: 'At the desk' }] }), {
    body: [{ id: NO_SUCH_ID, display_name: 'Nowhere' }],
  }),
  drive(`DELETE ${METHODS}`, async (shop) => ({ query: `id:in=${await aMethod(shop)}` }), {}),
]
