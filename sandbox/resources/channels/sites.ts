import { noContent, ok, refuse } from '../../http/answers.ts'
import { list, numbersIn, textsIn, type Where } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { deleteRows } from '../../tables/rows.ts'
import { numberParam, objectBody, refuseIfAny, rowOr404 } from '../../validation/body-checks.ts'
import { channelsTable, DEFAULT_CHANNEL_ID } from './channels.ts'

type Body = Record<string, unknown>

const SCOPE = 'store_sites'
const SITES = '/v3/sites'
const SITE = `${SITES}/:siteId`
const OF_CHANNEL = '/v3/channels/:channelId/site'
const CHECKOUT_URL = `${OF_CHANNEL}/checkout-url`

/** The site that every store has, called `default_site_id` in the store's information. */
const DEFAULT_SITE_ID = 1000

export function sitesTable(store: SandboxStore): Table {
  return store.table('sites', ['channel_id'])
}

export function siteRoutesTable(store: SandboxStore): Table {
  return store.table('site_routes', ['site_id', 'type'])
}

export function siteCertificateTable(store: SandboxStore): Table {
  return store.table('site_certificates', ['site_id', 'url_key'])
}

export function namedSite(request: SandboxRequest): Row {
  return rowOr404(sitesTable(request.store), numberParam(request, 'siteId'))
}

/** Inserts the site that every store has from the start. */
export function plantDefaultSite(store: SandboxStore): void {
  const url = `https://${store.hash}.example`
  sitesTable(store).insert({ id: DEFAULT_SITE_ID, ...fresh(url, DEFAULT_CHANNEL_ID) })
}

function now(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z')
}

function fresh(url: string, channelId: number): Body {
  return { url, channel_id: channelId, created_at: now(), updated_at: now(), ssl_status: 'shared' }
}

/** A sandbox store has only the merchant's own address, which is also the platform's. */
export function urlsOf(site: Row): { url: string; type: string; created_at: unknown; updated_at: unknown }[] {
  const { url, checkout_url, created_at, updated_at } = site
  const types = { primary: url, canonical: url, ...(checkout_url ? { checkout: checkout_url } : {}) }
  return Object.entries(types).map(([type, address]) => ({ url: String(address), type, created_at, updated_at }))
}

function shown({ checkout_url, ...site }: Row): Body {
  return { ...site, urls: urlsOf({ ...site, checkout_url }), is_checkout_url_customized: Boolean(checkout_url) }
}

function urlIn(body: Body): string {
  const { url } = body
  if (typeof url !== 'string' || !/^https?:\/\/[^\s/]+\/?$/.test(url))
    refuseIfAny({ url: 'url must be an address without a path, such as https://shop.example' })
  return String(url)
}

function insertSite(store: SandboxStore, channelId: number, body: Body): Row {
  rowOr404(channelsTable(store), channelId)
  const url = urlIn(body)
  if (sitesTable(store).count({ channel_id: channelId }) > 0) {
    refuse(409, 'The channel has a site already', { channel_id: `channel ${channelId} has a site already` })
  }
  return sitesTable(store).insert(fresh(url, channelId))
}

function create({ store, body }: SandboxRequest): SandboxAnswer {
  const given = objectBody(body)
  return { status: 201, body: { data: shown(insertSite(store, Number(given.channel_id), given)), meta: {} } }
}

function update(request: SandboxRequest, site: Row): SandboxAnswer {
  const url = urlIn(objectBody(request.body))
  return ok(shown(sitesTable(request.store).update(site.id, { url, updated_at: now() })))
}

function remove({ store }: SandboxRequest, site: Row): SandboxAnswer {
  store.transaction(() => {
    deleteRows(siteRoutesTable(store), { site_id: site.id })
    deleteRows(siteCertificateTable(store), { site_id: site.id })
    sitesTable(store).delete(site.id)
  })
  return noContent()
}

/**
 * Answers 200 with an empty object, unlike the deletion by the site's own path. Source: the published channels
 * specification.
 */
function removeOfChannel(request: SandboxRequest): SandboxAnswer {
  remove(request, siteOfChannel(request))
  return { status: 200, body: {} }
}

function listSites({ store, query }: SandboxRequest): SandboxAnswer {
  const channelIds = numbersIn(query, 'channel_id:in')
  const where: Where = channelIds ? { channel_id: channelIds } : {}
  const types = textsIn(query, 'url_type:in')
  const keep = types && ((site: Row) => urlsOf(site).some(({ type }) => types.includes(type)))
  return list({ query, table: sitesTable(store), where, keep, idFilters: false, show: shown })
}

/** A channel has at most one site. */
function siteOfChannel(request: SandboxRequest): Row {
  const table = sitesTable(request.store)
  return table.find({ channel_id: numberParam(request, 'channelId') })[0] ?? rowOr404(table, Number.NaN)
}

function createForChannel(request: SandboxRequest): SandboxAnswer {
  const { store, body } = request
  return ok(shown(insertSite(store, numberParam(request, 'channelId'), objectBody(body))))
}

function hostOf(url: unknown): string {
  return new URL(String(url)).hostname.replace(/^www\./, '')
}

/** The answer has no envelope, and the address always has HTTPS. Source: the published channels specification. */
function putCheckoutUrl(request: SandboxRequest): SandboxAnswer {
  const site = siteOfChannel(request)
  const checkout_url = urlIn(objectBody(request.body)).replace(/^http:/, 'https:')
  if (!hostOf(checkout_url).endsWith(`.${hostOf(site.url)}`)) {
    const rule =
      'Your checkout and storefront must be within the same main domain like “main.com” and “subdomain.main.com”'
    refuse(422, `Incorrect checkout url ${checkout_url}. ${rule}`)
  }
  return { status: 200, body: shown(sitesTable(request.store).update(site.id, { checkout_url, updated_at: now() })) }
}

function removeCheckoutUrl(request: SandboxRequest): SandboxAnswer {
  sitesTable(request.store).update(siteOfChannel(request).id, { checkout_url: '', updated_at: now() })
  return ok({})
}

const read = { scope: SCOPE, latency: 'read' } as const
const write = { scope: SCOPE, latency: 'write' } as const

export const sites: SandboxResource = {
  key: 'sites',
  routes: [
    { method: 'GET', path: SITES, ...read, handle: listSites },
    { method: 'POST', path: SITES, ...write, handle: create },
    { method: 'GET', path: SITE, ...read, handle: (request) => ok(shown(namedSite(request))) },
    { method: 'PUT', path: SITE, ...write, handle: (request) => update(request, namedSite(request)) },
    { method: 'DELETE', path: SITE, ...write, handle: (request) => remove(request, namedSite(request)) },
    { method: 'GET', path: OF_CHANNEL, ...read, handle: (request) => ok(shown(siteOfChannel(request))) },
    { method: 'POST', path: OF_CHANNEL, ...write, handle: createForChannel },
    { method: 'PUT', path: OF_CHANNEL, ...write, handle: (request) => update(request, siteOfChannel(request)) },
    { method: 'DELETE', path: OF_CHANNEL, ...write, handle: removeOfChannel },
    { method: 'PUT', path: CHECKOUT_URL, ...write, handle: putCheckoutUrl },
    { method: 'DELETE', path: CHECKOUT_URL, ...write, handle: removeCheckoutUrl },
  ],
}
