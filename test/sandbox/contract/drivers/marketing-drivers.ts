import { NO_SUCH_ID, type Shop } from './contract-shop.ts'
import { at, type Driver, drive } from './driver.ts'

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
  drive(
    `GET ${COUPONS}`,
    async (shop) => {
      await madeId(shop, COUPONS, COUPON)
      return { query: 'min_id=1&limit=10&exclude_type=promotion' }
    },
    { query: 'min_id=many' },
  ),
  drive(`POST ${COUPONS}`, { body: COUPON }, [
    { body: { ...COUPON, type: 'a kind of its own' } },
    { body: { ...COUPON, applies_to: { entity: 'brands', ids: [1] } } },
    async (shop) => {
      await madeId(shop, COUPONS, COUPON)
      return { body: { ...COUPON, name: 'Another' } }
    },
  ]),
  drive(`DELETE ${COUPONS}`, [{ query: 'id:in=1,2' }, {}], { query: 'id:in=many' }),
  // Nothing but who asks can be wrong with a count.
  drive(`GET ${COUPONS}/count`),
  drive(
    `PUT ${COUPONS}/:couponId`,
    async (shop) => ({ ids: [await madeId(shop, COUPONS, COUPON)], body: { ...COUPON, amount: '12' } }),
    { ids: [NO_SUCH_ID], body: COUPON },
  ),
  // One that is not there is as good as deleted.
  drive(`DELETE ${COUPONS}/:couponId`, async (shop) => ({ ids: [await madeId(shop, COUPONS, COUPON)] }), []),
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
  drive(
    `GET ${CERTIFICATES}`,
    async (shop) => {
      await madeId(shop, CERTIFICATES, CERTIFICATE)
      return { query: 'sort=id&direction=desc&to_email=robin@example.com' }
    },
    { query: 'max_id=many' },
  ),
  drive(`POST ${CERTIFICATES}`, { body: CERTIFICATE }, [
    { body: { ...CERTIFICATE, message: 'x'.repeat(251) } },
    { body: { ...CERTIFICATE, currency_code: 'XXX' } },
    async (shop) => {
      await madeId(shop, CERTIFICATES, CERTIFICATE)
      return { body: CERTIFICATE }
    },
  ]),
  drive(`DELETE ${CERTIFICATES}`),
  drive(`GET ${CERTIFICATES}/:certificateId`, async (shop) => ({
    ids: [await madeId(shop, CERTIFICATES, CERTIFICATE)],
  })),
  drive(
    `PUT ${CERTIFICATES}/:certificateId`,
    async (shop) => ({
      ids: [await madeId(shop, CERTIFICATES, CERTIFICATE)],
      body: { ...CERTIFICATE, balance: '0' },
    }),
    { ids: [NO_SUCH_ID], body: CERTIFICATE },
  ),
  drive(
    `DELETE ${CERTIFICATES}/:certificateId`,
    async (shop) => ({ ids: [await madeId(shop, CERTIFICATES, CERTIFICATE)] }),
    [],
  ),
]

const PROMOTIONS = '/v3/promotions'
const PROMOTION = {
  name: 'Two for one',
  redemption_type: 'AUTOMATIC',
  display_name: 'Two for the price of one',
  channels: [{ id: 1 }],
  customer: { group_ids: [], minimum_order_count: 0, excluded_group_ids: [] },
  rules: [
    {
      action: { cart_items: { discount: { percentage_amount: '100' }, quantity: 1, items: { products: [1] } } },
      apply_once: true,
      stop: false,
      condition: { cart: { items: { not: { brands: [1, 2] } }, minimum_quantity: 1 } },
    },
  ],
  max_uses: 10,
  status: 'DISABLED',
  start_date: '2024-01-20T22:00:00+00:00',
  end_date: '2034-01-20T22:00:00+00:00',
  stop: false,
  can_be_used_with_other_promotions: true,
  currency_code: 'USD',
  notifications: [{ content: 'One is yours', type: 'APPLIED', locations: ['CART_PAGE'] }],
  shipping_address: { countries: [{ iso2_country_code: 'US' }] },
  schedule: { week_frequency: 2, week_days: ['Monday'], daily_start_time: '01:20:00', daily_end_time: '23:59:00' },
}
const WITH_CODES = { ...PROMOTION, name: 'With codes', redemption_type: 'COUPON', coupon_type: 'BULK' }

async function aPromotion({ made }: Shop, body: object = PROMOTION): Promise<number> {
  return (await made('POST', PROMOTIONS, body)).id
}

async function withCode(shop: Shop): Promise<{ promotion: number; code: number }> {
  const promotion = await aPromotion(shop, WITH_CODES)
  const { id } = await shop.made('POST', `${PROMOTIONS}/${promotion}/codes`, { code: 'TEST_COUPON' })
  return { promotion, code: id }
}

const promotionDrivers: Driver[] = [
  drive(`GET ${PROMOTIONS}`, async (shop) => {
    await aPromotion(shop)
    await withCode(shop)
    return { query: 'channels=1&sort=name&direction=desc' }
  }),
  drive(
    `POST ${PROMOTIONS}`,
    [{ body: PROMOTION }, { body: WITH_CODES }],
    [{ body: { ...PROMOTION, rules: [] } }, { body: { ...PROMOTION, redemption_type: 'BY_MAIL' } }],
  ),
  drive(`DELETE ${PROMOTIONS}`, async (shop) => ({ query: `id:in=${await aPromotion(shop)}` }), [
    {},
    async (shop) => ({ query: `id:in=${(await withCode(shop)).promotion}` }),
  ]),
  drive(`GET ${PROMOTIONS}/:promotionId`, at(aPromotion)),
  drive(`PUT ${PROMOTIONS}/:promotionId`, at(aPromotion, { body: { status: 'ENABLED' } }), {
    ids: [NO_SUCH_ID],
    body: { status: 'ENABLED' },
  }),
  drive(`DELETE ${PROMOTIONS}/:promotionId`, at(aPromotion), async (shop) => ({
    ids: [(await withCode(shop)).promotion],
  })),
  drive(`GET ${PROMOTIONS}/:promotionId/codes`, async (shop) => ({ ids: [(await withCode(shop)).promotion] })),
  drive(
    `POST ${PROMOTIONS}/:promotionId/codes`,
    async (shop) => ({
      ids: [await aPromotion(shop, WITH_CODES)],
      body: { code: 'MY-CODE 1', max_uses: 3, max_uses_per_customer: 1 },
    }),
    [
      async (shop) => ({ ids: [(await withCode(shop)).promotion], body: { code: 'TEST_COUPON' } }),
      at(aPromotion, { body: { code: 'NO-COUPON' } }),
    ],
  ),
  drive(
    `DELETE ${PROMOTIONS}/:promotionId/codes`,
    async (shop) => {
      const { promotion, code } = await withCode(shop)
      return { ids: [promotion], query: `id:in=${code}` }
    },
    [
      async (shop) => ({ ids: [(await withCode(shop)).promotion] }),
      async (shop) => ({ ids: [(await withCode(shop)).promotion], query: `id:in=${NO_SUCH_ID}` }),
    ],
  ),
  drive(
    `DELETE ${PROMOTIONS}/:promotionId/codes/:codeId`,
    async (shop) => {
      const { promotion, code } = await withCode(shop)
      return { ids: [promotion, code] }
    },
    [],
  ),
  drive(
    `GET ${PROMOTIONS}/codes`,
    async (shop) => {
      await withCode(shop)
      return { query: 'code=TEST_COUPON' }
    },
    {},
  ),
  drive(`DELETE ${PROMOTIONS}/codes`, { query: 'code=TEST_COUPON' }, {}),
  drive(
    `POST ${PROMOTIONS}/:promotionId/codegen`,
    async (shop) => ({ ids: [await aPromotion(shop, WITH_CODES)], body: { batch_size: 5, max_uses: 1 } }),
    async (shop) => ({ ids: [await aPromotion(shop, WITH_CODES)], body: { batch_size: 251 } }),
  ),
]

const SETTINGS = `${PROMOTIONS}/settings`

const settingDrivers: Driver[] = [
  drive(`GET ${SETTINGS}`),
  drive(`PUT ${SETTINGS}`, async ({ call }) => ({ body: (await call({ method: 'GET', path: SETTINGS })).body }), {
    body: { number_of_coupons_allowed_at_checkout: 6 },
  }),
]

export const marketingDrivers: Driver[] = [
  ...couponDrivers,
  ...certificateDrivers,
  ...promotionDrivers,
  ...settingDrivers,
]
