import { insertCategory } from '../../resources/catalog/categories.ts'
import { categoriesTable } from '../../tables/category-tables.ts'
import { categoryMetafieldTable, productCategoryTable } from '../../tables/product-tables.ts'
import { type AwkwardShop, filled, goneId, idIn } from './awkward-shop.ts'
import { seedMetafieldsOfEveryKind } from './metafields.ts'

const DEEPEST = 'Level 1/Level 2/Level 3/Level 4/Level 5/Level 6/Level 7/Level 8'
const LONGEST = filled('A category whose name is as long as it may be. ', 50)

/** Paths, parents first, with the fields in which each differs from a plain category. */
const CATEGORIES: readonly [path: string, fields?: Record<string, unknown>][] = [
  ['Men', { default_product_sort: 'featured' }],
  ['Women', { default_product_sort: 'newest' }],
  ['Kids', { default_product_sort: 'best_selling' }],
  ['Men/Shoes', { default_product_sort: 'alpha_asc' }],
  ['Women/Shoes', { default_product_sort: 'alpha_desc' }],
  // The same name as another, except for its case and its parent.
  ['Kids/SHOES', { default_product_sort: 'avg_customer_review' }],
  ['Women/Shoes/Shoes', { default_product_sort: 'price_asc' }],
  ['Sale', { default_product_sort: 'price_desc', sort_order: -5 }],
  ...DEEPEST.split('/').map((_name, at, names): [string] => [names.slice(0, at + 1).join('/')]),
  [LONGEST, { description: filled('<p>Long &amp; longer.</p>', 65_535), meta_description: filled('long ', 65_535) }],
  ['Crème'.normalize('NFC')],
  ['Crème'.normalize('NFD')],
  ['👗 Party 🎉'],
  ['أحذية', { description: '<div dir="rtl">أحذية <b>جديدة</b> 2027</div>' }],
  ['נעליים'],
  ['Nuts & Bolts <b>"loose"</b>'],
  ['2027', { sort_order: 2_147_483_647 }],
  ['null', { page_title: '', meta_keywords: ['', 'null', 'a,b', '"quoted"'], search_keywords: filled('word,', 255) }],
  ['Hidden', { is_visible: false }],
  ['Hidden/Seen', { is_visible: true }],
  ['Empty category', { sort_order: 3 }],
  ['Same place 1', { sort_order: 3 }],
  ['Same place 2', { sort_order: 3 }],
  ['Chosen address', { url: { path: '/Chosen.Address/UPPER_case-1.html' } }],
  ['With a picture', { image_url: 'c/category-with-a-picture.png' }],
  ['Picture gone', { image_url: 'c/missing-category.png' }],
]

/** Also adds a category below one that was created later, one below a deleted parent, and two that are below each other. */
export function plantAwkwardCategories(shop: AwkwardShop): void {
  for (const [path, fields = {}] of CATEGORIES) plantCategory(shop, path, fields)
  const older = plantCategory(shop, 'Older than its parent', {})
  const parent_id = plantCategory(shop, 'Younger than its child', {})
  categoriesTable(shop.store).update(older, { parent_id })
  const orphan = plantCategory(shop, 'Parent gone', {})
  categoriesTable(shop.store).update(orphan, { parent_id: goneId(shop.store, 'categories') })
  const one = plantCategory(shop, 'Below the other', {})
  const other = plantCategory(shop, 'Below the one', {})
  categoriesTable(shop.store).update(one, { parent_id: other })
  categoriesTable(shop.store).update(other, { parent_id: one })
  seedMetafieldsOfEveryKind(shop.store, 'category', categoryMetafieldTable(shop.store), parent_id)
}

/** Gives two products the same sort order and one the highest possible; the others get none. */
export function putInOddOrder({ store, categories }: AwkwardShop): void {
  const links = productCategoryTable(store).find({ category_id: idIn(categories, 'Sale') })
  for (const [at, sort_order] of [7, 0, 7, 2_147_483_647].entries()) {
    const link = links[at]
    if (link) productCategoryTable(store).update(link.id, { sort_order })
  }
}

function plantCategory(shop: AwkwardShop, path: string, fields: Record<string, unknown>): number {
  const names = path.split('/')
  const parentId = shop.categories.get(names.slice(0, -1).join('/')) ?? 0
  // The name of a top category may contain a slash.
  const name = parentId === 0 ? path : names.at(-1)
  const { id } = insertCategory(shop.store, { treeId: shop.treeId, parentId }, { name, ...fields })
  shop.categories.set(path, id)
  return id
}
