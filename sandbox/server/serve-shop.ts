import type { IncomingMessage, ServerResponse } from 'node:http'
import { brandsTable } from '../resources/catalog/brands.ts'
import { DEFAULT_CHANNEL_ID } from '../resources/channels/channels.ts'
import { sitesTable } from '../resources/channels/sites.ts'
import { blogPostTable } from '../resources/content/blog-rows.ts'
import { pageTable } from '../resources/content/page-rows.ts'
import { redirectFrom, targetPath } from '../resources/content/redirect-rows.ts'
import type { Row, SandboxStore, Table } from '../store/store.ts'
import { type UrlOwner, urlOwners } from '../store/urls.ts'
import { categoriesTable, treesTable } from '../tables/category-tables.ts'
import { channelAssignmentTable, productTable } from '../tables/product-tables.ts'
import type { StoreHost } from './store-host.ts'

interface Visit {
  /** Path below the shop's address. */
  path: string
  query: string
}

/**
 * A storefront reduced to its addresses: answers 200 for a page, a redirect for an old address, and 404 for any other.
 * The Host header selects the site, by default the store's default site.
 */
export function serveShop(host: StoreHost, request: IncomingMessage, response: ServerResponse, visit: Visit): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const answer = isRead ? answerOf(host.store, request.headers.host ?? '', visit) : undefined
  if (answer === undefined) response.writeHead(404, { 'Content-Type': 'text/plain' }).end('not found')
  else if ('location' in answer) response.writeHead(301, { Location: answer.location }).end()
  else response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(answer.html)
}

/** undefined if the address does not exist. */
function answerOf(
  store: SandboxStore,
  domain: string,
  visit: Visit,
): { html: string } | { location: string } | undefined {
  const site = siteOf(store, domain)
  if (!site) return undefined
  const path = decoded(visit.path)
  const shown = urlOwners(store, path).map((owner) => pageOf(store, owner, Number(site.channel_id)))
  const html = shown.find((page) => page !== undefined)
  if (html !== undefined) return { html }
  const redirect = redirectFrom(store, site.id, path, visit.query)
  const target = redirect && targetPath(store, redirect)
  if (target === undefined) return undefined
  const shop = store.imageBase.replace(/\/images$/, '')
  return { location: new URL(target.startsWith('/') ? `${shop}${target}` : target).href }
}

function siteOf(store: SandboxStore, host: string): Row | undefined {
  const all = sitesTable(store).find({})
  const call = all.find(({ url }) => URL.parse(String(url))?.host === host)
  return call ?? all.find(({ channel_id }) => channel_id === DEFAULT_CHANNEL_ID)
}

/** A malformed percent sequence stays as it is. */
function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

interface Kind {
  table(store: SandboxStore): Table
  title(row: Row): unknown
  isOn(store: SandboxStore, row: Row, channelId: number): boolean
}

const KINDS: Record<string, Kind> = {
  product: {
    table: productTable,
    title: ({ name }) => name,
    isOn: (store, { id }, channel_id) => channelAssignmentTable(store).count({ product_id: id, channel_id }) > 0,
  },
  category: {
    table: categoriesTable,
    title: ({ name }) => name,
    isOn: (store, { tree_id }, channelId) => treesTable(store).get(Number(tree_id))?.channel_id === channelId,
  },
  brand: { table: brandsTable, title: ({ name }) => name, isOn: () => true },
  page: { table: pageTable, title: ({ name }) => name, isOn: (_store, row, channelId) => row.channel_id === channelId },
  blog_post: {
    table: blogPostTable,
    title: ({ title }) => title,
    isOn: (_store, row, channelId) => row.is_published === true && channelId === DEFAULT_CHANNEL_ID,
  },
}

/** The page that the storefront has for this owner; undefined if it does not sell or show the item. */
function pageOf(store: SandboxStore, { resource, id }: UrlOwner, channelId: number): string | undefined {
  const kind = KINDS[resource]
  const row = kind?.table(store).get(id)
  if (!kind || !row || !kind.isOn(store, row, channelId)) return undefined
  const title = `${resource} ${kind.title(row)}`.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<!doctype html><title>${title}</title>`
}
