import { NO_SUCH_ID } from './contract-shop.ts'
import { type Driver, drive } from './driver.ts'

const CHANNEL = { name: 'Pop-up', type: 'pos', platform: 'square', status: 'connected', external_id: 'x-1' }

/** The store itself and its channels. */
export const storeDrivers: Driver[] = [
  // These two have no parameters, so that only who asks can be wrong with them; the 401 is driven for every operation.
  drive('GET /v2/store'),
  drive('GET /v2/time'),
  drive('GET /v3/channels', [{}, { query: 'type:in=storefront&limit=1' }, { query: 'include=currencies' }], {
    query: 'limit=many',
  }),
  drive('POST /v3/channels', { body: CHANNEL }, [
    { body: { name: 1 } },
    { body: { ...CHANNEL, platform: 'bigcommerce' } },
  ]),
  drive('GET /v3/channels/:channelId', [{ ids: [1] }, { ids: [1], query: 'include=currencies' }]),
  drive('PUT /v3/channels/:channelId', { ids: [1], body: { name: 'Main', status: 'active', is_visible: false } }, [
    { ids: [NO_SUCH_ID], body: { name: 'Main' } },
    { ids: [1], body: { name: 'not a name!' } },
    async ({ made }) => {
      const other = await made('POST', '/v3/channels', CHANNEL)
      const { id } = await made('POST', '/v3/channels', { ...CHANNEL, name: 'Market' })
      return { ids: [id], body: { name: other.name } }
    },
  ]),
]
