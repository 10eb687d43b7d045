import { NO_SUCH_ID, type Shop } from './contract-shop.ts'
import { aGroup } from './customer-group-drivers.ts'
import { at, type Driver, drive } from './driver.ts'

const LISTS = '/v3/pricelists'
const LIST = `${LISTS}/:priceListId`
const RECORDS = `${LIST}/records`
const RECORD = `${RECORDS}/:variantId/:currency`
const ASSIGNMENTS = `${LISTS}/assignments`

const RECORD_FIELDS = {
  price: 20,
  sale_price: 18,
  retail_price: 25,
  map_price: 15,
  bulk_pricing_tiers: [{ quantity_min: 10, quantity_max: 19, type: 'price', amount: 17 }],
}

async function aList({ made }: Shop): Promise<number> {
  return (await made('POST', LISTS, { name: 'Wholesale', active: true })).id
}

/** A record that may be saved, in a list that is there. */
async function aRow(shop: Shop) {
  const variant = await shop.first('/v3/catalog/variants')
  return { price_list_id: await aList(shop), variant_id: variant.id, currency: 'usd', ...RECORD_FIELDS }
}

async function aRecord(shop: Shop): Promise<(number | string)[]> {
  const { price_list_id, ...row } = await aRow(shop)
  await shop.made('PUT', `${LISTS}/${price_list_id}/records`, [row])
  return [price_list_id, row.variant_id, 'usd']
}

async function anAssignment(shop: Shop) {
  return { price_list_id: await aList(shop), customer_group_id: await aGroup(shop), channel_id: 1 }
}

/** POST and PUT of records take the same rows. */
const recordWrites = (method: 'POST' | 'PUT'): Driver[] => [
  drive(
    `${method} ${LISTS}/records`,
    async (shop) => ({ body: [await aRow(shop)] }),
    async (shop) => ({ body: [{ ...(await aRow(shop)), price_list_id: NO_SUCH_ID }] }),
  ),
  drive(
    `${method} ${RECORDS}`,
    async (shop) => {
      const { price_list_id, ...row } = await aRow(shop)
      return { ids: [price_list_id], body: [row] }
    },
    async (shop) => {
      const { price_list_id, ...row } = await aRow(shop)
      return { ids: [price_list_id], body: [{ ...row, variant_id: NO_SUCH_ID }] }
    },
  ),
]

export const priceListDrivers: Driver[] = [
  drive(
    `GET ${LISTS}`,
    async (shop) => {
      await aList(shop)
      return {}
    },
    { query: 'id:in=many' },
  ),
  drive(`POST ${LISTS}`, { body: { name: 'Retail', active: false } }, { body: {} }),
  drive(`DELETE ${LISTS}`, async (shop) => ({ query: `id:in=${await aList(shop)}` }), { query: 'id:in=many' }),
  drive(`GET ${LIST}`, at(aList)),
  drive(`PUT ${LIST}`, at(aList, { body: { name: 'Resale', active: true } }), {
    ids: [NO_SUCH_ID],
    body: { name: 'Unknown' },
  }),
  // What is not there may be removed, so that only who asks can be wrong.
  drive(`DELETE ${LIST}`, at(aList), []),
  ...recordWrites('POST'),
  ...recordWrites('PUT'),
  drive(`GET ${RECORDS}`, [at(aRecord), at(aRecord, { query: 'include=bulk_pricing_tiers,sku' })]),
  drive(`DELETE ${RECORDS}`, async (shop) => {
    const [listId = 0, variantId] = await aRecord(shop)
    return { ids: [listId], query: `variant_id:in=${variantId}` }
  }),
  drive(`GET ${RECORDS}/:variantId`, at(aRecord)),
  drive(`GET ${RECORD}`, at(aRecord), { ids: [NO_SUCH_ID, NO_SUCH_ID, 'usd'] }),
  drive(`PUT ${RECORD}`, at(aRecord, { body: { price: 19 } }), {
    ids: [NO_SUCH_ID, NO_SUCH_ID, 'usd'],
    body: { price: 19 },
  }),
  drive(`DELETE ${RECORD}`, at(aRecord), { ids: [NO_SUCH_ID, NO_SUCH_ID, 'usd'] }),
  drive(
    `GET ${ASSIGNMENTS}`,
    async (shop) => {
      const { price_list_id, ...row } = await anAssignment(shop)
      await shop.made('PUT', `${LISTS}/${price_list_id}/assignments`, row)
      return {}
    },
    { query: 'channel_id:in=many' },
  ),
  drive(`POST ${ASSIGNMENTS}`, async (shop) => ({ body: [await anAssignment(shop)] }), {
    body: [{ price_list_id: NO_SUCH_ID, channel_id: 1 }],
  }),
  drive(`DELETE ${ASSIGNMENTS}`, { query: 'channel_id:in=1' }, {}),
  drive(
    `PUT ${LIST}/assignments`,
    async (shop) => {
      const { price_list_id, ...body } = await anAssignment(shop)
      return { ids: [price_list_id], body }
    },
    { ids: [NO_SUCH_ID], body: { customer_group_id: 1, channel_id: 1 } },
  ),
]
