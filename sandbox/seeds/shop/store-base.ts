import { DEFAULT_CHANNEL_ID } from '../../resources/channels/channels.ts'
import { currencyTable } from '../../resources/channels/currencies.ts'
import { freshLocation, locationTable } from '../../resources/inventory/location-rows.ts'
import type { SandboxStore } from '../../store/store.ts'
import { insertSettings, type Setting } from './setting-rows.ts'

/** The defaults of a display currency. */
export const DISPLAYED = {
  is_default: false,
  country_iso2: '',
  default_for_country_codes: [],
  auto_update: false,
  token_location: 'left',
  decimal_token: '.',
  thousands_token: ',',
  decimal_places: 2,
  enabled: true,
  is_transactional: false,
  use_default_name: false,
  last_updated: 'Thu, 29 Feb 2024 12:00:00 +0000',
}

const CURRENCIES = [
  {
    currency_code: 'EUR',
    name: 'Euro',
    token: '€',
    token_location: 'right',
    decimal_token: ',',
    thousands_token: '.',
    currency_exchange_rate: '0.9200000000',
    country_iso2: 'DE',
  },
  {
    currency_code: 'GBP',
    name: 'British Pound',
    token: '£',
    currency_exchange_rate: '0.7900000000',
    auto_update: true,
  },
  { currency_code: 'JPY', name: 'Japanese Yen', token: '¥', currency_exchange_rate: '151.4', decimal_places: 0 },
  { currency_code: 'CHF', name: 'Swiss Franc', token: 'CHF', currency_exchange_rate: '0.8800000000', enabled: false },
]

/** Adds display currencies to the store's own. */
export function seedCurrencies(store: SandboxStore, count: number): void {
  for (const currency of CURRENCIES.slice(0, count)) currencyTable(store).insert({ ...DISPLAYED, ...currency })
}

/** Settings of the first storefront. */
const OWN_SETTINGS: readonly Setting[] = [
  ['storefront/seo', { page_title: 'Everyday Goods for everybody', meta_keywords: 'everyday,goods' }],
  ['store/profile', { store_name: 'Everyday Goods' }],
]

export function seedChannelSettings(store: SandboxStore): void {
  insertSettings(store, DEFAULT_CHANNEL_ID, OWN_SETTINGS)
}

const TOWNS = [
  ['Dallas', 'Texas', '75201', 32.7767, -96.797],
  ['Portland', 'Oregon', '97201', 45.5152, -122.6784],
  ['Denver', 'Colorado', '80202', 39.7392, -104.9903],
  ['Boston', 'Massachusetts', '02108', 42.3601, -71.0589],
  ['Chicago', 'Illinois', '60601', 41.8781, -87.6298],
  ['Seattle', 'Washington', '98101', 47.6062, -122.3321],
  ['Atlanta', 'Georgia', '30303', 33.749, -84.388],
  ['Phoenix', 'Arizona', '85001', 33.4484, -112.074],
] as const

const MOMENT = '2024-02-29T12:00:00Z'

/** Adds locations to the store's own. */
export function seedLocations(store: SandboxStore, count: number): void {
  for (const [at, [city, state, zip, latitude, longitude]] of TOWNS.slice(0, count).entries()) {
    const address = {
      address1: `${at + 1} Sample Street`,
      address2: '',
      city,
      state,
      zip,
      email: `${city.toLowerCase()}@example.com`,
      phone: `555-01${at + 10}`,
      geo_coordinates: { latitude, longitude },
      country_code: 'US',
    }
    const fields = { code: `STORE-${at + 1}`, label: `${city} store`, address, storefront_visibility: at % 2 === 0 }
    locationTable(store).insert({ ...freshLocation(fields), created_at: MOMENT, updated_at: MOMENT })
  }
}
