import type { Change } from '../harness/world-sandbox.ts'
import type { Pair } from './compare-stores.ts'
import {
  changedCategories,
  choicesOf,
  type Expectation,
  entityOf,
  hasPrices,
  hasRules,
  isBornWith,
  isPlaced,
  type Mutation,
  noteRecordIds,
  shownId,
} from './mutations.ts'
import type { Row, State } from './store-side.ts'
import { tableRules } from './table-rules.ts'

type PairsOf = Record<string, Pair[]>

interface GoneRow {
  table: string
  pair: Pair
}

/** A row and everything that the platform deletes or changes with it. */
interface Removal {
  /** First the row itself. */
  gone: [GoneRow, ...GoneRow[]]
  /** Products that lose their brand. */
  brandless: Pair[]
  /** Products that lose a category. */
  recategorised: Pair[]
  links: Row[]
  /** Promotions that still name the removed row; verify recognises them by the fields they were copied with. */
  naming: Pair[]
  /** Redirects that still lead to the removed row. */
  leading: Pair[]
}

/**
 * One row of each table except trees, chosen so that no two removals touch the same row. The only price list is not removed,
 * because its prices and its assignment are, nor is the only theme, because of its activation. Stock goes with its location: no
 * call deletes a level.
 */
const kept = ['category_trees', 'price_lists', 'themes', 'stock']

export function removals(destination: State, pairs: PairsOf): Mutation[] {
  noteRecordIds(pairs)
  // Rows with the most dependants come first; the seed decides which order leaves enough for the others.
  const orders = [['products'], ['products', 'brands'], ['brands', 'products'], ['categories', 'brands', 'products']]
  const planned = orders.map((first) => removalsFrom(first, destination, pairs))
  const done = planned.find((one) => typeof one !== 'string')
  if (!done || typeof done === 'string') throw new Error(String(planned[0]))
  return done
}

/** Not done, for this reason. */
function removalsFrom(first: string[], destination: State, pairs: PairsOf): Mutation[] | string {
  const used = new Set<string>()
  const tables = [...first, ...tableRules.map(({ table }) => table)].filter((table) => !kept.includes(table))
  const chosen: Removal[] = []
  for (const table of new Set(tables)) {
    const candidates = (pairs[table] ?? [])
      .filter(({ destination: row }) => isRemovable(table, row, destination))
      .map((pair) => removalOf(table, pair, destination, pairs))
      .sort((one, other) => touched(one).length - touched(other).length)
    const best = candidates.find((removal) => touched(removal).every((row) => !used.has(row)))
    if (!best) return `No row of ${table} can be removed beside the others.`
    for (const row of touched(best)) used.add(row)
    chosen.push(best)
  }
  const gone = new Set(chosen.flatMap((removal) => removal.gone.map(nameOf)))
  return [...chosen.map((removal) => mutation(removal, gone)), removalOfLink(destination, pairs, used)]
}

function removalOfLink(destination: State, pairs: PairsOf, used: Set<string>): Mutation {
  for (const link of destination.product_categories ?? []) {
    if (isPlaced(link)) continue
    const product = pairs.products?.find((pair) => pair.destination.id === link.product_id)
    const row = `products/${link.product_id}`
    if (!product || used.has(row)) continue
    return {
      title: `remove product_categories of ${product.key}`,
      changes: [remove('product_categories', link.id)],
      rows: [row],
      expected: () => changedCategories(product),
    }
  }
  throw new Error('No product can lose a category beside the other removals.')
}

/** The tree of the default storefront with all remaining categories, in addition to what was removed before. */
export function removalOfTree(destination: State, pairs: PairsOf, before: Expectation): Mutation {
  const [tree] = pairs.category_trees ?? []
  if (!tree) throw new Error('The stores have no tree.')
  const links = destination.product_categories ?? []
  const existing = new Set(destination.products?.map((row) => row.id))
  const products = (pairs.products ?? []).filter(
    ({ destination: row }) => existing.has(row.id) && links.some((link) => link.product_id === row.id),
  )
  const ordered = new Set(links.filter(isPlaced).map((link) => link.category_id))
  // Items about a category are removed with it, because nothing else would name what they are about.
  const onPages = [
    ...['page_contexts', 'global_contexts', 'custom_template_associations', 'search_filter_contexts'],
  ].flatMap((table) =>
    (pairs[table] ?? [])
      .filter(({ destination: row }) => destination[table]?.some(({ id }) => id === row.id))
      .filter(({ destination: row }) => isAboutCategories(row))
      .map((pair) => ({ table, pair })),
  )
  const changes = [
    ...links.map((link) => remove('product_categories', link.id)),
    ...(destination.category_metafields ?? []).map((row) => remove('category_metafields', row.id)),
    ...(destination.categories ?? []).map((row) => remove('categories', row.id)),
    remove('category_trees', tree.destination.id),
    ...onPages.map(({ table, pair }) => remove(table, pair.destination.id)),
  ]
  const expected = {
    findings: [
      // A tree is removed with its categories and their metafields, including those that were already missing.
      ...before.findings.filter((line) => !/^categor(ies|y-metafields) missing/.test(line)),
      `category-trees missing ${tree.key}`,
      ...onPages.map(({ table, pair }) => `${entityOf(table)} missing ${keyWithoutCategory(pair, pairs)}`),
      ...products.flatMap((product) => changedCategories(product).findings),
      // Verify recognises them by the fields they were copied with.
      ...(pairs.coupons ?? [])
        .filter(({ destination: row }) => membersOf(row, 'categories').length > 0)
        .map(({ key }) => `coupons different ${key} applies_to`),
      ...(pairs.customer_groups ?? [])
        .filter(({ destination: row }) => destination.customer_groups?.some(({ id }) => id === row.id))
        .filter(({ destination: row }) => rulesOf(row).some(({ category_id }) => category_id !== undefined))
        .map(({ key }) => `customer-groups different ${key} discount_rules`),
      ...(pairs.promotions ?? [])
        .filter(({ destination: row }) => namedIn(row.rules, 'categories').length > 0)
        .map(({ key }) => `promotions different ${key} rules`),
      ...redirectsTo('categories', pairs)
        .filter(({ destination: row }) => destination.redirects?.some(({ id }) => id === row.id))
        .map(({ key }) => `redirects different ${key} to`),
    ],
    differences: [
      ...before.differences,
      `category-trees missing ${tree.source.id} -`,
      ...onPages.map(({ table, pair }) => `${entityOf(table)} missing ${shownId(table, pair.source)} -`),
      ...(pairs.categories ?? []).map(({ source }) => `categories missing ${source.id} -`),
      ...(pairs.categories ?? [])
        .filter(({ destination: row }) => ordered.has(row.id))
        .map(({ source }) => `category-product-order missing ${source.id} -`),
      ...(pairs.category_metafields ?? []).map(({ source }) => `category-metafields missing ${source.id} -`),
      ...products.flatMap((product) => changedCategories(product).differences),
    ],
  }
  return {
    title: `remove category_trees ${tree.key}`,
    changes,
    rows: [],
    expected: () => ({
      findings: [...new Set(expected.findings)],
      differences: [...new Set(expected.differences)],
    }),
  }
}

function isAboutCategories(row: Row): boolean {
  return isOfOneCategory(row) || idsOnPage(row.regions, 'category').length > 0
}

function isOfOneCategory({ entity_type, template_file, entity_id, category_id }: Row): boolean {
  const isPage = String(template_file).split('/').includes('category') && entity_id !== ''
  return entity_type === 'category' || typeof category_id === 'number' || isPage
}

/** A category has no name in the other store any more. */
function keyWithoutCategory({ key, source }: Pair, { categories = [] }: PairsOf): string {
  if (!isOfOneCategory(source)) return key
  const about = categories.find((pair) => String(pair.source.id) === String(source.entity_id ?? source.category_id))
  return about ? key.replace(about.key, `unpaired categories ${about.source.id}`) : key
}

/** What a coupon applies to; 0 means everything. */
function membersOf({ applies_to }: Row, entity: string): unknown[] {
  const scope = (applies_to ?? {}) as { entity?: string; ids?: unknown[] }
  return scope.entity === entity ? (scope.ids ?? []).filter((id) => id !== 0) : []
}

const singular: Record<string, string> = { products: 'product_id', variants: 'variant_id' }

/** Ids of a table anywhere in the rules of a promotion. */
function namedIn(rules: unknown, table: string): unknown[] {
  if (Array.isArray(rules)) return rules.flatMap((one) => namedIn(one, table))
  if (typeof rules !== 'object' || rules === null) return []
  return Object.entries(rules).flatMap(([field, value]) =>
    field === table || field === singular[table] ? value : namedIn(value, table),
  )
}

/** A widget, a page or a template file is about it, and would be reported too. */
function isOnPage(table: string, row: Row, destination: State): boolean {
  const [type] = Object.entries(tablesOfTypes).find(([, of]) => of === table) ?? []
  const pages = [...(destination.page_contexts ?? []), ...(destination.global_contexts ?? [])]
  if (table === 'widget_templates')
    return pages.some(({ regions }) => JSON.stringify(regions).includes(String(row.uuid)))
  return type !== undefined && isNamedOnPages(type, String(row.id), destination, pages)
}

const tablesOfTypes: Record<string, string> = {
  ...{ product: 'products', category: 'categories', brand: 'brands', page: 'pages' },
}

function isNamedOnPages(type: string, id: string, destination: State, pages: Row[]): boolean {
  const associations = destination.custom_template_associations ?? []
  return (
    associations.some(({ entity_type, entity_id }) => entity_type === type && String(entity_id) === id) ||
    pages.some((page) => isAbout(page, type, id))
  )
}

function isAbout({ template_file, entity_id, regions }: Row, type: string, id: string): boolean {
  const own = String(template_file).split('/').includes(type) && entity_id === id
  return own || idsOnPage(regions, type).includes(id)
}

function idsOnPage(value: unknown, type: string): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => idsOnPage(one, type))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([field, of]) =>
    [`${type}Id`, `${type}Ids`].includes(field) ? [of].flat().map(String) : idsOnPage(of, type),
  )
}

/** Categories with children would remove these as well, and a base variant exists as long as its product. */
function isRemovable(table: string, row: Row, destination: State): boolean {
  const owns = (child: string, field: string) => destination[child]?.some((other) => other[field] === row.id) ?? false
  const isOrdered = (field: string) =>
    destination.product_categories?.some((link) => link[field] === row.id && isPlaced(link)) ?? false
  // Rules are reported by the names that they refer to, orders by a list of their own: they would be reported too.
  if (
    ['options', 'option_values', 'variants', 'modifiers', 'modifier_values'].includes(table) &&
    hasRules(row, destination)
  )
    return false
  if (['options', 'option_values', 'variants'].includes(table) && hasPrices(row.product_id, destination)) return false
  if (table === 'products' && hasPrices(row.id, destination)) return false
  // An address without a state comes only with a new customer, so it could not be created again.
  if (table === 'customer_addresses' && !row.state_or_province) return false
  if (isOnPage(table, row, destination)) return false
  if (hasBanner(table, row, destination)) return false
  if (isNamedByGroup(table, row, destination) || isWished(table, row, destination)) return false
  if (table === 'customer_groups') return !owns('price_list_assignments', 'customer_group_id')
  if (destination.coupons?.some((coupon) => membersOf(coupon, table).includes(row.id))) return false
  // Brands are few, and promotions name some of them.
  if (table !== 'brands' && destination.promotions?.some(({ rules }) => namedIn(rules, table).includes(row.id)))
    return false
  if (table === 'promotions' && owns('promotion_codes', 'promotion_id')) return false
  if (isBornWith(table, row)) return false
  if (table === 'categories' && isOrdered('category_id')) return false
  if (table === 'products' && isOrdered('product_id')) return false
  // It is recognised by its subject.
  if (table === 'categories' && owns('search_filter_contexts', 'category_id')) return false
  if (table === 'categories') return !owns('categories', 'parent_id') && !owns('category_metafields', 'resource_id')
  if (table === 'brands') return !owns('brand_metafields', 'resource_id')
  if (table === 'customer_addresses') return !owns('customer_form_fields', 'address_id')
  if (table === 'customer_form_fields') return row.address_id === null
  if (table === 'customers')
    return (
      !owns('customer_metafields', 'resource_id') &&
      !owns('gift_certificates', 'customer_id') &&
      !owns('wishlists', 'customer_id') &&
      !owns('shopper_profiles', 'customer_id')
    )
  if (table === 'pages') return !owns('pages', 'parent_id')
  if (table === 'segments') return !owns('segment_members', 'segment_id')
  if (table === 'shopper_profiles') return !owns('segment_members', 'shopper_profile_id')
  if (table === 'variants') return choicesOf(row).length > 0 && !owns('variant_metafields', 'resource_id')
  // Its metafields are a list of their own to verify; the few modifiers are needed for their own removals.
  if (table === 'products')
    return (
      !owns('customs_information', 'product_id') &&
      owns('product_metafields', 'resource_id') &&
      !owns('modifiers', 'product_id') &&
      !isNamed(row, destination)
    )
  return true
}

/** It, or a variant of it, is on a wishlist, which would be reported too. */
function isWished(table: string, { id, product_id }: Row, { wishlist_items = [] }: State): boolean {
  if (!['products', 'options', 'option_values', 'variants'].includes(table)) return false
  return wishlist_items.some((wish) => wish.product_id === (table === 'products' ? id : product_id))
}

/** A banner is shown with it, and would be reported too. */
function hasBanner(table: string, { id }: Row, { banners = [] }: State): boolean {
  const page = { brands: 'brand_page', categories: 'category_page' }[table]
  return banners.some((banner) => banner.page === page && Number(banner.item_id) === id)
}

/** A discount of a customer group applies to it. */
function isNamedByGroup(table: string, { id }: Row, { customer_groups = [] }: State): boolean {
  const field = { categories: 'category_id', products: 'product_id' }[table]
  return field !== undefined && customer_groups.some((group) => rulesOf(group).some((rule) => rule[field] === id))
}

function rulesOf({ discount_rules }: Row): Record<string, unknown>[] {
  return Array.isArray(discount_rules) ? discount_rules : []
}

/** Another product names it, and would be changed by its removal. */
function isNamed(product: Row, { products = [] }: State): boolean {
  return products.some(({ related_products: related }) => Array.isArray(related) && related.includes(product.id))
}

function removalOf(table: string, pair: Pair, destination: State, pairs: PairsOf): Removal {
  const { id } = pair.destination
  const of = (child: string, belongs: (row: Row) => boolean) =>
    (pairs[child] ?? []).filter((one) => belongs(one.destination)).map((one) => ({ table: child, pair: one }))
  const pointing = (field: string) =>
    Object.keys(pairs).flatMap((child) => of(child, (row) => row[field] === id && field in row))
  const links = (destination.product_categories ?? []).filter(
    (link) => link[table === 'products' ? 'product_id' : 'category_id'] === id,
  )
  const removal: Removal = {
    gone: [{ table, pair }],
    brandless: [],
    recategorised: [],
    links: [],
    naming: [],
    leading: [],
  }
  switch (table) {
    case 'products':
      removal.gone.push(...pointing('product_id'), ...of('product_metafields', (row) => row.resource_id === id))
      removal.links = links
      break
    case 'brands':
      removal.brandless = of('products', (row) => row.brand_id === id).map((one) => one.pair)
      removal.naming = of('promotions', (row) => namedIn(row.rules, table).includes(id)).map((one) => one.pair)
      break
    case 'categories':
      removal.links = links
      removal.recategorised = of('products', (row) => links.some((link) => link.product_id === row.id)).map(
        (one) => one.pair,
      )
      break
    case 'options':
      removal.gone.push(...pointing('option_id'), ...of('variants', (row) => uses(row, 'option_id', id)))
      break
    case 'option_values':
      removal.gone.push(...of('variants', (row) => uses(row, 'id', id)))
      break
    case 'shipping_zones':
      removal.gone.push(...pointing('zone_id'))
      break
    case 'tax_zones':
      removal.gone.push(...pointing('tax_zone_id'))
      break
    case 'customers':
      removal.gone.push(...pointing('customer_id').filter(({ table: child }) => child.startsWith('customer_')))
      break
    case 'customer_attributes':
      removal.gone.push(...pointing('attribute_id'))
      break
    case 'modifiers':
      removal.gone.push(...pointing('modifier_id'))
      break
    case 'locations':
      removal.gone.push(...of('stock', (row) => row.location_id === id))
      break
    case 'orders':
      removal.gone.push(...of('order_metafields', (row) => row.resource_id === id))
      break
  }
  removal.leading = redirectsTo(table, pairs).filter(({ destination: row }) => leadsTo(row) === id)
  return removal
}

const redirected: Record<string, string> = {
  ...{ products: 'product', brands: 'brand', categories: 'category', pages: 'page', blog_posts: 'post' },
}

function redirectsTo(table: string, { redirects = [] }: PairsOf): Pair[] {
  const type = redirected[table]
  return type === undefined
    ? []
    : redirects.filter(({ destination: row }) => (row.to as { type: string }).type === type)
}

function leadsTo({ to }: Row): unknown {
  return (to as { entity_id?: unknown }).entity_id
}

function uses(variant: Row, field: 'option_id' | 'id', id: number): boolean {
  return choicesOf(variant).some((choice) => choice[field] === id)
}

function touched({ gone, brandless, recategorised, naming, leading }: Removal): string[] {
  const products = [...brandless, ...recategorised].map((pair) => `products/${pair.destination.id}`)
  const promotions = naming.map((pair) => `promotions/${pair.destination.id}`)
  const redirects = leading.map((pair) => `redirects/${pair.destination.id}`)
  return [...gone.map(nameOf), ...products, ...promotions, ...redirects]
}

function nameOf({ table, pair }: GoneRow): string {
  return `${table}/${pair.destination.id}`
}

function isSold({ destination: { product_id, variant_id } }: Pair, allGone: Set<string>): boolean {
  return !allGone.has(`products/${product_id}`) && !allGone.has(`variants/${variant_id}`)
}

/** `allGone` contains the rows that all removals of the round delete. */
function mutation(removal: Removal, allGone: Set<string>): Mutation {
  const { gone, brandless, recategorised, links, naming, leading } = removal
  const [{ table, pair: top }] = gone
  // Children of a removed product, option or modifier are gone with it and not reported again, except by a list of their own.
  const reported = gone.filter(
    ({ table: of, pair }) =>
      pair === top || (table !== 'products' && of === 'variants') || table === 'customer_attributes',
  )
  // Verify has no list to read it from. The comparison reports it for products that still exist.
  const uncounted = table === 'locations' ? gone.filter(({ pair }) => pair !== top && isSold(pair, allGone)) : []
  const ownLists: unknown[] = ['product_metafields', 'shipping_methods', 'tax_rates', 'order_metafields']
  const listed = gone.filter(({ table: of, pair }) => ownLists.includes(of) && pair !== top)
  const missing = ({ table: of, pair }: { table: string; pair: Pair }) =>
    `${entityOf(of)} missing ${shownId(of, pair.source)} -`
  return {
    title: `remove ${table} ${top.key}`,
    changes: [
      ...links.map((link) => remove('product_categories', link.id)),
      ...brandless.map(
        ({ destination: { id } }): Change => ({ op: 'set', table: 'products', id, fields: { brand_id: 0 } }),
      ),
      ...gone.map(({ table: of, pair }) => remove(of, pair.destination.id)),
    ],
    rows: touched(removal),
    expected: () => ({
      findings: [
        ...[...reported, ...uncounted].map(
          ({ table: of, pair }) => `${entityOf(of)} missing ${pair === top ? pair.key : keyWithout(table, pair, top)}`,
        ),
        ...brandless.map(({ key }) => `products different ${key} brand_id`),
        ...naming.map(({ key }) => `promotions different ${key} rules`),
        ...leading.map(({ key }) => `redirects different ${key} to`),
        ...recategorised.flatMap((product) => changedCategories(product).findings),
      ],
      differences: [
        ...[...reported, ...listed].map(missing),
        ...brandless.map(({ source, destination }) => `products different ${source.id} ${destination.id} brand_id`),
        ...recategorised.flatMap((product) => changedCategories(product).differences),
      ],
    }),
  }
}

/** What is removed with a row of these is identified by it: values by their attribute, stock by its location. */
const namedByTheGone = ['customer_attributes', 'locations']

/** What identified it has no name in the other store any more. */
function keyWithout(table: string, { key }: Pair, { source }: Pair): string {
  if (!namedByTheGone.includes(table)) return key
  return `${key.slice(0, key.lastIndexOf(' > '))} > unpaired ${table} ${source.id}`
}

function remove(table: string, id: number): Change {
  return { op: 'remove', table, id }
}
