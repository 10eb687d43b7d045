import { NO_SUCH_ID, type Shop } from './contract-shop.ts'
import { at, type Driver, drive } from './driver.ts'
import { aPart, type PartKind, partDrivers } from './part-drivers.ts'

const METAFIELD = {
  namespace: 'app',
  key: 'colour',
  value: 'red',
  permission_set: 'read',
  description: 'What the app knows',
}

/** Metafields of one kind of owner: the five calls of one owner and the four of all owners. */
function metafieldDrivers(ownerPath: string, bulkPath: string, owner: PartKind['owner']): Driver[] {
  const kind: PartKind = {
    ownerPath,
    owner,
    folder: 'metafields',
    parameter: 'metafieldId',
    part: () => METAFIELD,
    change: { ...METAFIELD, value: 'blue' },
    bad: { namespace: 'app' },
    refused: async (shop) => ({ ids: (await aPart(shop, kind)).slice(0, -1), body: METAFIELD }),
    badChange: { value: '' },
  }
  const ownerId = async (shop: Shop) => (await owner(shop)).at(-1)
  const made = async (shop: Shop) => (await aPart(shop, kind)).at(-1)
  return [
    ...partDrivers(kind),
    drive(
      `GET ${bulkPath}`,
      async (shop) => {
        await aPart(shop, kind)
        return {}
      },
      { query: 'limit=many' },
    ),
    drive(`POST ${bulkPath}`, async (shop) => ({ body: [{ resource_id: await ownerId(shop), ...METAFIELD }] }), {
      body: [{ resource_id: NO_SUCH_ID, ...METAFIELD }],
    }),
    drive(`PUT ${bulkPath}`, async (shop) => ({ body: [{ id: await made(shop), ...METAFIELD, value: 'blue' }] }), {
      body: [{ id: NO_SUCH_ID, value: 'blue' }],
    }),
    drive(`DELETE ${bulkPath}`, async (shop) => ({ body: [await made(shop)] }), { body: [NO_SUCH_ID] }),
  ]
}

const CATALOG = '/v3/catalog'

export const allMetafieldDrivers: Driver[] = [
  ...metafieldDrivers(`${CATALOG}/products/:productId`, `${CATALOG}/products/metafields`, async ({ first }) => [
    (await first(`${CATALOG}/products`)).id,
  ]),
  ...metafieldDrivers(
    `${CATALOG}/products/:productId/variants/:variantId`,
    `${CATALOG}/variants/metafields`,
    async ({ first }) => {
      const { id, product_id } = await first(`${CATALOG}/variants`)
      return [Number(product_id), id]
    },
  ),
  ...metafieldDrivers(`${CATALOG}/categories/:categoryId`, `${CATALOG}/categories/metafields`, async ({ first }) => [
    Number((await first(`${CATALOG}/trees/categories`)).category_id),
  ]),
  ...metafieldDrivers(`${CATALOG}/brands/:brandId`, `${CATALOG}/brands/metafields`, async ({ first }) => [
    (await first(`${CATALOG}/brands`)).id,
  ]),
  ...metafieldDrivers('/v3/customers/:customerId', '/v3/customers/metafields', async ({ made }) => {
    const shopper = { email: 'owner@example.com', first_name: 'Ada', last_name: 'Example' }
    const [row] = (await made('POST', '/v3/customers', [shopper])) as unknown as { id: number }[]
    return [row?.id ?? 0]
  }),
  ...metafieldDrivers('/v3/orders/:orderId', '/v3/orders/metafields', async ({ call }) => {
    const body = {
      billing_address: {
        first_name: 'Ada',
        last_name: 'Example',
        zip: '78751',
        country: 'United States',
        email: 'owner@example.com',
      },
      products: [{ name: 'Lamp', quantity: 1, price_ex_tax: 10, price_inc_tax: 11 }],
    }
    return [Number(((await call({ method: 'POST', path: '/v2/orders', body })).body as { id: number }).id)]
  }),
  ...metafieldDrivers('/v3/channels/:channelId', '/v3/channels/metafields', async () => [1]),
  ...metafieldDrivers('/v3/inventory/locations/:locationId', '/v3/inventory/locations/metafields', async () => [1]),
  ...storeMetafieldDrivers(),
]

/** The store has no id in the path, and one list for all. */
function storeMetafieldDrivers(): Driver[] {
  const all = '/v3/store/metafields'
  const made = async (shop: Shop) => {
    const [row] = (await shop.made('POST', all, [METAFIELD])) as unknown as { id: string }[]
    return Number(row?.id)
  }
  return [
    drive(`GET ${all}`, async (shop) => ({ query: `limit=${(await made(shop)) > 0 ? 5 : 0}` }), {
      query: 'limit=many',
    }),
    drive(`POST ${all}`, { body: [METAFIELD] }, { body: [{ namespace: 'app' }] }),
    drive(`PUT ${all}`, async (shop) => ({ body: [{ id: await made(shop), ...METAFIELD, value: 'blue' }] }), {
      body: [{ id: NO_SUCH_ID, ...METAFIELD }],
    }),
    drive(`DELETE ${all}`, async (shop) => ({ body: [await made(shop)] }), { body: [NO_SUCH_ID] }),
    drive(`GET ${all}/:metafieldId`, at(made), { ids: [NO_SUCH_ID] }),
    drive(`PUT ${all}/:metafieldId`, at(made, { body: { ...METAFIELD, value: 'blue' } }), {
      ids: [NO_SUCH_ID],
      body: METAFIELD,
    }),
    drive(`DELETE ${all}/:metafieldId`, at(made), { ids: [NO_SUCH_ID] }),
  ]
}
