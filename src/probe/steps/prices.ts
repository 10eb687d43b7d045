import { email, mark, ref, type Step } from '../call.ts'
import { type Operation, stepsOf } from '../operations.ts'
import { accepted, last, status } from '../verdict.ts'

const priceList: Operation = {
  key: 'price list',
  path: '/v3/pricelists',
  body: { name: mark('prices'), active: false },
  again: { documented: last(status(409)), seen: last(status(422)) },
  nullable: ['active'],
  one: { path: '/v3/pricelists/{price list}', body: { name: mark('prices-two'), active: false } },
}

const coupon: Operation = {
  key: 'coupon',
  unknownFieldQuick: true,
  path: '/v2/coupons',
  body: {
    name: mark('coupon'),
    code: mark('coupon'),
    type: 'percentage_discount',
    amount: '10',
    min_purchase: '25',
    expires: 'Tue, 01 Feb 2028 10:00:00 +0000',
    enabled: false,
    applies_to: { entity: 'categories', ids: [0] },
    max_uses: 5,
    max_uses_per_customer: 1,
  },
  again: { documented: last(status(409)), seen: last(status(400)) },
  required: ['type', 'amount', 'applies_to'],
  nullable: ['min_purchase', 'expires', 'max_uses', 'restricted_to', 'shipping_methods'],
  texts: ['min_purchase', 'expires'],
  one: {
    path: '/v2/coupons/{coupon}',
    unreadable: true,
    body: {
      name: mark('coupon'),
      code: mark('coupon'),
      type: 'percentage_discount',
      amount: '12',
      applies_to: { entity: 'categories', ids: [0] },
    },
  },
}

const certificateFields = {
  to_name: mark('gift'),
  to_email: email('certificate'),
  from_name: 'Sam Sample',
  from_email: 'sam@example.com',
  amount: '50',
}

const giftCertificate: Operation = {
  key: 'gift certificate',
  path: '/v2/gift_certificates',
  // Without a code, so that the platform generates one: it truncates long codes, so those of variants would be equal.
  body: { ...certificateFields, balance: '20', status: 'pending', currency_code: 'USD' },
  again: null,
  required: ['from_name', 'amount'],
  nullable: ['balance', 'message', 'expiry_date', 'customer_id'],
  texts: ['message', 'expiry_date', 'template'],
  one: { path: '/v2/gift_certificates/{gift certificate}', body: { ...certificateFields, balance: '10' } },
}

const rules = [
  {
    action: { cart_value: { discount: { percentage_amount: '5' } } },
    apply_once: true,
    stop: false,
    condition: { cart: { minimum_spend: '100' } },
  },
]

const promotion: Operation = {
  key: 'promotion',
  path: '/v3/promotions',
  body: {
    name: mark('promotion'),
    redemption_type: 'AUTOMATIC',
    rules,
    status: 'DISABLED',
    start_date: '2034-01-20T22:00:00+00:00',
    currency_code: 'USD',
  },
  again: { documented: last(accepted), seen: last(status(409, 422)), whole: true },
  required: ['rules'],
  nullable: ['end_date', 'max_uses', 'customer', 'channels', 'schedule', 'shipping_address'],
  one: { path: '/v3/promotions/{promotion}', body: { max_uses: 10 } },
}

const couponPromotion: Operation = {
  key: 'coupon promotion',
  path: '/v3/promotions',
  body: { name: mark('codes'), redemption_type: 'COUPON', coupon_type: 'BULK', rules, status: 'DISABLED' },
  again: null,
}

const code: Operation = {
  key: 'promotion code',
  path: '/v3/promotions/{coupon promotion}/codes',
  body: { code: mark('code'), max_uses: 3, max_uses_per_customer: 1 },
  again: { documented: last(status(409, 422)) },
  required: ['code'],
}

const certificateWithCode = { ...certificateFields, code: mark('g1'), status: 'pending' }

const others: Step[] = [
  {
    key: 'gift certificate: code taken',
    question: 'What does a gift certificate with a taken code answer?',
    calls: [
      { method: 'POST', path: '/v2/gift_certificates', body: certificateWithCode },
      { method: 'POST', path: '/v2/gift_certificates', body: certificateWithCode },
    ],
    documented: last(status(409)),
    seen: last(status(400)),
    quick: true,
  },
  {
    key: 'price record: change',
    question: 'What does a price of a variant in a price list answer?',
    calls: [
      {
        method: 'PUT',
        path: '/v3/pricelists/{price list}/records',
        body: [{ variant_id: ref('base variant'), currency: 'usd', price: 9, sale_price: null }],
      },
    ],
    documented: last(accepted),
    quick: true,
  },
  {
    key: 'price record: shown',
    question: 'How are currency and bulk tiers of a price shown?',
    calls: [
      { method: 'GET', path: '/v3/pricelists/{price list}/records', query: { include: 'bulk_pricing_tiers,sku' } },
    ],
    documented: last(status(200)),
    quick: true,
  },
  {
    key: 'price list assignment: change',
    question: 'What does an assignment of a price list to a group answer?',
    calls: [
      {
        method: 'POST',
        path: '/v3/pricelists/assignments',
        body: [{ price_list_id: ref('price list'), customer_group_id: ref('customer group') }],
      },
    ],
    documented: last(accepted),
    quick: true,
  },
  {
    key: 'price list assignments: page',
    question: 'How many rows has a page of assignments without a limit?',
    calls: [{ method: 'GET', path: '/v3/pricelists/assignments' }],
    documented: last(status(200), ({ body }) => perPage(body) === 50),
    seen: last(status(200), ({ body }) => perPage(body) === 10),
    quick: true,
  },
  {
    key: 'coupon: category that does not exist',
    question: 'What does a coupon for a category that does not exist answer?',
    calls: [
      {
        method: 'POST',
        path: '/v2/coupons',
        body: {
          name: mark('strange'),
          code: mark('strange'),
          type: 'percentage_discount',
          amount: '10',
          enabled: false,
          applies_to: { entity: 'categories', ids: [2_000_000_123] },
        },
      },
    ],
    documented: last(accepted),
    seen: last(status(400)),
    quick: true,
  },
  {
    key: 'coupon: date in another form',
    question: 'What does an invalid date of a coupon answer?',
    calls: [
      {
        method: 'POST',
        path: '/v2/coupons',
        body: {
          name: mark('dated'),
          code: mark('dated'),
          type: 'percentage_discount',
          amount: '10',
          enabled: false,
          expires: '1234',
          applies_to: { entity: 'categories', ids: [0] },
        },
      },
    ],
    documented: last(accepted),
    seen: last(status(400)),
    quick: true,
  },
  {
    key: 'promotion: deleted with its codes',
    question: 'May a promotion that has codes be deleted?',
    calls: [{ method: 'DELETE', path: '/v3/promotions/{coupon promotion}' }],
    documented: last(status(204)),
    seen: last(status(422)),
    quick: true,
  },
]

function perPage(body: unknown): unknown {
  return (body as { meta?: { pagination?: { per_page?: unknown } } } | undefined)?.meta?.pagination?.per_page
}

export const priceSteps: Step[] = [
  ...[priceList, coupon, giftCertificate, promotion, couponPromotion, code].flatMap(stepsOf),
  ...others,
]
