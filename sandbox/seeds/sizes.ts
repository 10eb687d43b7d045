import { type CategoryPlan, departments, SMALL_CATEGORIES, TINY_CATEGORIES } from './products/category-names.ts'
import type { ContentPlan } from './shop/content.ts'
import type { GroupsAndPrices } from './shop/groups-and-prices.ts'
import type { MarketingPlan } from './shop/marketing.ts'

/** How much of everything a seed has. */
export interface Size {
  /** 1 for the smallest seed. Sets the length of small lists that have no field of their own. */
  scale: number
  categories: CategoryPlan
  brands: number
  products: number
  customers: number
  orders: number
  segments: number
  prices: GroupsAndPrices
  marketing: MarketingPlan
  content: ContentPlan
  /** Display currencies, besides the store's own. */
  currencies: number
  shippingZones: number
  tax: { classes: number; zones: number; properties: number }
  pages: number
  posts: number
  redirects: number
  banners: number
}

export const SIZES = {
  tiny: {
    categories: TINY_CATEGORIES,
    brands: 4,
    products: 12,
    customers: 5,
    orders: 9,
    segments: 3,
    prices: { groups: 3, priceLists: 1, pricesPerList: 5 },
    marketing: { coupons: 4, certificates: 3, promotions: 4 },
    ...baseOf(1),
  },
  small: {
    categories: SMALL_CATEGORIES,
    brands: 40,
    products: 1_000,
    customers: 30,
    orders: 60,
    segments: 4,
    prices: { groups: 6, priceLists: 2, pricesPerList: 300 },
    marketing: { coupons: 20, certificates: 40, promotions: 12 },
    ...baseOf(3),
  },
  medium: {
    categories: departments(4, 5, []),
    brands: 200,
    products: 10_000,
    customers: 20_000,
    orders: 20_000,
    segments: 20,
    marketing: { coupons: 200, certificates: 500, promotions: 100 },
    prices: { groups: 20, priceLists: 5, pricesPerList: 3_000 },
    ...baseOf(8),
  },
  large: {
    categories: departments(9, 5, ['Outlet']),
    brands: 400,
    products: 100_000,
    customers: 50_000,
    orders: 40_000,
    segments: 60,
    marketing: { coupons: 300, certificates: 1000, promotions: 150 },
    prices: { groups: 40, priceLists: 10, pricesPerList: 10_000 },
    ...baseOf(8),
  },
}

/** Sizes of small lists that do not depend on the number of products. */
function baseOf(scale: number) {
  return {
    scale,
    currencies: Math.min(scale, 4),
    shippingZones: scale + 1,
    tax: { classes: Math.min(scale, 3), zones: scale, properties: scale + 1 },
    pages: 4 * scale + 4,
    posts: 6 * scale,
    redirects: 12 * scale,
    content: { pages: scale },
    banners: 4 * scale - 1,
  }
}
