import { insertBrand } from '../resources/catalog/brands.ts'
import { insertCategory } from '../resources/catalog/categories.ts'
import { plantDefaultTree } from '../resources/catalog/category-trees.ts'
import { plantDefaultChannel } from '../resources/channels/channels.ts'
import { plantDefaultCurrency } from '../resources/channels/currencies.ts'
import { plantDefaultSite } from '../resources/channels/sites.ts'
import { plantBuiltInTemplates } from '../resources/content/widget-tables.ts'
import { plantDefaultLocation } from '../resources/inventory/location-rows.ts'
import { plantThemeFiles } from '../resources/themes/theme-files.ts'
import { seededRandom, seedOf } from '../store/random.ts'
import type { SqliteStore } from '../store/sqlite-store.ts'
import type { SandboxStore } from '../store/store.ts'
import { slug } from '../store/urls.ts'
import { plantAwkward } from './plant-awkward.ts'
import { brandName } from './products/brand-names.ts'
import { type CategoryPlan, departments, SMALL_CATEGORIES, TINY_CATEGORIES } from './products/category-names.ts'
import { seedProducts } from './products/products.ts'
import { seedBanners, seedScripts } from './shop/banners-and-scripts.ts'
import { seedBlog } from './shop/blog.ts'
import { type ContentPlan, seedContent } from './shop/content.ts'
import { seedCustomers } from './shop/customers.ts'
import { type GroupsAndPrices, plantGroupsAndPrices } from './shop/groups-and-prices.ts'
import { type MarketingPlan, plantMarketing } from './shop/marketing.ts'
import { seedOrders } from './shop/orders.ts'
import { seedPages } from './shop/pages.ts'
import { seedRedirects } from './shop/redirects.ts'
import { seedSearchFilters } from './shop/search-filters.ts'
import { plantSecondStorefront } from './shop/second-storefront.ts'
import { seedSegments } from './shop/segments.ts'
import { seedSettingPictures } from './shop/setting-pictures.ts'
import { seedShipping } from './shop/shipping.ts'
import { seedStock } from './shop/stock.ts'
import { seedChannelSettings, seedCurrencies, seedLocations } from './shop/store-base.ts'
import { seedTax } from './shop/tax.ts'
import { seedWishlists } from './shop/wishlists.ts'

const CATALOGUES = ['empty', 'tiny', 'tiny-catalogue', 'small', 'medium', 'large', 'awkward'] as const

type Catalogue = (typeof CATALOGUES)[number]

/** The content of a new store: a catalogue, or the same with a second storefront. */
export type Seed = Catalogue | `${Exclude<Catalogue, 'empty'>}${typeof TWO_STOREFRONTS}`

const TWO_STOREFRONTS = '-two-storefronts'

export const SEEDS: readonly Seed[] = CATALOGUES.flatMap((name): Seed[] =>
  name === 'empty' ? [name] : [name, `${name}${TWO_STOREFRONTS}`],
)

interface Size {
  categories: CategoryPlan
  brands: number
  products: number
  customers: number
  orders: number
  segments: number
  prices: GroupsAndPrices
  marketing: MarketingPlan
  content: ContentPlan
  /** Shown besides the store's own. */
  currencies: number
  shippingZones: number
  locations: number
  tax: { classes: number; zones: number; properties: number }
  pages: number
  posts: number
  redirects: number
  banners: number
}

const SIZES = {
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

/** Small lists besides the catalogue, which do not depend on the products. */
function baseOf(locations: number) {
  return {
    currencies: Math.min(locations, 4),
    shippingZones: locations + 1,
    locations: locations,
    tax: { classes: Math.min(locations, 3), zones: locations, properties: locations + 1 },
    pages: 4 * locations + 4,
    posts: 6 * locations,
    redirects: 12 * locations,
    content: { pages: locations },
    banners: 4 * locations - 1,
  }
}

/**
 * Fills a new store; a store that is opened again keeps its content. The same seed gives the same content in every
 * store, with other ids.
 */
export function plantSeed(store: SqliteStore, seed: Seed): void {
  if (store.note('seed') !== undefined) return
  const catalogue = catalogueOf(seed)
  store.transaction(() => {
    plantDefaultChannel(store)
    plantDefaultSite(store)
    plantDefaultLocation(store)
    plantDefaultCurrency(store)
    plantThemeFiles(store)
    plantBuiltInTemplates(store)
    const treeId = plantDefaultTree(store).id
    if (catalogue === 'awkward') plantAwkward(store, treeId)
    else if (catalogue === 'tiny-catalogue') plantCatalogue(store, SIZES.tiny, treeId, seededRandom(seedOf('tiny')))
    else if (catalogue !== 'empty') {
      plantCatalogue(store, SIZES[catalogue], treeId, seededRandom(seedOf(catalogue)))
      plantAround(store, SIZES[catalogue])
      plantMarketing(store, SIZES[catalogue].marketing, seededRandom(seedOf(`${catalogue} marketing`)))
    }
    if (catalogue !== seed) plantSecondStorefront(store)
    store.setNote('seed', seed)
  })
}

function catalogueOf(seed: Seed): Catalogue {
  return CATALOGUES.find((name) => seed === name || seed === `${name}${TWO_STOREFRONTS}`) ?? 'empty'
}

function plantCatalogue(store: SandboxStore, size: Size, treeId: number, random: () => number): void {
  plantCategories(store, size.categories, { treeId, parentId: 0 }, '', random)
  for (let n = 0; n < size.brands; n++) plantBrand(store, brandName(n), random)
  seedProducts(store, size.products, random)
}

function plantAround(store: SandboxStore, size: Size): void {
  plantGroupsAndPrices(store, size.prices)
  seedCurrencies(store, size.currencies)
  seedShipping(store, size.shippingZones)
  seedLocations(store, size.locations)
  seedTax(store, size.tax)
  seedChannelSettings(store)
  seedSettingPictures(store)
  seedCustomers(store, size.customers)
  seedWishlists(store)
  seedSegments(store, size.segments)
  seedPages(store, size.pages)
  seedBlog(store, size.posts)
  seedRedirects(store, size.redirects)
  seedContent(store, size.content)
  seedSearchFilters(store)
  seedBanners(store, size.banners)
  seedScripts(store)
  seedStock(store)
  seedOrders(store, size.orders)
}

function pick<T>(random: () => number, from: readonly [T, ...T[]]): T {
  return from[Math.floor(random() * from.length)] ?? from[0]
}

function plantCategories(
  store: SandboxStore,
  plan: CategoryPlan,
  position: { treeId: number; parentId: number },
  folder: string,
  random: () => number,
): void {
  for (const [at, [name, below]] of Object.entries(plan).entries()) {
    const path = `${folder}/${slug(name)}`
    const { id } = insertCategory(store, position, {
      name,
      description: categoryText(name, folder, random),
      sort_order: at,
      page_title: `${name} | Everyday Goods`,
      meta_keywords: [slug(name), pick(random, ['sale', 'new', 'classic'])],
      meta_description: `All ${name.toLowerCase()} at a glance.`,
      search_keywords: slug(name).replaceAll('-', ','),
      // Only some have pictures, as in real stores. Some are hidden, because a copy easily loses those.
      image_url: random() < 0.4 ? `c/category-${slug(path)}.png` : '',
      is_visible: folder === '' || random() >= 0.08,
      default_product_sort: pick(random, ['use_store_settings', 'featured', 'price_asc', 'alpha_asc']),
    })
    plantCategories(store, below, { ...position, parentId: id }, path, random)
  }
}

/** HTML with a link into the store itself. A copy has to keep it working. */
function categoryText(name: string, folder: string, random: () => number): string {
  const tone = pick(random, [
    'Made to last',
    'Chosen by our team',
    'Fresh in this season',
    'Favourites of our regulars',
  ])
  const link = folder ? `<p>Back to <a href="${folder}/">everything in this department</a>.</p>` : ''
  return `<h2>${name.replace('&', '&amp;')}</h2><p>${tone}: <strong>${name.toLowerCase().replace('&', '&amp;')}</strong> for every day.</p>${link}`
}

function plantBrand(store: SandboxStore, name: string, random: () => number): void {
  insertBrand(store, {
    name,
    page_title: `${name} products`,
    meta_keywords: [slug(name), pick(random, ['quality', 'heritage', 'value'])],
    meta_description: `${name}: ${pick(random, ['small workshop, big ideas', 'honest materials', 'since the first store opened'])}.`,
    search_keywords: slug(name).replaceAll('-', ', '),
    image_url: random() < 0.5 ? `b/brand-${slug(name)}.png` : '',
  })
}
