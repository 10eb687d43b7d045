import { NOBODY, type Shop } from './contract-shop.ts'
import { aGroup } from './customer-group-drivers.ts'
import type { Driver } from './driver.ts'

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
  {
    operation: `${method} ${LISTS}/records`,
    succeeds: [async (shop) => ({ body: [await aRow(shop)] })],
    fails: [async (shop) => ({ body: [{ ...(await aRow(shop)), price_list_id: NOBODY }] })],
  },
  {
    operation: `${method} ${RECORDS}`,
    succeeds: [
      async (shop) => {
        const { price_list_id, ...row } = await aRow(shop)
        return { ids: [price_list_id], body: [row] }
      },
    ],
    fails: [
      async (shop) => {
        const { price_list_id, ...row } = await aRow(shop)
        return { ids: [price_list_id], body: [{ ...row, variant_id: NOBODY }] }
      },
    ],
  },
]

export const priceListDrivers: Driver[] = [
  {
    operation: `GET ${LISTS}`,
    succeeds: [
      async (shop) => {
        await aList(shop)
        return {}
      },
    ],
    fails: [{ query: 'id:in=many' }],
  },
  { operation: `POST ${LISTS}`, succeeds: [{ body: { name: 'Retail', active: false } }], fails: [{ body: {} }] },
  {
    operation: `DELETE ${LISTS}`,
    succeeds: [async (shop) => ({ query: `id:in=${await aList(shop)}` })],
    fails: [{ query: 'id:in=many' }],
  },
  { operation: `GET ${LIST}`, succeeds: [async (shop) => ({ ids: [await aList(shop)] })], fails: [{ ids: [NOBODY] }] },
  {
    operation: `PUT ${LIST}`,
    succeeds: [async (shop) => ({ ids: [await aList(shop)], body: { name: 'Resale', active: true } })],
    fails: [{ ids: [NOBODY], body: { name: 'Nobody' } }],
  },
  // What is not there may be removed, so that only who asks can be wrong.
  { operation: `DELETE ${LIST}`, succeeds: [async (shop) => ({ ids: [await aList(shop)] })], fails: [] },
  ...recordWrites('POST'),
  ...recordWrites('PUT'),
  {
    operation: `GET ${RECORDS}`,
    succeeds: [
      async (shop) => ({ ids: await aRecord(shop) }),
      async (shop) => ({ ids: await aRecord(shop), query: 'include=bulk_pricing_tiers,sku' }),
    ],
    fails: [{ ids: [NOBODY] }],
  },
  {
    operation: `DELETE ${RECORDS}`,
    succeeds: [
      async (shop) => {
        const [listId = 0, variantId] = await aRecord(shop)
        return { ids: [listId], query: `variant_id:in=${variantId}` }
      },
    ],
    fails: [{ ids: [NOBODY] }],
  },
  {
    operation: `GET ${RECORDS}/:variantId`,
    succeeds: [async (shop) => ({ ids: await aRecord(shop) })],
    fails: [{ ids: [NOBODY, NOBODY] }],
  },
  {
    operation: `GET ${RECORD}`,
    succeeds: [async (shop) => ({ ids: await aRecord(shop) })],
    fails: [{ ids: [NOBODY, NOBODY, 'usd'] }],
  },
  {
    operation: `PUT ${RECORD}`,
    succeeds: [async (shop) => ({ ids: await aRecord(shop), body: { price: 19 } })],
    fails: [{ ids: [NOBODY, NOBODY, 'usd'], body: { price: 19 } }],
  },
  {
    operation: `DELETE ${RECORD}`,
    succeeds: [async (shop) => ({ ids: await aRecord(shop) })],
    fails: [{ ids: [NOBODY, NOBODY, 'usd'] }],
  },
  {
    operation: `GET ${ASSIGNMENTS}`,
    succeeds: [
      async (shop) => {
        const { price_list_id, ...row } = await anAssignment(shop)
        await shop.made('PUT', `${LISTS}/${price_list_id}/assignments`, row)
        return {}
      },
    ],
    fails: [{ query: 'channel_id:in=many' }],
  },
  {
    operation: `POST ${ASSIGNMENTS}`,
    succeeds: [async (shop) => ({ body: [await anAssignment(shop)] })],
    fails: [{ body: [{ price_list_id: NOBODY, channel_id: 1 }] }],
  },
  {
    operation: `DELETE ${ASSIGNMENTS}`,
    succeeds: [{ query: 'channel_id:in=1' }],
    fails: [{}],
  },
  {
    operation: `PUT ${LIST}/assignments`,
    succeeds: [
      async (shop) => {
        const { price_list_id, ...body } = await anAssignment(shop)
        return { ids: [price_list_id], body }
      },
    ],
    fails: [{ ids: [NOBODY], body: { customer_group_id: 1, channel_id: 1 } }],
  },
]
