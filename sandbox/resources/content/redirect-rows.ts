import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { categoriesTable } from '../../tables/category-tables.ts'
import { productTable } from '../../tables/product-tables.ts'
import { brandsTable } from '../catalog/brands.ts'
import { sitesTable } from '../channels/sites.ts'
import { blogPostTable } from './blog-rows.ts'
import { pageTable } from './page-rows.ts'

type Fields = Record<string, unknown>

const LONGEST_URL = 2048

export function redirectTable(store: SandboxStore): Table {
  return store.table('redirects', ['site_id', 'from_path_key'])
}

/** The items to which a redirect may lead instead of an address, and where each has its own address. */
const TARGETS: Record<string, { table(store: SandboxStore): Table; path(row: Row): unknown }> = {
  product: { table: productTable, path: ({ custom_url }) => (custom_url as Fields | undefined)?.url },
  brand: { table: brandsTable, path: ({ custom_url }) => (custom_url as Fields | undefined)?.url },
  category: { table: categoriesTable, path: ({ url }) => (url as Fields | undefined)?.path },
  page: { table: pageTable, path: ({ url, link }) => url ?? link },
  post: { table: blogPostTable, path: ({ url }) => url },
}

/** Errors in a row of an upsert, by field; empty if it is valid. */
export function redirectErrors(store: SandboxStore, { from_path, site_id, to }: Fields): Record<string, string> {
  const errors: Record<string, string> = {}
  if (typeof from_path !== 'string' || !from_path.startsWith('/'))
    errors.from_path = 'from_path must begin with a slash'
  if (typeof site_id !== 'number' || !sitesTable(store).get(site_id)) errors.site_id = `there is no site ${site_id}`
  return { ...errors, ...(to === undefined ? {} : targetErrors(store, to)) }
}

function targetErrors(store: SandboxStore, to: unknown): Record<string, string> {
  if (to === null || typeof to !== 'object' || Array.isArray(to)) return { to: 'to must be an object' }
  const { type, entity_id, url } = to as Fields
  if (type === 'url') {
    const fits = typeof url === 'string' && url !== '' && url.length <= LONGEST_URL
    return fits ? {} : { 'to.url': `url must be 1 to ${LONGEST_URL} characters` }
  }
  const target = TARGETS[String(type)]
  if (!target) return { 'to.type': `type must be one of ${[...Object.keys(TARGETS), 'url'].join(', ')}` }
  const isThere = typeof entity_id === 'number' && target.table(store).get(entity_id) !== undefined
  return isThere ? {} : { 'to.entity_id': `there is no ${type} ${entity_id}` }
}

/**
 * Each path of a site has just one redirect, so a new one replaces the old. Source: the published redirects
 * specification.
 */
export function upsertRedirect(store: SandboxStore, { from_path, site_id, to }: Fields): Row {
  const path = storedPath(String(from_path))
  const known = redirectTable(store).find({ site_id: Number(site_id), from_path_key: path })[0]
  const target = targetOf((to ?? { type: 'url', url: '/' }) as Fields)
  if (known) return redirectTable(store).update(known.id, { from_path: path, to: target })
  return redirectTable(store).insert({ site_id, from_path: path, to: target })
}

/**
 * Removes the trailing slash. Source: the examples of requests and answers in the published redirects specification.
 */
function storedPath(path: string): string {
  return path.replace(/\/+$/, '') || '/'
}

function targetOf({ type, entity_id, url }: Fields): Fields {
  return type === 'url' ? { type, url } : { type, entity_id }
}

/** The redirect of a path. One with the same query takes precedence, because it is more specific. */
export function redirectFrom(store: SandboxStore, siteId: number, path: string, query = ''): Row | undefined {
  const of = (from: string) => redirectTable(store).find({ site_id: siteId, from_path_key: storedPath(from) })[0]
  return (query === '' ? undefined : of(`${path}?${query}`)) ?? of(path)
}

/** Where it leads: a path on its site, or an external address. undefined if the item was deleted. */
export function targetPath(store: SandboxStore, { to }: Row): string | undefined {
  const { type, entity_id, url } = to as Fields
  const target = TARGETS[String(type)]
  const row = target?.table(store).get(Number(entity_id))
  const path = type === 'url' ? url : row && target?.path(row)
  return typeof path === 'string' ? path : undefined
}

/** Where it leads, with the domain of the site. */
export function targetUrl(store: SandboxStore, redirect: Row): string | undefined {
  const path = targetPath(store, redirect)
  const site = String(sitesTable(store).get(Number(redirect.site_id))?.url ?? '').replace(/\/+$/, '')
  return path?.startsWith('/') ? `${site}${path}` : path
}
