import { NOBODY, type Shop } from './contract-shop.ts'
import type { Driver } from './driver.ts'

const COUPONS = '/v2/coupons'
const COUPON = {
  name: 'Autumn',
  code: 'AUTUMN-10',
  type: 'percentage_discount',
  amount: '10',
  min_purchase: '25',
  expires: 'Tue, 01 Feb 2028 10:00:00 +0000',
  enabled: true,
  applies_to: { entity: 'categories', ids: [0] },
  max_uses: 5,
  max_uses_per_customer: 1,
  restricted_to: { countries: 'AU' },
  shipping_methods: ['shipping_flatrate'],
}

/** v2 answers without an envelope. */
async function madeId({ call }: Shop, path: string, body: unknown): Promise<number> {
  const answer = await call({ method: 'POST', path, body })
  return (answer.body as { id: number }).id
}

const couponDrivers: Driver[] = [
  {
    operation: `GET ${COUPONS}`,
    succeeds: [
      async (shop) => {
        await madeId(shop, COUPONS, COUPON)
        return { query: 'min_id=1&limit=10&exclude_type=promotion' }
      },
    ],
    fails: [{ query: 'min_id=many' }],
  },
  {
    operation: `POST ${COUPONS}`,
    succeeds: [{ body: COUPON }],
    fails: [
      { body: { ...COUPON, type: 'a kind of its own' } },
      { body: { ...COUPON, applies_to: { entity: 'brands', ids: [1] } } },
      async (shop) => {
        await madeId(shop, COUPONS, COUPON)
        return { body: { ...COUPON, name: 'Another' } }
      },
    ],
  },
  { operation: `DELETE ${COUPONS}`, succeeds: [{ query: 'id:in=1,2' }, {}], fails: [{ query: 'id:in=many' }] },
  // Nothing but who asks can be wrong with a count.
  { operation: `GET ${COUPONS}/count`, succeeds: [{}], fails: [] },
  {
    operation: `PUT ${COUPONS}/:couponId`,
    succeeds: [async (shop) => ({ ids: [await madeId(shop, COUPONS, COUPON)], body: { ...COUPON, amount: '12' } })],
    fails: [{ ids: [NOBODY], body: COUPON }],
  },
  // One that is not there is as good as deleted.
  {
    operation: `DELETE ${COUPONS}/:couponId`,
    succeeds: [async (shop) => ({ ids: [await madeId(shop, COUPONS, COUPON)] })],
    fails: [],
  },
]

const CERTIFICATES = '/v2/gift_certificates'
const CERTIFICATE = {
  to_name: 'Robin Sample',
  to_email: 'robin@example.com',
  from_name: 'Sam Sample',
  from_email: 'sam@example.com',
  amount: '50',
  balance: '20',
  code: 'ABC-DEF-GHI-JKL',
  status: 'active',
  template: 'general.html',
  message: 'All the best',
  purchase_date: 'Tue, 01 Feb 2022 10:00:00 +0000',
  expiry_date: 'Tue, 01 Feb 2028 10:00:00 +0000',
  currency_code: 'USD',
  customer_id: 0,
}

const certificateDrivers: Driver[] = [
  {
    operation: `GET ${CERTIFICATES}`,
    succeeds: [
      async (shop) => {
        await madeId(shop, CERTIFICATES, CERTIFICATE)
        return { query: 'sort=id&direction=desc&to_email=robin@example.com' }
      },
    ],
    fails: [{ query: 'max_id=many' }],
  },
  {
    operation: `POST ${CERTIFICATES}`,
    succeeds: [{ body: CERTIFICATE }],
    fails: [
      { body: { ...CERTIFICATE, message: 'x'.repeat(251) } },
      { body: { ...CERTIFICATE, currency_code: 'XXX' } },
      async (shop) => {
        await madeId(shop, CERTIFICATES, CERTIFICATE)
        return { body: CERTIFICATE }
      },
    ],
  },
  { operation: `DELETE ${CERTIFICATES}`, succeeds: [{}], fails: [] },
  {
    operation: `GET ${CERTIFICATES}/:certificateId`,
    succeeds: [async (shop) => ({ ids: [await madeId(shop, CERTIFICATES, CERTIFICATE)] })],
    fails: [{ ids: [NOBODY] }],
  },
  {
    operation: `PUT ${CERTIFICATES}/:certificateId`,
    succeeds: [
      async (shop) => ({
        ids: [await madeId(shop, CERTIFICATES, CERTIFICATE)],
        body: { ...CERTIFICATE, balance: '0' },
      }),
    ],
    fails: [{ ids: [NOBODY], body: CERTIFICATE }],
  },
  {
    operation: `DELETE ${CERTIFICATES}/:certificateId`,
    succeeds: [async (shop) => ({ ids: [await madeId(shop, CERTIFICATES, CERTIFICATE)] })],
    fails: [],
  },
]

export const marketingDrivers: Driver[] = [...couponDrivers, ...certificateDrivers]
