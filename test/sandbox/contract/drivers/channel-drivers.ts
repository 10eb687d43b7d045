import { NO_SUCH_ID, type Shop } from './contract-shop.ts'
import { type Driver, drive } from './driver.ts'

const CHANNELS = '/v3/channels'
const CHANNEL = `${CHANNELS}/:channelId`

const DOLLARS = { enabled_currencies: ['USD'], default_currency: 'USD' }
const UNKNOWN = { enabled_currencies: ['USD', 'AWG'], default_currency: 'USD' }

/** One channel's currencies and those of several at once. */
const currencyAssignmentDrivers: Driver[] = [
  // Nothing but who asks can be wrong with a list that has no parameters.
  drive(`GET ${CHANNELS}/currency-assignments`),
  ...['POST', 'PUT'].flatMap((method): Driver[] => [
    drive(`${method} ${CHANNELS}/currency-assignments`, { body: [{ channel_id: 1, ...DOLLARS }] }, [
      { body: [{}] },
      { body: [{ channel_id: 1, ...UNKNOWN }] },
      { body: [{ channel_id: NO_SUCH_ID, ...DOLLARS }] },
    ]),
    drive(`${method} ${CHANNEL}/currency-assignments`, { ids: [1], body: DOLLARS }, [
      { ids: [1], body: {} },
      { ids: [1], body: UNKNOWN },
      { ids: [NO_SUCH_ID], body: DOLLARS },
    ]),
  ]),
  drive(`GET ${CHANNEL}/currency-assignments`, { ids: [1] }),
  drive(`DELETE ${CHANNEL}/currency-assignments`, { ids: [1] }),
]

const MENUS = {
  bigcommerce_protected_app_sections: ['currencies', 'domains'],
  custom_app_sections: [{ title: 'Overview', query_path: 'overview' }],
}

const menuDrivers: Driver[] = [
  drive(`GET ${CHANNEL}/channel-menus`, async ({ made }) => {
    await made('POST', `${CHANNELS}/1/channel-menus`, MENUS)
    return { ids: [1] }
  }),
  drive(
    `POST ${CHANNEL}/channel-menus`,
    { ids: [1], body: MENUS },
    { ids: [1], body: { bigcommerce_protected_app_sections: ['moon'] } },
  ),
  drive(`DELETE ${CHANNEL}/channel-menus`, { ids: [1] }),
]

async function aListing({ first, made }: Shop) {
  const { id, product_id } = await first('/v3/catalog/variants')
  const market = { name: 'Market', type: 'marketplace', platform: 'custom' }
  const channelId = (await made('POST', CHANNELS, market)).id
  const variants = [{ product_id, variant_id: id, state: 'active', name: 'As sold there' }]
  return { channelId, body: { product_id, state: 'active', name: 'Sold there', description: 'There', variants } }
}

async function aSavedListing(shop: Shop) {
  const { channelId, body } = await aListing(shop)
  const [row] = (await shop.made('POST', `${CHANNELS}/${channelId}/listings`, [body])) as unknown as Body[]
  return { channelId, listingId: Number(row?.listing_id), body }
}

type Body = Record<string, unknown>

const listingDrivers: Driver[] = [
  drive(
    `GET ${CHANNEL}/listings`,
    async (shop) => ({ ids: [(await aSavedListing(shop)).channelId], query: 'limit=1' }),
    [{ ids: ['many'] }, { ids: [1], query: 'limit=many' }, { ids: [1], query: 'colour=red' }],
  ),
  drive(
    `POST ${CHANNEL}/listings`,
    async (shop) => {
      const { channelId, body } = await aListing(shop)
      return { ids: [channelId], body: [body] }
    },
    [
      { ids: [1], body: [{}] },
      async (shop) => ({ ids: [NO_SUCH_ID], body: [(await aListing(shop)).body] }),
      async (shop) => {
        const { channelId, body } = await aListing(shop)
        return { ids: [channelId], body: [{ ...body, product_id: NO_SUCH_ID }] }
      },
    ],
  ),
  drive(
    `PUT ${CHANNEL}/listings`,
    async (shop) => {
      const { channelId, listingId, body } = await aSavedListing(shop)
      return { ids: [channelId], body: [{ ...body, listing_id: listingId, state: 'disabled' }] }
    },
    [
      { ids: [1], body: [{}] },
      async (shop) => {
        const { channelId, body } = await aSavedListing(shop)
        return { ids: [channelId], body: [{ ...body, listing_id: 0 }] }
      },
    ],
  ),
  drive(
    `GET ${CHANNEL}/listings/:listingId`,
    async (shop) => {
      const { channelId, listingId } = await aSavedListing(shop)
      return { ids: [channelId, listingId] }
    },
    { ids: [1, NO_SUCH_ID] },
  ),
]

/** What hangs below a channel, its site apart. */
export const channelDrivers: Driver[] = [
  ...currencyAssignmentDrivers,
  ...menuDrivers,
  ...listingDrivers,
  drive(`GET ${CHANNEL}/active-theme`, { ids: [1] }),
]
