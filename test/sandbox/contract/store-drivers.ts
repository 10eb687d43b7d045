import { NOBODY } from './contract-shop.ts'
import type { Driver } from './driver.ts'

const CHANNEL = { name: 'Pop-up', type: 'pos', platform: 'square', status: 'connected', external_id: 'x-1' }

/** The store itself and its channels. */
export const storeDrivers: Driver[] = [
  // These two have no parameters, so that only who asks can be wrong with them; the 401 is driven for every operation.
  { operation: 'GET /v2/store', succeeds: [{}], fails: [] },
  { operation: 'GET /v2/time', succeeds: [{}], fails: [] },
  {
    operation: 'GET /v3/channels',
    succeeds: [{}, { query: 'type:in=storefront&limit=1' }, { query: 'include=currencies' }],
    fails: [{ query: 'limit=many' }],
  },
  {
    operation: 'POST /v3/channels',
    succeeds: [{ body: CHANNEL }],
    fails: [{ body: { name: 1 } }, { body: { ...CHANNEL, platform: 'bigcommerce' } }],
  },
  {
    operation: 'GET /v3/channels/:channelId',
    succeeds: [{ ids: [1] }, { ids: [1], query: 'include=currencies' }],
    fails: [{ ids: [NOBODY] }],
  },
  {
    operation: 'PUT /v3/channels/:channelId',
    succeeds: [{ ids: [1], body: { name: 'Main', status: 'active', is_visible: false } }],
    fails: [
      { ids: [NOBODY], body: { name: 'Main' } },
      { ids: [1], body: { name: 'not a name!' } },
      async ({ made }) => {
        const other = await made('POST', '/v3/channels', CHANNEL)
        const { id } = await made('POST', '/v3/channels', { ...CHANNEL, name: 'Market' })
        return { ids: [id], body: { name: other.name } }
      },
    ],
  },
]
