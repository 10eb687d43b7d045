import type { StoreClient } from '../../bigcommerce/client.ts'
import type { WriteCall } from '../core/calls.ts'
import { chosenFields } from '../core/chosen-fields.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import type { Pass } from '../core/pass.ts'
import type { Lister, WalkCalls, WalkOptions } from '../core/reading.ts'
import { identity, type References } from '../core/references.ts'
import { leftOutWithChannel, storefrontsOf } from '../core/storefront-channels.ts'

/** Settings that are read and written together. */
export interface Group {
  key: string
  path: string
  /** Where the settings of one channel are. Absent: channels have none of their own. */
  ofChannel?: (channelId: unknown) => Location
  /** Fields that are never copied, although a call without them clears them: the destination's are sent back. */
  keeps?: readonly string[]
}

interface Location {
  path: string
  query?: Record<string, string | number>
}

/** Pictures are uploaded separately (`setting-pictures.ts`), and passwords are never copied. */
const leftOut = ['logo_image_url', 'favicon_url', 'prelaunch_password']

type StoreReader = Pick<StoreClient, 'get'>
async function valuesOf(client: StoreReader, location: Location, options: WalkOptions): Promise<PlatformItem> {
  const values = Object.entries(await readGroup(client, location, options))
  return Object.fromEntries(values.filter(([field]) => !leftOut.includes(field)))
}

async function readGroup(
  client: StoreReader,
  { path, query = {} }: Location,
  { signal }: WalkOptions,
): Promise<PlatformItem> {
  const { body } = await client.get<PlatformItem & { data?: PlatformItem }>(path, query, { signal })
  // Promotion settings come without the usual `data`.
  return ('data' in body ? body.data : body) ?? {}
}

/** One item per group, because every store has all of them. */
function ofStore(client: StoreReader, groups: readonly Group[], options: WalkOptions): Promise<PlatformItem[]> {
  return Promise.all(groups.map(async (one) => ({ id: one.key, ...(await valuesOf(client, one, options)) })))
}

/** One item per group in which the channel overrides something. Null values are inherited from the store. */
async function ofChannel(
  client: StoreReader,
  groups: readonly Group[],
  channelId: unknown,
  options: WalkOptions,
): Promise<PlatformItem[]> {
  const found = await Promise.all(
    groups.map(async ({ key, ofChannel: perChannel }): Promise<PlatformItem[]> => {
      const values = perChannel ? await valuesOf(client, perChannel(channelId), options) : {}
      const isSet = Object.values(values).some(isOwn)
      return isSet ? [{ ...values, id: `${channelId}/${key}`, channel_id: channelId }] : []
    }),
  )
  return found.flat()
}

function isOwn(value: unknown): boolean {
  if (value === null || value === undefined) return false
  return typeof value === 'object' && !Array.isArray(value) ? Object.values(value).some(isOwn) : true
}

async function everything(
  client: StoreReader,
  groups: readonly Group[],
  { channels, chosen }: { channels: boolean; chosen?: unknown },
  options: WalkOptions,
): Promise<PlatformItem[]> {
  if (!channels) return ofStore(client, groups, options)
  const found: PlatformItem[] = []
  for (const channelId of await storefrontsOf(client, chosen, options))
    found.push(...(await ofChannel(client, groups, channelId, options)))
  return found
}

interface Kind {
  key: string
  label: string
  data: Component['data']
  groups: readonly Group[]
  channels: boolean
  /**
   * Fields that belong to one store only, such as its name and contact data. Like stock levels, they are left alone
   * unless listed (D1).
   */
  destinationOwned?: readonly string[]
  /** Fields with links to pages of the shop, which `translated` rewrites. */
  texts?: readonly string[]
  /** Translates the values for the destination. Absent: they refer to no items of the store. */
  translated?: (values: PlatformItem, references: References) => PlatformItem
  /** The translated values as they are compared, if not as they are. */
  compared?: (values: PlatformItem) => PlatformItem
  /** The values to write, with what they leave to the destination. Absent: nothing. */
  withExisting?: (values: PlatformItem, existing: PlatformItem) => PlatformItem
}

/** Every store has all groups, so nothing is created: the first call is an update like the others. */
export function settings(kind: Kind): { component: Component; pass: Pass } {
  const { key, label, data, groups, channels, destinationOwned = [], texts, withExisting = (values) => values } = kind
  const make = (item: PlatformItem, references: References) => settingsDraft(kind, item, references)
  const call = (desired: Draft) => putGroup(desired, groups, channels)
  const pages: Lister = async function* (client, _path, { channel_id }, options) {
    const items = await everything(client, groups, { channels, chosen: channel_id }, options)
    yield { items, total: items.length, read: items.length }
  }
  // How many groups a channel overrides is not known in advance.
  const usually = channels ? 0 : groups.length
  const walkCalls: WalkCalls = channels
    ? { perStorefront: groups.filter(({ ofChannel: perChannel }) => perChannel).length, sideBySide: true }
    : { once: groups.length, sideBySide: true }
  const path = `/v3/settings (${key})`
  const reading = { path, kind: 'staged', limit: 250, idField: 'id', pages, usually, walkCalls } as const
  return {
    component: {
      key,
      label,
      scope: channels ? 'storefront' : 'store',
      data,
      recovery: 'resend',
      naturalKey: channels ? 'channel and group' : 'group',
      destinationOwned,
      carried: false,
      create: {
        batch: 1,
        call: ([only]) => (only ? call(only.draft) : { method: 'PUT', path: '' }),
        results: (_status, _body, drafts) =>
          drafts.map((one) => ({ saved: { ...one.body, id: one.keys[0], channel_id: channelOf(one) } })),
      },
      update: {
        call: (desired, existing, _parentId, fields) => {
          const kept = destinationOwned.filter((field) => fields !== 'all' && !fields.includes(field))
          const values = withExisting(desired.body, existing.body)
          return call({ ...desired, body: { ...values, ...chosenFields(existing.body, kept) } })
        },
      },
      probe: async (client) => {
        const items = await everything(client, groups, { channels }, {})
        return items.map((item) => make(item, identity))
      },
      callsPerItem: { write: 1 },
    },
    pass: {
      key,
      label,
      root: key,
      source: reading,
      destination: { ...reading, complete: true },
      // A storefront run leaves out what belongs to the whole store.
      storefront: ({ channelId }) => (channels ? { channel_id: channelId } : null),
      ...(texts && { texts }),
      drafts: make,
    },
  }
}

/**
 * The key of a group is the same in every store, with the channel in front for a group of a channel. It is also the id.
 */
function settingsDraft(
  { key: component, translated = (values) => values, compared = (values) => values }: Kind,
  { id, channel_id, ...said }: PlatformItem,
  references: References,
): Draft {
  const called = String(id)
  const values = translated(said, references)
  const compare = compared(values)
  if (channel_id === undefined) return draft(component, id, values, { compare, keys: [called], name: called })
  const channel = references.find('channels', channel_id)
  const name = called.slice(called.indexOf('/') + 1)
  return draft(component, id, values, {
    compare,
    keys: channel === undefined ? [] : [`${channel}/${name}`],
    name,
    ...(channel === undefined && leftOutWithChannel),
  })
}

function channelOf({ keys: [key = ''] }: Draft): number | undefined {
  const channel = Number(key.slice(0, key.indexOf('/')))
  return Number.isInteger(channel) && channel > 0 ? channel : undefined
}

/** For most groups a PUT replaces the whole group. */
function putGroup(desired: Draft, groups: readonly Group[], ofOneChannel: boolean): WriteCall {
  const { location, keeps } = targetOf(desired, groups, ofOneChannel)
  const put = { method: 'PUT' as const, ...location, body: desired.body }
  if (!keeps) return put
  return {
    ...put,
    prepare: async ({ destination }) => {
      const values = await readGroup(destination, location, {})
      return { body: { ...desired.body, ...chosenFields(values, [...keeps]) } }
    },
  }
}

function targetOf(
  desired: Draft,
  groups: readonly Group[],
  ofOneChannel: boolean,
): { location: Location; keeps: Group['keeps'] } {
  const [key = ''] = desired.keys
  const name = ofOneChannel ? key.slice(key.indexOf('/') + 1) : key
  // In a forecast the item has no keys, so any group will do.
  const found = groups.find((one) => one.key === name) ?? groups[0]
  if (!found) throw new Error('There are no groups of settings')
  const { path, ofChannel: perChannel, keeps } = found
  return { location: ofOneChannel && perChannel ? perChannel(channelOf(desired) ?? 0) : { path }, keeps }
}
