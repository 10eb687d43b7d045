import { brandsTable } from '../../resources/catalog/brands.ts'
import { couponTable } from '../../resources/marketing/coupon-rows.ts'
import { giftCertificateTable } from '../../resources/marketing/gift-certificate-rows.ts'
import { promotionCodeTable, promotionTable } from '../../resources/marketing/promotion-rows.ts'
import type { SandboxStore } from '../../store/store.ts'
import { categoriesTable } from '../../tables/category-tables.ts'
import { customerTable } from '../../tables/customer-tables.ts'
import { productTable, variantTable } from '../../tables/product-tables.ts'

/** How many of each a store has. */
export interface MarketingPlan {
  coupons: number
  certificates: number
  promotions: number
}

const BORN = 'Tue, 05 Mar 2024 09:30:00 +0000'
const ENDS = 'Sun, 31 Dec 2034 23:59:59 +0000'

const OFFERS = [
  ['Welcome', 'percentage_discount', 10],
  ['Five off', 'per_total_discount', 5],
  ['Each item less', 'per_item_discount', 1.5],
  ['Free delivery', 'free_shipping', 0],
  ['Delivery for less', 'shipping_discount', 2.95],
] as const

const PEOPLE = ['Robin Sample', 'Kim Example', 'Alex Specimen', 'Jo Placeholder', 'Sascha Muster'] as const
const GREETINGS = ['', 'Happy birthday!', 'With many thanks', 'Enjoy your new home'] as const
const TEMPLATES = ['general.html', 'birthday.html', 'celebration.html'] as const

/**
 * Adds coupons for all products, for categories and for products; and gift certificates that are new, used up or
 * expired.
 */
export function plantMarketing(store: SandboxStore, plan: MarketingPlan, random: () => number): void {
  const ids = { categories: firstIds(categoriesTable(store)), products: firstIds(productTable(store)) }
  const customerId = customerTable(store).page({ offset: 1, limit: 1 }).rows[0]?.id ?? 0
  for (let n = 0; n < plan.coupons; n++) couponTable(store).insert(couponRow(n, ids, random))
  for (let n = 0; n < plan.certificates; n++) giftCertificateTable(store).insert(certificateRow(n, random, customerId))
  const named = { ...ids, brands: firstIds(brandsTable(store)), variants: firstIds(variantTable(store)) }
  for (let n = 0; n < plan.promotions; n++) plantPromotion(store, n, named)
}

function firstIds(table: ReturnType<typeof productTable>): number[] {
  return table.page({ offset: 0, limit: 100 }).rows.map(({ id }) => id)
}

type Named = Record<'brands' | 'categories' | 'products' | 'variants', number[]>

const discount = { percentage_amount: '10' }

/** Rules with every kind of action, and with ids at every depth at which they may occur. */
function rulesOf(n: number, { brands, categories, products, variants }: Named) {
  // Rules refer to few items, so no rule mentions most of a small store.
  const few = n % 2
  const kinds = [
    {
      action: { cart_items: { discount, items: { categories: [at(categories, few)] }, strategy: 'LEAST_EXPENSIVE' } },
      condition: {
        cart: {
          items: { and: [{ brands: brands.slice(0, 2) }, { not: { products: [at(products, few)] } }] },
          minimum_quantity: 2,
        },
      },
    },
    {
      action: { gift_item: { quantity: 1, product_id: at(products, few) } },
      condition: {
        cart: { items: { or: [{ variants: [at(variants, few)] }, { products: [at(products, few + 1)] }] } },
      },
    },
    { action: { shipping: { free_shipping: true, zone_ids: '*' } }, condition: { cart: { minimum_spend: '50' } } },
    {
      action: { fixed_price_set: { quantity: 3, fixed_price: '20', items: { products: [at(products, few)] } } },
    },
    { action: { cart_value: { discount: { fixed_amount: '5' }, maximum_allowed_discount_amount: '20' } } },
  ]
  return [n, n + 1].map((one) => ({ ...at(kinds, one), apply_once: one % 2 === 0, stop: false }))
}

/** Adds promotions without a code, with one code, and with several codes, in turn. */
function plantPromotion(store: SandboxStore, n: number, named: Named): void {
  const kind = n % 3
  const ofCoupon = {
    coupon_type: kind === 1 ? 'SINGLE' : 'BULK',
    coupon_overrides_other_promotions: false,
    coupon_overrides_automatic_when_offering_higher_discounts: false,
  }
  const { id } = promotionTable(store).insert({
    redemption_type: kind === 0 ? 'AUTOMATIC' : 'COUPON',
    name: `Promotion ${n + 1}`,
    display_name: n % 2 === 0 ? `A present for you ${n + 1}` : '',
    created_from: 'react_ui',
    channels: n % 2 === 0 ? [{ id: 1 }] : [],
    customer: { group_ids: [], minimum_order_count: n % 4, excluded_group_ids: [] },
    rules: rulesOf(n, named),
    current_uses: n,
    max_uses: n % 2 === 0 ? null : 500,
    status: n % 4 === 2 ? 'DISABLED' : 'ENABLED',
    start_date: '2024-03-05T09:30:00+00:00',
    end_date: n % 2 === 0 ? null : '2034-12-31T23:59:59+00:00',
    stop: n % 3 === 0,
    can_be_used_with_other_promotions: n % 2 === 0,
    currency_code: 'USD',
    notifications: n % 2 === 0 ? [] : [{ content: 'Yours', type: 'APPLIED', locations: ['CART_PAGE'] }],
    ...(kind === 0 ? {} : ofCoupon),
  })
  const codes = kind === 0 ? 0 : kind === 1 ? 1 : 3
  for (let code = 0; code < codes; code++)
    promotionCodeTable(store).insert({
      promotion_id: id,
      code: `PROMO-${n + 1}-${code + 1}`,
      max_uses: code * 10,
      max_uses_per_customer: code,
      current_uses: code,
      created: '2024-03-05T09:30:00+00:00',
    })
}

function at<T>(list: readonly T[], n: number): T {
  return list[n % list.length] as T
}

function couponRow(n: number, ids: Record<'categories' | 'products', number[]>, random: () => number) {
  const [title, type, amount] = at(OFFERS, n)
  const entity = n % 3 === 2 ? 'products' : 'categories'
  const of = [0, 1].map((step) => at(ids[entity], n + step * 3))
  return {
    name: `${title} ${n + 1}`,
    type,
    amount,
    min_purchase: n % 2 === 0 ? 0 : 10 + Math.floor(random() * 40),
    expires: n % 2 === 0 ? '' : ENDS,
    enabled: n % 4 !== 3,
    code: `${title.toUpperCase().replaceAll(' ', '-')}-${100 + n}`,
    applies_to: { entity, ids: n % 3 === 0 ? [0] : of },
    num_uses: Math.floor(random() * 5),
    max_uses: n % 3 === 1 ? 250 : 0,
    max_uses_per_customer: n % 2,
    restricted_to: n % 3 === 1 ? { countries: 'AU' } : {},
    shipping_methods: n % 3 === 1 ? ['shipping_flatrate'] : [],
    date_created: BORN,
  }
}

/** In Unix time, as on the platform. */
const SOLD = 1_709_631_000
const YEAR = 31_536_000

function certificateRow(n: number, random: () => number, customerId: number) {
  const [to, from] = [at(PEOPLE, n), at(PEOPLE, n + 1)]
  const amount = at([25, 50, 100], n)
  const spent = n % 3 === 2
  return {
    to_name: to,
    to_email: `${to.toLowerCase().replace(' ', '.')}@example.com`,
    from_name: from,
    from_email: `${from.toLowerCase().replace(' ', '.')}@example.com`,
    amount,
    balance: spent ? 0 : Math.round(amount * (n % 3 === 0 ? 1 : random()) * 100) / 100,
    purchase_date: String(SOLD + n * 3_600),
    expiry_date: n % 2 === 0 ? '0' : String(SOLD + 10 * YEAR),
    // One certificate belongs to a customer.
    customer_id: n === 1 ? customerId : 0,
    order_id: 0,
    template: at(TEMPLATES, n),
    message: at(GREETINGS, n),
    code: `GIFT-${String(n).padStart(4, '0')}-AB${n % 10}`,
    status: at(['active', 'active', 'expired', 'disabled', 'pending'], n),
    currency_code: 'USD',
  }
}
