import { NOBODY } from './contract-shop.ts'
import type { Driver } from './driver.ts'

/** Below `/v3/settings`: each is read as a whole and may be written back as it was read. */
const GROUPS = [
  'store/profile',
  'store/locale',
  'store/units-of-measurement',
  'catalog',
  'inventory',
  'inventory/notifications',
  'email-statuses',
  'logo',
  'storefront/category',
  'storefront/product',
  'storefront/robotstxt',
  'storefront/search',
  'storefront/seo',
  'storefront/status',
]

/** The addresses of pictures are shown and cannot be written. */
function writable({ favicon_url: _icon, logo_image_url: _logo, ...fields }: Record<string, unknown>) {
  return fields
}

export const settingsDrivers: Driver[] = GROUPS.flatMap((group): Driver[] => {
  const path = `/v3/settings/${group}`
  return [
    // Nothing but who asks can be wrong with settings that no channel has of its own.
    { operation: `GET ${path}`, succeeds: [{}], fails: [] },
    {
      operation: `PUT ${path}`,
      succeeds: [async ({ made }) => ({ body: writable(await made('GET', path)) })],
      fails: [{ body: [] }],
    },
  ]
})

const CURRENCIES = '/v2/currencies'
const CURRENCY = {
  name: 'Euro',
  currency_code: 'EUR',
  country_iso2: 'DE',
  currency_exchange_rate: '0.9',
  token_location: 'right',
  token: '€',
  decimal_token: ',',
  thousands_token: '.',
  decimal_places: 2,
  enabled: true,
}
const { currency_code: _code, ...CHANGE } = CURRENCY
const DEFAULT_FIRST = `${CURRENCIES}?limit=1`

export const currencyDrivers: Driver[] = [
  { operation: `GET ${CURRENCIES}`, succeeds: [{}], fails: [] },
  { operation: `POST ${CURRENCIES}`, succeeds: [{ body: CURRENCY }], fails: [{ body: { name: 'No code' } }] },
  { operation: `DELETE ${CURRENCIES}`, succeeds: [{}], fails: [] },
  {
    operation: `GET ${CURRENCIES}/:currencyId`,
    succeeds: [async ({ call }) => ({ ids: [idOf((await call({ method: 'GET', path: DEFAULT_FIRST })).body)] })],
    fails: [{ ids: [NOBODY] }],
  },
  {
    operation: `PUT ${CURRENCIES}/:currencyId`,
    succeeds: [
      async ({ call }) => ({
        ids: [idOf([(await call({ method: 'POST', path: CURRENCIES, body: CURRENCY })).body])],
        body: { ...CHANGE, name: 'Euros' },
      }),
    ],
    fails: [{ ids: [NOBODY], body: CHANGE }],
  },
  {
    operation: `DELETE ${CURRENCIES}/:currencyId`,
    succeeds: [
      async ({ call }) => ({
        ids: [idOf([(await call({ method: 'POST', path: CURRENCIES, body: CURRENCY })).body])],
      }),
    ],
    fails: [{ ids: [NOBODY] }],
  },
]

/** v2 answers without an envelope. */
function idOf(body: unknown): number {
  const [row] = body as { id: number }[]
  return row?.id ?? 0
}
