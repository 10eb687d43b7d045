import { NO_SUCH_ID, type Shop } from './contract-shop.ts'
import { type Driver, drive } from './driver.ts'

const LOCATIONS = '/v3/inventory/locations'
const ITEMS = `${LOCATIONS}/:locationId/items`

/** Every store has it. */
const DEFAULT_LOCATION = 1

const LOCATION = {
  code: 'SHED',
  label: 'The shed',
  description: 'Behind the house',
  managed_by_external_source: false,
  type_id: 'PHYSICAL',
  enabled: true,
  time_zone: 'Etc/UTC',
  storefront_visibility: true,
  address: {
    address1: '2 Sample Street',
    city: 'Austin',
    state: 'Texas',
    zip: '78701',
    email: 'shed@example.com',
    geo_coordinates: { latitude: 30.2, longitude: -97.7 },
    country_code: 'US',
  },
}

async function aLocation({ call, first }: Shop): Promise<number> {
  await call({ method: 'POST', path: LOCATIONS, body: [LOCATION] })
  return (await first(`${LOCATIONS}?location_code:in=SHED`)).id
}

/** A product that is counted, without variants. */
async function anItem({ made }: Shop): Promise<number> {
  const fields = { name: 'Desk Lamp', type: 'physical', weight: 1, price: 30, sku: 'LAMP' }
  return (await made('POST', '/v3/catalog/products', { ...fields, inventory_tracking: 'product', inventory_level: 5 }))
    .id
}

async function adjustment(shop: Shop, quantity: number) {
  return { location_id: DEFAULT_LOCATION, product_id: await anItem(shop), quantity }
}

const settings = (identity: Record<string, unknown>) => ({
  settings: [{ identity, safety_stock: 1, is_in_stock: true, warning_level: 2, bin_picking_number: 'A-1' }],
})

export const inventoryDrivers: Driver[] = [
  drive(`GET ${LOCATIONS}`, {}, { query: 'location_id:in=many' }),
  drive(`POST ${LOCATIONS}`, { body: [LOCATION] }, { body: [{ code: 'SHED' }] }),
  drive(`PUT ${LOCATIONS}`, async (shop) => ({ body: [{ id: await aLocation(shop), label: 'The other shed' }] }), {
    body: [{ id: NO_SUCH_ID, label: 'Unknown' }],
  }),
  drive(`DELETE ${LOCATIONS}`, async (shop) => ({ query: `location_id:in=${await aLocation(shop)}` }), {
    query: `location_id:in=${DEFAULT_LOCATION}`,
  }),
  drive(
    'GET /v3/inventory/items',
    async (shop) => {
      await anItem(shop)
      return {}
    },
    { query: 'product_id:in=many' },
  ),
  drive(`GET ${ITEMS}`, async (shop) => {
    await anItem(shop)
    return { ids: [DEFAULT_LOCATION] }
  }),
  drive(
    `PUT ${ITEMS}`,
    async (shop) => {
      await anItem(shop)
      return { ids: [DEFAULT_LOCATION], body: settings({ sku: 'LAMP' }) }
    },
    { ids: [DEFAULT_LOCATION], body: settings({ sku: 'NO_SUCH_ID' }) },
  ),
  drive(
    'PUT /v3/inventory/adjustments/absolute',
    async (shop) => ({ body: { reason: 'Counted', items: [await adjustment(shop, 9)] } }),
    { body: { items: [{ location_id: DEFAULT_LOCATION, product_id: NO_SUCH_ID, quantity: 1 }] } },
  ),
  drive(
    'POST /v3/inventory/adjustments/relative',
    async (shop) => ({ body: { reason: 'Sold', items: [await adjustment(shop, -1)] } }),
    async (shop) => ({ body: { items: [await adjustment(shop, -99)] } }),
  ),
]
