import { notFound, ok, Refusal, refuse } from '../../http/answers.ts'
import { numbersIn, pageOf } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { storeNumber } from '../../store/store-identity.ts'
import { productTable, variantTable } from '../../tables/product-tables.ts'
import { numberParam } from '../../validation/body-checks.ts'
import { DATE_PARAMETERS, isWithinDates } from '../../validation/date-filters.ts'
import { type JsonFields, jsonComplaints, listOfObjects, refuseInvalidJson } from '../../validation/json-checks.ts'
import { channelsTable } from './channels.ts'

type Body = Record<string, unknown>

const SCOPE = 'store_channel_listings'
const ALL = '/v3/channels/:channelId/listings'
const ONE = `${ALL}/:listingId`

/** Source: the `limit` in the example links of the published listings. */
const MOST_PER_PAGE = 1_000

const VARIANT_STATES = [
  ...['active', 'disabled', 'error', 'pending', 'pending_disable', 'pending_delete', 'queued', 'rejected'],
  ...['submitted', 'deleted'],
]
const STATES = [...VARIANT_STATES, 'partially_rejected']

const TEXTS: JsonFields = { external_id: 'jsstring?', name: 'jsstring?', description: 'jsstring?' }
const NEW: JsonFields = { product_id: 'jsnumber', state: 'jsstring', variants: 'jsarray', ...TEXTS }
const CHANGED: JsonFields = { ...NEW, listing_id: 'jsnumber' }
const VARIANT: JsonFields = { product_id: 'jsnumber', variant_id: 'jsnumber', state: 'jsstring', ...TEXTS }

function listingTable(store: SandboxStore): Table {
  return store.table('channel_listings', ['channel_id', 'product_id'])
}

function now(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z')
}

function shown({ id, ...listing }: Row): Body {
  return { ...listing, listing_id: id }
}

function refuseWrongVariants(store: SandboxStore, { variants, product_id }: Body, index: number): Body[] {
  const rows = variants as Body[]
  const complaints = rows.map((variant, at) => jsonComplaints(VARIANT, variant, `${index}.variants.${at}`))
  refuseInvalidJson(Object.assign({}, ...complaints))
  for (const variant of rows) {
    const known = variantTable(store).get(Number(variant.variant_id))
    if (variant.product_id !== product_id || known?.product_id !== product_id) refuseUpsert('')
    if (!VARIANT_STATES.includes(String(variant.state))) refuseUpsert('state,')
  }
  return rows
}

/** Source: the text of the published 422, which has no counts and calls a listing a product listing group. */
function refuseUpsert(fields: string, errors: Record<string, string> = {}): never {
  const counts = '0/0 product listing group(s) and 0/0 product listing(s) upserted'
  return refuse(422, `${counts}. Invalid fields: ${fields}`, errors)
}

function textsOf(body: Body): Body {
  return Object.fromEntries(Object.keys(TEXTS).flatMap((field) => (field in body ? [[field, body[field]]] : [])))
}

/**
 * Variants that the listing already has keep the fields that are left out; others are added. Source: notes of the
 * published PUT.
 */
function mergedVariants(own: Row | undefined, given: Body[], channelId: number): Body[] {
  const merged = new Map(((own?.variants as Body[] | undefined) ?? []).map((variant) => [variant.variant_id, variant]))
  for (const variant of given) {
    const { product_id, variant_id, state } = variant
    const before = merged.get(variant_id) ?? { channel_id: channelId, date_created: now() }
    const fields = { product_id, variant_id, state, ...textsOf(variant), date_modified: now() }
    merged.set(variant_id, { ...before, ...fields })
  }
  return [...merged.values()]
}

function save(store: SandboxStore, channelId: number, { body, index, own }: { body: Body; index: number; own?: Row }) {
  const product_id = own?.product_id ?? body.product_id
  if (!own && !productTable(store).get(Number(product_id))) refuseUpsert('product_id,')
  if (!STATES.includes(String(body.state))) refuseUpsert('state,')
  const given = refuseWrongVariants(store, { ...body, product_id }, index)
  const variants = mergedVariants(own, given, channelId)
  const row = { product_id, state: body.state, ...textsOf(body), variants, date_modified: now() }
  const table = listingTable(store)
  return shown(own ? table.update(own.id, row) : table.insert({ channel_id: channelId, date_created: now(), ...row }))
}

function namedChannelId(request: SandboxRequest): number {
  const channel = channelsTable(request.store).get(numberParam(request, 'channelId'))
  return (
    channel?.id ??
    refuse(422, `Channel id (${request.params.channelId}) is not valid for store (${storeNumber(request.store)})!`)
  )
}

/** A product that is already listed keeps its listing (our choice: the published errors say "upserted"). */
function create(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const rows = listOfObjects(NEW, request.body)
  const channelId = namedChannelId(request)
  const saveOne = (body: Body, index: number) => {
    const own = listingTable(store).find({ channel_id: channelId, product_id: Number(body.product_id) })[0]
    return save(store, channelId, { body, index, own })
  }
  return saved(store.transaction(() => rows.map(saveOne)))
}

/** Unknown listings are left out of the answer. Source: notes of the published PUT. */
function update(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const rows = listOfObjects(CHANGED, request.body)
  const channelId = namedChannelId(request)
  const saveOne = (body: Body, index: number) => {
    refuseNoId(store, Number(body.listing_id))
    const own = listingTable(store).get(Number(body.listing_id))
    return own?.channel_id === channelId ? [save(store, channelId, { body, index, own })] : []
  }
  return saved(store.transaction(() => rows.flatMap(saveOne)))
}

function refuseNoId(store: SandboxStore, id: number): void {
  if (id > 0) return
  const text = `Group id (${id}) for store (${storeNumber(store)}) cannot be less than or equal to zero!`
  refuseUpsert('group_id,', { group_id: text })
}

function saved(data: Body[]): SandboxAnswer {
  const links = { current: `?limit=${MOST_PER_PAGE}` }
  return ok(data, { pagination: { count: data.length, total: data.length, links, total_pages: 1 } })
}

const PARAMETERS = ['limit', 'after', 'product_id:in', ...DATE_PARAMETERS]

/** An unknown channel just has no listings: 200. Source: the description of the published list. */
function listListings({ store, params, query }: SandboxRequest): SandboxAnswer {
  const unknown = [...query.keys()].filter((name) => !PARAMETERS.includes(name))
  if (unknown.length > 0) refuse(422, `The filter(s): ${unknown.join(', ')} are not valid filter parameter(s).`)
  if (!/^\d+$/.test(params.channelId ?? '')) refuse(400, 'Input is invalid')
  const limit = query.has('limit') ? pageOf(query, MOST_PER_PAGE).limit : MOST_PER_PAGE
  const productIds = numbersIn(query, 'product_id:in')
  const where = { channel_id: Number(params.channelId), ...(productIds ? { product_id: productIds } : {}) }
  const all = listingTable(store)
    .find(where)
    .filter((row) => isWithinDates(row, query))
  const after = numbersIn(query, 'after')?.[0] ?? 0
  const left = all.filter((row) => row.id > after)
  return pageAnswer({ rows: left.slice(0, limit), hasMore: left.length > limit, limit, total: all.length })
}

function pageAnswer({ rows, hasMore, limit, total }: { rows: Row[]; hasMore: boolean; limit: number; total: number }) {
  const links = { current: `?limit=${limit}`, ...(hasMore ? { next: `?after=${rows.at(-1)?.id}&limit=${limit}` } : {}) }
  return ok(rows.map(shown), {
    pagination: { count: rows.length, total, links, total_pages: Math.ceil(total / limit) },
  })
}

function namedListing(request: SandboxRequest): Row {
  const listing = listingTable(request.store).get(numberParam(request, 'listingId'))
  if (listing?.channel_id !== numberParam(request, 'channelId'))
    throw new Refusal(notFound(`Listing [${request.params.listingId}] not found`))
  return listing
}

const read = { scope: SCOPE, latency: 'read' } as const
const write = { scope: SCOPE, latency: 'write' } as const

export const channelListings: SandboxResource = {
  key: 'channel-listings',
  routes: [
    { method: 'GET', path: ALL, ...read, handle: listListings },
    { method: 'POST', path: ALL, ...write, handle: create },
    { method: 'PUT', path: ALL, ...write, handle: update },
    { method: 'GET', path: ONE, ...read, handle: (request) => ok(shown(namedListing(request))) },
  ],
}
