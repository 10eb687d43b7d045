import type { SandboxStore, Table } from '../../store/store.ts'

/** Kinds of items that may have their own template. */
export const ENTITY_TYPES = ['product', 'category', 'brand', 'page'] as const
export type EntityType = (typeof ENTITY_TYPES)[number]

/** Global regions, which are recognised by how their names end. Source: Widgets, "Global regions". */
const GLOBAL_REGIONS = ['header_bottom--global', 'footer_below--global']

/** The files of the initial theme, with the regions in each. */
const REGIONS: Record<string, readonly string[]> = {
  'pages/home': ['home_below_menu', 'home_below_carousel', 'home_below_featured_products', 'home_below_new_products'],
  'pages/product': ['product_below_price', 'product_below_content'],
  'pages/category': ['category_below_header', 'category_below_content'],
  'pages/brand': ['brand_below_header', 'brand_below_content'],
  'pages/brands': ['brands_below_header'],
  'pages/page': ['page_builder_content'],
  'pages/contact-us': ['contact_us_below_header'],
  'pages/cart': ['cart_below_totals'],
  'pages/blog': ['blog_below_header'],
  'pages/blog-post': ['blog_post_below_content'],
  'pages/search': ['search_below_header'],
  'pages/404': ['error_below_header'],
}

/** Files that the merchant has added to the initial theme for single items. */
const BORN_WITH: readonly [EntityType, string][] = [
  ['product', 'custom-product-1.html'],
  ['category', 'custom-category-1.html'],
  ['category', 'landing.html'],
  ['brand', 'custom-brand-1.html'],
  ['page', 'custom-page-1.html'],
]

export const customTemplateTable = (store: SandboxStore): Table =>
  store.table('theme_custom_templates', ['entity_type', 'file_name'])

export function plantThemeFiles(store: SandboxStore): void {
  for (const [entity_type, file_name] of BORN_WITH) customTemplateTable(store).insert({ entity_type, file_name })
}

/** `pages/custom/<type>/<name>` is the file `<name>.html` for items of that type. */
const CUSTOM = /^pages\/custom\/(product|category|brand|page)\/(.+)$/

/** The kind of item that the pages of a file are about; undefined for files such as the home page. */
export function entityTypeOf(templateFile: string): EntityType | undefined {
  const name = CUSTOM.exec(templateFile)?.[1] ?? /^pages\/(product|category|brand|page)$/.exec(templateFile)?.[1]
  return ENTITY_TYPES.find((type) => type === name)
}

/** The regions of a file in a theme with these custom files, global ones last; undefined if there is no such file. */
export function regionsIn(
  templateFile: string,
  hasCustom: (type: string, fileName: string) => boolean,
): string[] | undefined {
  const [, type, name] = CUSTOM.exec(templateFile) ?? []
  if (type !== undefined && !hasCustom(type, `${String(name).replace(/\.html$/, '')}.html`)) return undefined
  const own = REGIONS[type === undefined ? templateFile : `pages/${type}`]
  return own && [...own, ...GLOBAL_REGIONS]
}

export function globalRegions(): readonly string[] {
  return GLOBAL_REGIONS
}
