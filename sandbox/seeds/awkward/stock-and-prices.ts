import { DEFAULT_CHANNEL_ID } from '../../resources/channels/channels.ts'
import { freshLocation, locationTable } from '../../resources/inventory/location-rows.ts'
import { inventoryItems, setQuantity, setSettings } from '../../resources/inventory/stock.ts'
import { priceAssignmentTable, priceListTable } from '../../tables/price-tables.ts'
import { locationMetafieldTable, variantTable } from '../../tables/product-tables.ts'
import { insertPrice } from '../products/price-row.ts'
import { type AwkwardProduct, type AwkwardShop, filled, goneId, idIn } from './awkward-shop.ts'
import { seedMetafieldsOfEveryKind } from './metafields.ts'

export const STOCKED_PRODUCTS: readonly AwkwardProduct[] = [
  {
    name: 'Counted as a whole',
    fields: { sku: 'WHOLE', inventory_tracking: 'product', inventory_level: 2_147_483_647, inventory_warning_level: 5 },
  },
  {
    name: 'Counted and none left',
    fields: { sku: 'NONE-LEFT', inventory_tracking: 'product', inventory_warning_level: 1 },
  },
  {
    name: 'Counted by its only variant',
    fields: { sku: 'ONLY-VARIANT', inventory_tracking: 'variant', inventory_level: 3 },
  },
  { name: 'Not counted, with a level', fields: { sku: 'NOT-COUNTED', inventory_level: 7, inventory_warning_level: 2 } },
]

const MOMENT = '2024-02-29T23:59:59Z'

const position = (code: string, label: string, fields: Record<string, unknown> = {}) => ({
  code,
  label,
  address: {
    address1: '2 Sample Street',
    address2: '',
    city: 'Apia',
    state: 'Tuamasaga',
    zip: '0000',
    email: 'stock@example.com',
    phone: '',
    geo_coordinates: { latitude: -13.8333, longitude: -171.7667 },
    country_code: 'WS',
  },
  time_zone: 'Pacific/Apia',
  created_at: MOMENT,
  updated_at: MOMENT,
  ...fields,
})

const LOCATIONS = [
  position('AWKWARD-1', 'Across the date line'),
  position('awkward 2/é', 'متجر 🏬', { type_id: 'VIRTUAL', description: filled('A long description. ', 255) }),
  position('CLOSED', 'Closed', { enabled: false, storefront_visibility: false }),
  position('ELSEWHERE', 'Run by another system', { managed_by_external_source: true }),
]

/** Adds stock that differs by location: some with safety stock, some at 0, some never set. */
export function plantStock(shop: AwkwardShop): void {
  const { store } = shop
  const locations = LOCATIONS.map((fields) => locationTable(store).insert(freshLocation(fields)).id)
  seedMetafieldsOfEveryKind(store, 'location', locationMetafieldTable(store), locations[0] ?? 0)
  for (const name of ['Counted as a whole', 'Counted by its only variant', '600 variants']) {
    const items = inventoryItems(store, { product_id: idIn(shop.products, name) }).slice(0, 40)
    for (const [at, item] of items.entries()) {
      const locationId = locations[at % locations.length] ?? 0
      setQuantity(store, item, locationId, at * 11)
      setSettings(store, item, locationId, {
        safety_stock: at % 3,
        is_in_stock: at % 5 !== 4,
        warning_level: at,
        bin_picking_number: `B ${at}`,
      })
    }
  }
}

const PRICES: readonly Record<string, unknown>[] = [
  { price: 0 },
  { price: 1.2345, sale_price: 1.0001, retail_price: 9.9999, map_price: 0.5 },
  { sale_price: 3 },
  { price: null, sale_price: null, retail_price: 8 },
  { price: 20, bulk_pricing_tiers: [{ quantity_min: 2, quantity_max: 9, type: 'fixed', amount: 19 }] },
  {
    price: 20,
    bulk_pricing_tiers: [
      { quantity_min: 2, quantity_max: 9, type: 'percent', amount: 2.5 },
      { quantity_min: 10, quantity_max: 0, type: 'price', amount: 3.3333 },
    ],
  },
]

/**
 * Adds active and inactive price lists, with prices in two currencies for products without options, for variants, and
 * for a deleted variant.
 */
export function plantPrices(shop: AwkwardShop): void {
  const { store } = shop
  const [shown = 0] = ['Wholesale', 'Großhandel 🛒', filled('A list whose name is as long as it may be. ', 255)].map(
    (name, at) =>
      priceListTable(store).insert({ name, active: at !== 1, date_created: MOMENT, date_modified: MOMENT }).id,
  )
  const variants = ['X', 'Option of type swatch', 'Four decimals', 'Free of charge'].flatMap((name) =>
    variantTable(store).find({ product_id: idIn(shop.products, name) }),
  )
  for (const currency of ['usd', 'eur'])
    for (const [at, fields] of PRICES.entries()) insertPrice(store, shown, currency, variants[at], fields)
  insertPrice(
    store,
    shown,
    'usd',
    { id: goneId(store, 'variants'), product_id: idIn(shop.products, 'X') },
    { price: 1 },
  )
  priceAssignmentTable(store).insert({ price_list_id: shown, customer_group_id: null, channel_id: DEFAULT_CHANNEL_ID })
}
