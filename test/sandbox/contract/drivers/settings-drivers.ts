import { pngFor } from '../../../../sandbox/images/images.ts'
import { NO_SUCH_ID, type Shop } from './contract-shop.ts'
import { type Driver, drive } from './driver.ts'

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
  'storefront/security',
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
    drive(`GET ${path}`, {}, []),
    drive(`PUT ${path}`, async ({ made }) => ({ body: writable(await made('GET', path)) }), { body: [] }),
  ]
})

function uploaded(field: string, bytes: Uint8Array): FormData {
  const form = new FormData()
  form.set(field, new Blob([new Uint8Array(bytes)]), 'picture.png')
  return form
}

const pictureDrivers: Driver[] = [
  ['/v3/settings/logo/image', 'LogoFile'],
  ['/v3/settings/favicon/image', 'FaviconFile'],
].map(([path, field = '']) =>
  drive(`POST ${path}`, () => ({ body: uploaded(field, pngFor('picture.png')) }), [
    () => ({ body: uploaded(field, Buffer.from('no picture')) }),
    () => ({ query: `channel_id=${NO_SUCH_ID}`, body: uploaded(field, pngFor('picture.png')) }),
  ]),
)

const ANALYTICS = '/v3/settings/analytics'
const PROVIDER = { name: 'Google Analytics', code: 'G-1', enabled: true, data_tag_enabled: false, version: 4 }

const analyticsDrivers: Driver[] = [
  drive(`GET ${ANALYTICS}`, [{}, { query: 'channel_id=1' }], { query: `channel_id=${NO_SUCH_ID}` }),
  drive(`GET ${ANALYTICS}/:providerId`, { ids: [1] }),
  drive(`PUT ${ANALYTICS}/:providerId`, { ids: [1], body: PROVIDER }, [
    { ids: [NO_SUCH_ID], body: PROVIDER },
    { ids: [1], body: { ...PROVIDER, code: '' } },
  ]),
]

const FILTERS = '/v3/settings/search/filters'
const STRANGE = { id: 'nobodys', type: 'price', display_name: 'Price' }

async function filtersOf({ made }: Shop): Promise<unknown[]> {
  return (await made('GET', FILTERS)) as unknown as unknown[]
}

async function aContext(shop: Shop) {
  return { context: { channel_id: 1 }, data: await filtersOf(shop) }
}

const filterDrivers: Driver[] = [
  // Nothing but who asks can be wrong with what has no parameters.
  drive(`GET ${FILTERS}`),
  drive(`PUT ${FILTERS}`, async (shop) => ({ body: await filtersOf(shop) }), { body: [STRANGE] }),
  drive(`GET ${FILTERS}/available`, [{}, { query: 'channel_id=1' }], { query: 'channel_id=many' }),
  drive(
    `GET ${FILTERS}/contexts`,
    async (shop) => {
      await shop.made('PUT', `${FILTERS}/contexts`, [await aContext(shop)])
      return { query: 'channel_id=1' }
    },
    { query: 'channel_id=many' },
  ),
  drive(`PUT ${FILTERS}/contexts`, async (shop) => ({ body: [await aContext(shop)] }), {
    body: [{ context: { channel_id: NO_SUCH_ID }, data: [] }],
  }),
]

export const storefrontSettingsDrivers: Driver[] = [...pictureDrivers, ...analyticsDrivers, ...filterDrivers]

const CURRENCIES = '/v2/currencies'
const CURRENCY = {
  name: 'Swedish Krona',
  currency_code: 'SEK',
  country_iso2: 'SE',
  currency_exchange_rate: '0.9',
  token_location: 'right',
  token: 'kr',
  decimal_token: ',',
  thousands_token: '.',
  decimal_places: 2,
  enabled: true,
}
const { currency_code: _code, ...CHANGE } = CURRENCY
const DEFAULT_FIRST = `${CURRENCIES}?limit=1`

export const currencyDrivers: Driver[] = [
  drive(`GET ${CURRENCIES}`),
  drive(`POST ${CURRENCIES}`, { body: CURRENCY }, { body: { name: 'No code' } }),
  drive(`DELETE ${CURRENCIES}`),
  drive(`GET ${CURRENCIES}/:currencyId`, async ({ call }) => ({
    ids: [idOf((await call({ method: 'GET', path: DEFAULT_FIRST })).body)],
  })),
  drive(
    `PUT ${CURRENCIES}/:currencyId`,
    async ({ call }) => ({
      ids: [idOf([(await call({ method: 'POST', path: CURRENCIES, body: CURRENCY })).body])],
      body: { ...CHANGE, name: 'Euros' },
    }),
    { ids: [NO_SUCH_ID], body: CHANGE },
  ),
  drive(`DELETE ${CURRENCIES}/:currencyId`, async ({ call }) => ({
    ids: [idOf([(await call({ method: 'POST', path: CURRENCIES, body: CURRENCY })).body])],
  })),
]

/** v2 answers without an envelope. */
function idOf(body: unknown): number {
  const [row] = body as { id: number }[]
  return row?.id ?? 0
}
