import { NO_SUCH_ID, type Shop } from './contract-shop.ts'
import { type Driver, drive } from './driver.ts'

const ZONES = '/v3/tax/zones'
const RATES = '/v3/tax/rates'
const PROPERTIES = '/v3/tax/properties'
const SETTINGS = '/v3/tax/settings'

const ZONE = {
  name: 'Two states',
  enabled: true,
  price_display_settings: { show_inclusive: true, show_both_on_detail_view: false, show_both_on_list_view: false },
  shopper_target_settings: {
    locations: [{ country_code: 'US', subdivision_codes: ['TX', 'OR'], postal_codes: [] }],
    customer_groups: [],
  },
}

const RATE = {
  name: 'Sales tax',
  enabled: true,
  priority: 1,
  tax_zone_id: 1,
  class_rates: [
    { rate: 8.25, tax_class_id: 0 },
    { rate: 0, tax_class_id: 1 },
  ],
}

const PROPERTY = { code: 'A-1', display_name: 'A property', description: 'Of food', type: 'PRODUCT' }

async function one({ made }: Shop, path: string, body: object): Promise<number> {
  const [row] = (await made('POST', path, [body])) as unknown as { id: number }[]
  return row?.id ?? NO_SUCH_ID
}

function batchDrivers(path: string, good: object, bad: object[], change: object): Driver[] {
  return [
    drive(`GET ${path}`, [async (shop) => ({ query: `id:in=${await one(shop, path, good)}` }), {}], {
      query: 'id:in=many',
    }),
    drive(`POST ${path}`, { body: [good] }, [{ body: [] }, { body: bad }]),
    drive(`PUT ${path}`, async (shop) => ({ body: [{ ...change, id: await one(shop, path, good) }] }), {
      body: [{ ...change, id: NO_SUCH_ID }],
    }),
    drive(`DELETE ${path}`, async (shop) => ({ query: `id:in=${await one(shop, path, good)}` }), [
      {},
      { query: 'id:in=many' },
    ]),
  ]
}

export const taxDrivers: Driver[] = [
  ...batchDrivers(ZONES, ZONE, [{ enabled: true }], { ...ZONE, name: 'Two other states' }),
  ...batchDrivers(RATES, RATE, [{ ...RATE, tax_zone_id: NO_SUCH_ID }], { ...RATE, priority: 2 }),
  ...batchDrivers(PROPERTIES, PROPERTY, [PROPERTY, PROPERTY], { code: 'A-1', display_name: 'Another name' }),
  drive(`GET ${SETTINGS}`),
  drive(
    `PUT ${SETTINGS}`,
    {
      body: {
        tax_entered_with_prices: true,
        price_display_settings: { invoice_price_display_strategy: 'INCLUSIVE' },
        fallback_strategy: 'BASIC',
        guest_shopper_tax_zone_id: 1,
      },
    },
    [{ body: { store_tax_zone_id: NO_SUCH_ID } }, { body: { fallback_strategy: 'NONE' } }],
  ),
]
