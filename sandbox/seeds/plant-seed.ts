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
import { SHOP_PARTS } from './parts.ts'
import { plantAwkward } from './plant-awkward.ts'
import { brandName } from './products/brand-names.ts'
import type { CategoryPlan } from './products/category-names.ts'
import { seedProducts } from './products/products.ts'
import { plantMarketing } from './shop/marketing.ts'
import { plantSecondStorefront } from './shop/second-storefront.ts'
import { SIZES, type Size } from './sizes.ts'

const CATALOGUES = ['empty', 'tiny', 'tiny-catalogue', 'small', 'medium', 'large', 'awkward'] as const

type Catalogue = (typeof CATALOGUES)[number]

/** What a new store contains: a catalogue, with or without a second storefront. */
export type Seed = Catalogue | `${Exclude<Catalogue, 'empty'>}${typeof TWO_STOREFRONTS}`

const TWO_STOREFRONTS = '-two-storefronts'

export const SEEDS: readonly Seed[] = CATALOGUES.flatMap((name): Seed[] =>
  name === 'empty' ? [name] : [name, `${name}${TWO_STOREFRONTS}`],
)

/**
 * Fills a new store; a store that is opened again keeps its content. The same seed gives every store the same content,
 * with different ids.
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
      for (const plant of SHOP_PARTS) plant(store, SIZES[catalogue])
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
      // Only some have pictures, as in real stores. Some are hidden, which a copy easily loses.
      image_url: random() < 0.4 ? `c/category-${slug(path)}.png` : '',
      is_visible: folder === '' || random() >= 0.08,
      default_product_sort: pick(random, ['use_store_settings', 'featured', 'price_asc', 'alpha_asc']),
    })
    plantCategories(store, below, { ...position, parentId: id }, path, random)
  }
}

/** HTML with a link into the store itself, which must still work in a copy. */
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
