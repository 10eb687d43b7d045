import { brandsTable } from '../../resources/catalog/brands.ts'
import { sitesTable } from '../../resources/channels/sites.ts'
import { blogPostTable } from '../../resources/content/blog-rows.ts'
import { pageTable } from '../../resources/content/page-rows.ts'
import { upsertRedirect } from '../../resources/content/redirect-rows.ts'
import type { SandboxStore, Table } from '../../store/store.ts'
import { categoriesTable } from '../../tables/category-tables.ts'
import { productTable } from '../../tables/product-tables.ts'

/**
 * Adds redirects from the addresses of an earlier shop, each to an item, one kind after another. Every sixth leads to
 * an address instead.
 */
export function seedRedirects(store: SandboxStore, count: number): void {
  const site_id = sitesTable(store).find({})[0]?.id
  const firsts = (table: Table) => table.page({ offset: 0, limit: 50 }).rows
  const kinds = [
    ['product', firsts(productTable(store))],
    ['category', firsts(categoriesTable(store))],
    ['brand', firsts(brandsTable(store))],
    ['page', firsts(pageTable(store))],
    ['post', firsts(blogPostTable(store))],
  ] as const
  for (let n = 0; n < count; n++) {
    const [type, rows] = kinds[n % (kinds.length + 1)] ?? ['url', []]
    // Takes every fourth item: if there are two storefronts, these products are on the first too.
    const row = rows[(4 * Math.floor(n / kinds.length)) % (rows.length || 1)]
    const to = row ? { type, entity_id: row.id } : { type: 'url', url: n % 4 === 1 ? '/about-us/' : `/blog/?page=${n}` }
    upsertRedirect(store, { site_id, from_path: `/old-shop/${n % 3 === 0 ? 'item.php' : 'page'}-${n}`, to })
  }
}
