import { couponTable } from '../../resources/marketing/coupon-rows.ts'
import { giftCertificateTable } from '../../resources/marketing/gift-certificate-rows.ts'
import { promotionCodeTable, promotionTable } from '../../resources/marketing/promotion-rows.ts'
import { type AwkwardShop, filled, goneId, idIn } from './awkward-shop.ts'

const BORN = 'Thu, 29 Feb 2024 23:59:59 +0000'

/** The fields in which it differs from a plain coupon. */
type Coupon = { name: string; code: string } & Record<string, unknown>

function coupons(shop: AwkwardShop): Coupon[] {
  const sale = idIn(shop.categories, 'Sale')
  const last = idIn(shop.products, 'Last of the awkward')
  const of = (entity: string, ...ids: number[]) => ({ applies_to: { entity, ids } })
  return [
    { name: 'For everything', code: 'EVERYTHING' },
    {
      name: filled('A name as long as it may be. ', 100),
      code: filled('A code as long as it may be ', 49).concat('X'),
    },
    { name: 'Letters of every kind', code: 'a-B_c 9' },
    { name: 'Large letters', code: 'SUMMER' },
    { name: 'Small letters', code: 'summer' },
    {
      name: 'One of its categories gone',
      code: 'PART-GONE',
      ...of('categories', sale, goneId(shop.store, 'categories')),
    },
    { name: 'All of its products gone', code: 'ALL-GONE', ...of('products', goneId(shop.store, 'products')) },
    { name: 'For one product', code: 'LAST-ONE', ...of('products', last) },
    { name: 'Over', code: 'OVER', expires: 'Wed, 01 Jan 2020 00:00:00 +0000' },
    { name: 'Switched off', code: 'OFF', enabled: false },
    { name: 'Used up', code: 'USED-UP', max_uses: 3, num_uses: 3, max_uses_per_customer: 1 },
    { name: 'The smallest amount', code: 'SMALL', type: 'per_item_discount', amount: 0.0001, min_purchase: 0.01 },
    { name: 'Here only', code: 'HERE', restricted_to: { countries: 'AU,NZ' }, shipping_methods: ['shipping_flatrate'] },
  ]
}

const SOLD = 1_709_251_199

const CERTIFICATES: readonly ({ code: string } & Record<string, unknown>)[] = [
  { code: 'PLAIN-CERT' },
  { code: filled('TWENTY-CHARACTERS', 20) },
  { code: 'Both-Cases' },
  { code: 'BOTH-CASES' },
  { code: 'SPENT-CERT', balance: 0, status: 'disabled' },
  { code: 'OVER-CERT', expiry_date: '1577836800', status: 'expired' },
  {
    code: 'LONG-TEXTS',
    message: filled('Alles Gute, 🎁 よろしく! ', 250),
    to_name: 'Zoë Ünïcode',
    template: 'girl.html',
  },
  { code: 'UNKNOWN-CUSTOMER', customer_id: 99_999_999 },
  { code: 'CENTS', amount: 0.01, balance: 0.01 },
]

const spend = { condition: { cart: { minimum_spend: '10' } }, apply_once: true, stop: false }
const off = { action: { cart_value: { discount: { percentage_amount: '5' } } }, ...spend }

/** The fields in which each differs from a plain promotion, with its codes. */
function promotions(shop: AwkwardShop): Record<string, unknown>[] {
  const [gone, last] = [goneId(shop.store, 'products'), idIn(shop.products, 'Last of the awkward')]
  const items = (...ids: number[]) => ({
    ...off,
    condition: { cart: { items: { and: [{ not: { or: [{ products: ids }] } }] }, minimum_quantity: 1 } },
  })
  const coupon = { redemption_type: 'COUPON', coupon_type: 'BULK' }
  const alone = { can_be_used_with_other_promotions: false, coupon_overrides_other_promotions: true }
  return [
    { name: 'Two of one name' },
    { name: 'Two of one name', rules: [items(last)] },
    { name: 'Two of one name', ...coupon, coupon_type: 'SINGLE', codes: ['ONE-NAME'] },
    { name: 'Product gone', rules: [items(last, gone)] },
    { name: 'All products gone', rules: [items(gone)] },
    { name: 'Gift gone', rules: [{ ...spend, action: { gift_item: { quantity: 1, product_id: gone } } }] },
    { name: 'Group gone', customer: { group_ids: [0, 99_999_999], minimum_order_count: 0, excluded_group_ids: [] } },
    { name: 'Zone gone', rules: [{ ...spend, action: { shipping: { zone_ids: [99_999_999] } } }] },
    { name: 'Invalid', status: 'INVALID' },
    { name: 'Over', end_date: '2020-01-01T00:00:00+00:00' },
    {
      name: 'Alone',
      ...coupon,
      coupon_type: 'SINGLE',
      ...alone,
      codes: [filled('Fifty characters long ', 49).concat('X')],
    },
    { name: 'Codes of two cases', ...coupon, codes: ['Winter', 'WINTER', 'winter sale_1-a'] },
    { name: 'No code yet', ...coupon },
    {
      name: 'Only there, only then',
      shipping_address: { not: { countries: [{ iso2_country_code: 'AU' }] } },
      schedule: {
        ...{ week_frequency: 2, week_days: ['Monday', 'Sunday'] },
        ...{ daily_start_time: '00:00:00', daily_end_time: '23:59:59' },
      },
    },
  ]
}

function plantPromotions(shop: AwkwardShop): void {
  const { store } = shop
  for (const { codes = [], ...fields } of promotions(shop)) {
    const { id } = promotionTable(store).insert({
      ...{ redemption_type: 'AUTOMATIC', display_name: '', created_from: 'legacy_ui', channels: [] },
      ...{ customer: { group_ids: [], minimum_order_count: 0, excluded_group_ids: [] }, rules: [off] },
      ...{ current_uses: 0, max_uses: null, status: 'ENABLED', start_date: '2024-02-29T23:59:59+00:00' },
      ...{ end_date: null, stop: false, can_be_used_with_other_promotions: true, currency_code: 'USD' },
      ...{ notifications: [], ...(fields.redemption_type === 'COUPON' && OF_COUPON) },
      ...fields,
    })
    for (const code of codes as string[])
      promotionCodeTable(store).insert({
        ...{ promotion_id: id, code, max_uses: 0, max_uses_per_customer: 0, current_uses: 0 },
        created: '2024-02-29T23:59:59+00:00',
      })
  }
}

const OF_COUPON = {
  coupon_type: 'SINGLE',
  coupon_overrides_other_promotions: false,
  coupon_overrides_automatic_when_offering_higher_discounts: false,
}

/** Adds codes that are alike, at their limits or expired, and coupons for deleted items. */
export function plantAwkwardMarketing(shop: AwkwardShop): void {
  const { store } = shop
  plantPromotions(shop)
  for (const fields of coupons(shop))
    couponTable(store).insert({
      type: 'percentage_discount',
      amount: 10,
      min_purchase: 0,
      expires: '',
      enabled: true,
      applies_to: { entity: 'categories', ids: [0] },
      num_uses: 0,
      max_uses: 0,
      max_uses_per_customer: 0,
      restricted_to: {},
      shipping_methods: [],
      date_created: BORN,
      ...fields,
    })
  for (const fields of CERTIFICATES)
    giftCertificateTable(store).insert({
      to_name: 'Robin Sample',
      to_email: 'robin@example.com',
      from_name: 'Kim Example',
      from_email: 'kim@example.com',
      amount: 50,
      balance: 50,
      purchase_date: String(SOLD),
      expiry_date: '0',
      customer_id: 0,
      order_id: 0,
      template: 'general.html',
      message: '',
      status: 'active',
      currency_code: 'USD',
      ...fields,
    })
}
