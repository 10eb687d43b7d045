import type { StoreClient } from '../bigcommerce/client.ts'
import { offsetPages } from '../bigcommerce/pages.ts'
import { chosenFields } from './chosen-fields.ts'
import {
  type Component,
  type Draft,
  defineEntity,
  draft,
  identity,
  type Lister,
  type Pass,
  type PlatformItem,
  type References,
} from './define.ts'

/** Settings that are read and written together. */
interface Group {
  key: string
  path: string
  /** Those of one channel; absent: channels have none of their own. */
  ofChannel?: (channelId: unknown) => { path: string; query?: Record<string, string | number> }
}

function group(name: string, { channels = true } = {}): Group {
  const path = `/v3/settings/${name}`
  const ofChannel = (channelId: unknown) => ({ path, query: { channel_id: Number(channelId) } })
  return { key: name, path, ...(channels && { ofChannel }) }
}

/** All that name no item of the store. Source: Settings, Shipping settings. */
const plain: readonly Group[] = [
  group('store/locale', { channels: false }),
  group('store/units-of-measurement'),
  group('catalog'),
  group('inventory'),
  group('email-statuses'),
  group('logo'),
  ...['category', 'product', 'robotstxt', 'search', 'security', 'seo', 'status'].map((name) =>
    group(`storefront/${name}`),
  ),
  {
    key: 'shipping',
    path: '/v3/shipping/settings',
    ofChannel: (channelId) => ({ path: `/v3/shipping/settings/channels/${channelId}` }),
  },
]

/** Those that hold addresses of people who work for the store. */
const contacts: readonly Group[] = [group('store/profile'), group('inventory/notifications')]

/** Pictures are uploaded, and a password of the source is nobody else's. */
const leftOut = ['logo_image_url', 'favicon_url', 'prelaunch_password']

type Asks = Pick<StoreClient, 'get'>
type Options = { signal?: AbortSignal | undefined }

async function valuesOf(
  client: Asks,
  { path, query = {} }: { path: string; query?: Record<string, string | number> },
  { signal }: Options,
): Promise<PlatformItem> {
  const { data } = (await client.get<{ data: PlatformItem }>(path, query, { signal })).body
  return Object.fromEntries(Object.entries(data ?? {}).filter(([field]) => !leftOut.includes(field)))
}

/** One item for each group: every store has each of them. */
async function* ofStore(client: Asks, groups: readonly Group[], options: Options): AsyncGenerator<PlatformItem> {
  for (const one of groups) yield { id: one.key, ...(await valuesOf(client, one, options)) }
}

/** One item for each group of which a channel has something of its own; null is what it has from the store. */
async function* ofChannels(
  client: Asks,
  groups: readonly Group[],
  channelId: unknown,
  options: Options,
): AsyncGenerator<PlatformItem> {
  for (const { key, ofChannel } of groups) {
    if (!ofChannel) continue
    const values = await valuesOf(client, ofChannel(channelId), options)
    if (Object.values(values).some(isOwn)) yield { ...values, id: `${channelId}/${key}`, channel_id: channelId }
  }
}

function isOwn(value: unknown): boolean {
  if (value === null || value === undefined) return false
  return typeof value === 'object' && !Array.isArray(value) ? Object.values(value).some(isOwn) : true
}

async function* channelsOf(client: Asks, chosen: unknown, { signal }: Options): AsyncGenerator<unknown> {
  if (chosen !== undefined) return yield chosen
  for await (const { items } of offsetPages<PlatformItem>(client, '/v3/channels', {}, { signal }))
    yield* items.filter(({ type, status }) => type === 'storefront' && status !== 'deleted').map(({ id }) => id)
}

async function* everything(
  client: Asks,
  groups: readonly Group[],
  { channels, chosen }: { channels: boolean; chosen?: unknown },
  options: Options,
): AsyncGenerator<PlatformItem> {
  if (!channels) return yield* ofStore(client, groups, options)
  for await (const channelId of channelsOf(client, chosen, options))
    yield* ofChannels(client, groups, channelId, options)
}

interface Kind {
  key: string
  label: string
  data: Component['data']
  groups: readonly Group[]
  channels: boolean
  /** What a store is called and answers by is its own, like a stock level: it stays unless listed (D1). */
  living?: readonly string[]
}

/** Groups stand in every store, so there is nothing to create: the first call is the same as every other. */
function settings({ key, label, data, groups, channels, living = [] }: Kind): { component: Component; pass: Pass } {
  const make = (item: PlatformItem, references: References) => settingsDraft(key, item, references)
  // Most of them are put as a whole.
  const call = (wanted: Draft) => ({ method: 'PUT' as const, ...placeOf(wanted, groups, channels), body: wanted.body })
  const pages: Lister = async function* (client, _path, { channel_id }, { signal }) {
    const items: PlatformItem[] = []
    for await (const item of everything(client, groups, { channels, chosen: channel_id }, { signal })) items.push(item)
    yield { items, total: items.length, read: items.length }
  }
  // How many groups a channel has something of, nobody knows before.
  const usually = channels ? 0 : groups.length
  const reading = { path: `/v3/settings (${key})`, kind: 'staged', limit: 250, idField: 'id', pages, usually } as const
  return {
    component: {
      key,
      label,
      scope: channels ? 'storefront' : 'store',
      data,
      recovery: 'resend',
      naturalKey: channels ? 'channel and group' : 'group',
      living,
      carried: false,
      create: {
        batch: 1,
        call: ([only]) => (only ? call(only.draft) : { method: 'PUT', path: '' }),
        results: (_status, _body, drafts) =>
          drafts.map((one) => ({ saved: { ...one.body, id: one.keys[0], channel_id: channelOf(one) } })),
      },
      update: {
        call: (wanted, standing, _parentId, fields) => {
          const kept = living.filter((field) => fields !== 'all' && !fields.includes(field))
          return call({ ...wanted, body: { ...wanted.body, ...chosenFields(standing.body, kept) } })
        },
      },
      probe: async (client) => {
        const found: Draft[] = []
        for await (const item of everything(client, groups, { channels }, {})) found.push(make(item, identity))
        return found
      },
      callsPerItem: { write: 1 },
    },
    pass: {
      key,
      label,
      root: key,
      source: reading,
      destination: { ...reading, complete: true },
      // A run over storefronts leaves alone what is the whole store's.
      storefront: ({ channelId }) => (channels ? { channel_id: channelId } : null),
      drafts: make,
    },
  }
}

/** A group is called the same in every store, with the channel before it where it is a channel's: that is its id, too. */
function settingsDraft(component: string, { id, channel_id, ...values }: PlatformItem, references: References): Draft {
  const called = String(id)
  if (channel_id === undefined) return draft(component, id, values, { keys: [called], name: called })
  const channel = references.find('channels', channel_id)
  const name = called.slice(called.indexOf('/') + 1)
  return draft(component, id, values, {
    keys: channel === undefined ? [] : [`${channel}/${name}`],
    name,
    uncreatable:
      channel === undefined ? 'its channel has no counterpart at the destination, and channels are not created.' : null,
  })
}

function channelOf({ keys: [key = ''] }: Draft): number | undefined {
  const channel = Number(key.slice(0, key.indexOf('/')))
  return Number.isInteger(channel) && channel > 0 ? channel : undefined
}

function placeOf(wanted: Draft, groups: readonly Group[], ofOneChannel: boolean) {
  const [key = ''] = wanted.keys
  const name = ofOneChannel ? key.slice(key.indexOf('/') + 1) : key
  const found = groups.find((one) => one.key === name) ?? group(name)
  return ofOneChannel && found.ofChannel ? found.ofChannel(channelOf(wanted) ?? 0) : { path: found.path }
}

const kinds = [
  settings({ key: 'store-settings', label: 'Store settings', data: 'catalogue', groups: plain, channels: false }),
  settings({
    ...{ key: 'store-contacts', label: 'Store contacts', data: 'personal', groups: contacts, channels: false },
    living: ['store_name', 'store_email'],
  }),
  settings({ key: 'channel-settings', label: 'Channel settings', data: 'catalogue', groups: plain, channels: true }),
  settings({ key: 'channel-contacts', label: 'Channel contacts', data: 'personal', groups: contacts, channels: true }),
]

export const storeSettings = defineEntity({
  key: 'store-settings',
  label: 'Settings',
  after: [],
  scope: 'store',
  prune: 'never',
  components: kinds.map(({ component }) => component),
  notMoved: [
    { what: 'pictures of the logo and the address bar', why: 'they are uploaded, and not moved yet' },
    { what: 'filters of the search', why: 'they name items of one store, and are not moved yet' },
    { what: 'the password of a storefront before its launch', why: 'it is for one shop only' },
    {
      what: 'country, time zone, domain, checkout, form fields and users',
      why: "the platform's API does not take them",
    },
  ],
  passes: kinds.map(({ pass }) => pass),
})
