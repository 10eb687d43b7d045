import { brandsTable } from '../../resources/catalog/brands.ts'
import { insertScript } from '../../resources/content/script-rows.ts'
import { insertBanner } from '../../resources/marketing/banner-rows.ts'
import type { SandboxStore, Table } from '../../store/store.ts'
import { categoriesTable } from '../../tables/category-tables.ts'

const BORN = '1709631000'
const MADE = '2024-03-05T09:30:00Z'

/**
 * The pages of banners, with the item that each page is about; 0 means all. Categories come last, because in a small
 * store none are left for banners.
 */
function bannerTargets(store: SandboxStore) {
  return [
    { page: 'home_page', item_id: '0' },
    { page: 'brand_page', item_id: lastId(brandsTable(store)) },
    { page: 'search_page', item_id: '0' },
    { page: 'category_page', item_id: lastId(categoriesTable(store)) },
    { page: 'brand_page', item_id: '0' },
  ]
}

function lastId(table: Table): string {
  return String(table.page({ offset: table.count() - 1, limit: 1 }).rows[0]?.id ?? 0)
}

/** Adds banners: some always visible, some for a period, and some not visible now. */
export function seedBanners(store: SandboxStore, count: number): void {
  const locations = bannerTargets(store)
  for (let n = 0; n < count; n++)
    insertBanner(
      store,
      {
        name: `Banner ${n + 1}`,
        content: `<p><strong>Offer ${n + 1}</strong>: <a href="/sale/">have a look</a> &amp; save.</p>`,
        location: n % 2 === 0 ? 'top' : 'bottom',
        ...locations[n % locations.length],
        ...(n % 3 === 1 && { date_type: 'custom', date_from: '1717200000', date_to: '2051222400' }),
        ...(n % 4 === 2 && { visible: '0' }),
      },
      BORN,
    )
}

const KINDS = [
  {
    name: 'Reviews widget',
    src: 'https://widgets.example/reviews.js',
    load_method: 'async',
    location: 'footer',
    consent_category: 'functional',
    integrity_hashes: ['sha384-DgtwqxoPLKnJSER+TUmSPIpE6ZbVb2ZZwR241HHiqJipLiZQPN/JkKX5xxrEHUTt'],
  },
  {
    name: 'Greeting',
    description: 'Says hello & goodbye',
    kind: 'script_tag',
    html: '<script>if (a < b && c) { greet("hello") }</script>',
    consent_category: 'essential',
  },
  { name: 'Old counter', src: '//widgets.example/counter.js', enabled: false, auto_uninstall: true },
]

/** Adds scripts that belong to the main account. A client sees only its own. */
export function seedScripts(store: SandboxStore): void {
  for (const fields of KINDS) insertScript(store, fields, `client${store.hash}`, MADE)
}
