import { notFound, ok, refuse } from '../../http/answers.ts'
import { booleanIn, list, textsIn, type Where } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { isWithinDates } from '../../validation/date-filters.ts'
import { type JsonFields, jsonComplaints, refuseInvalidJson } from '../../validation/json-checks.ts'
import { refuseBeyondLimit } from '../../validation/platform-limits.ts'
import { currenciesOf } from './channel-currencies.ts'

type Fields = Record<string, unknown>

const SCOPE = 'store_channel_settings'

/** The default storefront of every store. */
export const DEFAULT_CHANNEL_ID = 1

/** Source: the table of platforms in the published channels specification. */
const PLATFORMS: Record<string, string[]> = {
  pos: ['clover', 'square', 'stripe', 'talech', 'vend', 'custom'],
  marketplace: [
    ...['amazon', 'belk', 'catch', 'ebay', 'etsy', 'facebook', 'hudsons_bay', 'google', 'instagram', 'macys', 'meta'],
    ...['mirakl', 'overstock', 'pinterest', 'target_plus', 'tiktok', 'wayfair', 'wish', 'walmart', 'custom'],
  ],
  marketing: ['facebook', 'google', 'google_shopping', 'instagram', 'meta', 'microsoft', 'custom'],
  storefront: [
    ...['acquia', 'bigcommerce', 'bloomreach', 'catalyst', 'deity', 'drupal', 'gatsby', 'next', 'vue', 'wordpress'],
    'custom',
  ],
}

const STATUSES: Record<string, string[]> = {
  storefront: ['prelaunch', 'active', 'inactive', 'archived', 'deleted'],
  other: ['connected', 'disconnected', 'archived', 'deleted'],
}

/** The fields that a PUT can change. It ignores others with 200. */
const WRITABLE: JsonFields = {
  name: 'jsstring?',
  external_id: 'jsstring?',
  status: 'jsstring?',
  is_listable_from_ui: 'jsboolean?',
  is_visible: 'jsboolean?',
}
const NEW: JsonFields = { ...WRITABLE, name: 'jsstring', type: 'jsstring', platform: 'jsstring' }

/** Source: the parameter `available` of the published channels specification. */
const UNAVAILABLE = ['disconnected', 'archived', 'deleted', 'terminated']
/** Statuses that a PUT cannot change. No channel gets `terminated` here, because that takes 90 days. */
const GONE = ['deleted', 'terminated']
/** Statuses of storefronts that do not count towards the plan's limit (our choice). */
const SEATLESS = ['archived', ...GONE]

export function channelsTable(store: SandboxStore): Table {
  return store.table('channels', ['name_key', 'type', 'platform', 'status'])
}

/** Inserts the channel that every store has from the start. */
export function plantDefaultChannel(store: SandboxStore): void {
  channelsTable(store).insert({
    ...fresh({ name: `${store.name} storefront`, type: 'storefront', platform: 'bigcommerce', status: 'active' }),
    id: DEFAULT_CHANNEL_ID,
  })
}

function now(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z')
}

function fresh(fields: Fields): Fields {
  const at = now()
  return {
    external_id: '',
    is_listable_from_ui: true,
    is_visible: true,
    status: fields.type === 'storefront' ? 'active' : 'connected',
    date_created: at,
    date_modified: at,
    icon_url: '',
    ...fields,
  }
}

function shown(store: SandboxStore, row: Row, query: URLSearchParams): Fields {
  const isEnabled = ['active', 'prelaunch', 'connected'].includes(String(row.status))
  const channel = { ...row, is_enabled: isEnabled }
  if (!textsIn(query, 'include')?.includes('currencies')) return channel
  return { ...channel, currencies: currenciesOf(store, row.id) }
}

function refuseBadName(name: unknown): void {
  if (!/^[A-Za-z0-9_-]+$/.test(String(name))) {
    refuse(
      422,
      'Only latin alphabet letters, arabic numerals, dash and underscore are allowed to be used as channel name.',
    )
  }
}

function refuseBadStatus(type: string, status: unknown, closed: string[]): void {
  const allowed = (STATUSES[type] ?? STATUSES.other ?? []).filter((known) => !closed.includes(known))
  if (status !== undefined && !allowed.includes(String(status))) {
    refuse(422, `Channel status [${status}] is not supported for type [${type}]`, {
      status: `must be one of ${allowed.join(', ')}`,
    })
  }
}

function refuseDuplicate(store: SandboxStore, { name, type, platform }: Fields, ownId?: number): void {
  const where = { name_key: String(name), type: String(type), platform: String(platform) }
  if (
    channelsTable(store)
      .find(where)
      .some((row) => row.id !== ownId)
  ) {
    refuse(409, `Channel already exists with name: "${name}", platform: "${platform}", and type: "${type}"`)
  }
}

/** The fields of `known` in the body, with their types checked. */
function readFields(known: JsonFields, body: unknown): Fields {
  refuseInvalidJson(jsonComplaints(known, body))
  return Object.fromEntries(Object.entries(body as Fields).filter(([name]) => name in known))
}

/** Checks the plan's limits for storefronts. Other types of channels have none. */
function refuseBeyondSeats(store: SandboxStore, channel: Fields, ownId?: number): void {
  if (channel.type !== 'storefront') return
  const others = channelsTable(store)
    .find({ type: 'storefront' })
    .filter(({ id }) => id !== ownId)
  const seated = [...others, channel].filter(({ status }) => !SEATLESS.includes(String(status)))
  refuseBeyondLimit(store, 'storefront_limit', seated.length)
  refuseBeyondLimit(store, 'active_storefront_limit', seated.filter(({ status }) => status === 'active').length)
}

function create({ store, body, query }: SandboxRequest): SandboxAnswer {
  const given = readFields(NEW, body)
  refuseBadName(given.name)
  const { type, platform } = { type: String(given.type), platform: String(given.platform) }
  if (!PLATFORMS[type]?.includes(platform))
    refuse(422, `Input channel type [${type}] with platform [${platform}] is not supported`)
  refuseBadStatus(type, given.status, ['deleted'])
  refuseDuplicate(store, given)
  const channel = fresh(given)
  refuseBeyondSeats(store, channel)
  return ok(shown(store, channelsTable(store).insert(channel), query))
}

function update({ store, params, body, query }: SandboxRequest): SandboxAnswer {
  const channel = channelsTable(store).get(Number(params.channelId))
  if (!channel) return notFound(`Channel [${params.channelId}] not found`)
  const fields = readFields(WRITABLE, body)
  if (GONE.includes(String(channel.status))) {
    refuse(
      422,
      'A deleted channel cannot be updated. Channel can be restored within 90 days after deleting by contacting BigCommerce support team',
    )
  }
  if (fields.name !== undefined) refuseBadName(fields.name)
  refuseBadStatus(String(channel.type), fields.status, ['prelaunch'])
  refuseDuplicate(store, { ...channel, ...fields }, channel.id)
  if (fields.status !== undefined) refuseBeyondSeats(store, { ...channel, ...fields }, channel.id)
  return ok(shown(store, channelsTable(store).update(channel.id, { ...fields, date_modified: now() }), query))
}

function listChannels({ store, query }: SandboxRequest): SandboxAnswer {
  const where: Where = {}
  for (const name of ['type', 'platform', 'status']) {
    const requested = textsIn(query, `${name}:in`)
    if (requested) where[name] = requested
  }
  const available = booleanIn(query, 'available')
  const keep = (row: Row) =>
    (available === undefined || UNAVAILABLE.includes(String(row.status)) !== available) && isWithinDates(row, query)
  const show = (row: Row) => shown(store, row, query)
  return list({ query, table: channelsTable(store), where, keep, idFilters: false, show })
}

export const channels: SandboxResource = {
  key: 'channels',
  routes: [
    { method: 'GET', path: '/v3/channels', scope: SCOPE, latency: 'read', handle: listChannels },
    { method: 'POST', path: '/v3/channels', scope: SCOPE, latency: 'write', handle: create },
    {
      method: 'GET',
      path: '/v3/channels/:channelId',
      scope: SCOPE,
      latency: 'read',
      handle: ({ store, params, query }) => {
        const channel = channelsTable(store).get(Number(params.channelId))
        return channel ? ok(shown(store, channel, query)) : notFound(`Channel [${params.channelId}] not found`)
      },
    },
    { method: 'PUT', path: '/v3/channels/:channelId', scope: SCOPE, latency: 'write', handle: update },
  ],
}
