import type { Contradiction } from './contradiction.ts'

const METAFIELDS = '/v3/orders/:orderId/metafields'
const METAFIELD = `${METAFIELDS}/:metafieldId`

/** The same of orders. */
export const orderContradictions: Contradiction[] = [
  {
    reason:
      'The file documents no refusal of what the caller sends here; its other calls of metafields, and the platform documentation, have one.',
    places: [
      `GET ${METAFIELDS} 404 (status)`,
      `POST ${METAFIELDS} 404 (status)`,
      `PUT ${METAFIELD} 422 (status)`,
      'GET /v3/orders/metafields 422 (status)',
    ],
  },
  {
    reason: 'The file makes `errors` a list here; in the common error envelope of the platform it is an object.',
    places: ['GET', 'PUT', 'DELETE'].map((method) => `${method} ${METAFIELD} 404 errors`),
  },
  {
    reason: 'The schema is that of one fee; the example of the same answer has several.',
    places: ['GET /v2/orders/:orderId/fees 200 '],
  },
  {
    reason:
      'The file has 400 where it asks for authentication; all other files and the platform documentation have 401.',
    places: ['GET /v3/orders/settings 401 (status)'],
  },
  {
    reason: 'The file documents no refusal of a channel that there is not; the platform documentation has 404.',
    places: ['GET /v3/orders/settings/channels/:channelId 404 (status)'],
  },
]

/** What the file of version 2 documents no refusal of. */
export const unrefusedOrders = [
  'GET /v2/orders 400',
  'POST /v2/orders 400',
  'DELETE /v2/orders 401',
  'GET /v2/orders/count 401',
  'GET /v2/order_statuses 401',
  'GET /v2/order_statuses/:statusId 404',
  'PUT /v2/orders/:orderId 400',
  'DELETE /v2/orders/:orderId 404',
  ...['products', 'shipping_addresses', 'coupons', 'taxes', 'messages'].map(
    (what) => `GET /v2/orders/:orderId/${what} 404`,
  ),
  'GET /v2/orders/:orderId/products/:lineId 404',
  'GET /v2/orders/:orderId/shipping_addresses/:addressId 404',
  'GET /v2/orders/:orderId/shipments 404',
  'POST /v2/orders/:orderId/shipments 400',
  'DELETE /v2/orders/:orderId/shipments 404',
  'GET /v2/orders/:orderId/shipments/count 404',
  'GET /v2/orders/:orderId/shipments/:shipmentId 404',
  'PUT /v2/orders/:orderId/shipments/:shipmentId 400',
  'DELETE /v2/orders/:orderId/shipments/:shipmentId 404',
]
