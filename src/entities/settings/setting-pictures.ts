import type { StoreClient } from '../../bigcommerce/client.ts'
import type { Query } from '../../bigcommerce/query.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { imageFile } from '../core/image-file.ts'
import type { Pass } from '../core/pass.ts'
import type { Lister, Reading } from '../core/reading.ts'
import { identity, type References } from '../core/references.ts'
import { leftOutWithChannel, storefrontsOf } from '../core/storefront-channels.ts'

/**
 * The field with a picture's address, and the path and form field to upload its bytes. Source: Logo, Logo Image,
 * Favicon Image.
 */
const pictures = [
  { key: 'logo', shownAs: 'logo_image_url', path: '/v3/settings/logo/image', field: 'LogoFile' },
  { key: 'favicon', shownAs: 'favicon_url', path: '/v3/settings/favicon/image', field: 'FaviconFile' },
] as const

type StoreReader = Pick<StoreClient, 'get'>
type Options = { signal?: AbortSignal | undefined }

/** The uploaded pictures. A channel without its own displays the store's. */
async function picturesAt(client: StoreReader, channel: unknown, { signal }: Options): Promise<PlatformItem[]> {
  const query: Query = channel === undefined ? {} : { channel_id: Number(channel) }
  const { data } = (await client.get<{ data: PlatformItem }>('/v3/settings/logo', query, { signal })).body
  return pictures.flatMap(({ key, shownAs }): PlatformItem[] => {
    const address = data[shownAs]
    if (typeof address !== 'string' || address === '') return []
    return channel === undefined ? [{ id: key, address }] : [{ id: `${channel}/${key}`, channel_id: channel, address }]
  })
}

const ofStore: Lister = async function* (client, _path, _query, options) {
  const items = await picturesAt(client, undefined, options)
  yield { items, total: items.length, read: items.length }
}

const ofChannels: Lister = async function* (client, _path, { channel_id }, options) {
  const items: PlatformItem[] = []
  for (const channel of await storefrontsOf(client, channel_id, options))
    items.push(...(await picturesAt(client, channel, options)))
  yield { items, total: items.length, read: items.length }
}

/**
 * The part of a picture's name that survives a copy. The platform appends the upload time in seconds and the size.
 * Neither is documented: with any other suffix, an update would upload the picture again.
 */
export function settingPictureFile(address: unknown): string {
  const plain = String(address ?? '').replace(/\.original(?=\.[a-z]+(?:[?#]|$))/i, '')
  return imageFile(plain).replace(/(?:_\d{10})+(?=\.[a-z]+$)/, '')
}

/** Ids look like `logo` or `1/logo`. */
function pictureDraft(component: string, { id, channel_id, address }: PlatformItem, references: References): Draft {
  const called = String(id)
  const kind = called.slice(called.indexOf('/') + 1)
  const channel = channel_id === undefined ? undefined : references.find('channels', channel_id)
  const lost = channel_id !== undefined && channel === undefined
  const key = channel === undefined ? kind : `${channel}/${kind}`
  return draft(
    component,
    id,
    { picture: address },
    {
      compare: { image_file: settingPictureFile(address) },
      keys: lost ? [] : [key],
      name: kind,
      ...(lost && leftOutWithChannel),
    },
  )
}

function upload({ body, keys: [key = ''] }: Draft) {
  const [kind = '', channel] = key.split('/').reverse()
  // In a forecast the item has no keys, so any picture will do.
  const { path, field } = pictures.find((one) => one.key === kind) ?? pictures[0]
  const address = String(body.picture)
  return {
    method: 'POST' as const,
    path,
    ...(channel !== undefined && { query: { channel_id: Number(channel) } }),
    picture: { field, address, fileName: settingPictureFile(address) },
    heavy: true,
  }
}

function picturesOf(
  key: string,
  label: string,
  { channels }: { channels: boolean },
): { component: Component; pass: Pass } {
  const pages = channels ? ofChannels : ofStore
  const make = (item: PlatformItem, references: References) => pictureDraft(key, item, references)
  const reading: Reading = {
    path: `/v3/settings (${key})`,
    kind: 'staged',
    limit: 250,
    idField: 'id',
    pages,
  }
  return {
    component: {
      key,
      label,
      picture: 'sent',
      scope: channels ? 'storefront' : 'store',
      data: 'catalogue',
      recovery: 'key',
      naturalKey: channels ? 'channel and kind' : 'kind',
      destinationOwned: [],
      carried: false,
      create: {
        batch: 1,
        call: ([only]) => (only ? upload(only.draft) : { method: 'POST', path: '' }),
        // The response is empty, and the platform chooses the picture's name.
        results: (_status, _body, desired) => desired.map(() => ({ lookFor: true })),
      },
      update: { call: (desired) => upload(desired) },
      probe: async (client) => {
        const found: Draft[] = []
        for await (const { items } of pages(client, '', {}, {}))
          found.push(...items.map((item) => make(item, identity)))
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
      // A storefront run leaves out what belongs to the whole store.
      storefront: ({ channelId }) => (channels ? { channel_id: channelId } : null),
      drafts: make,
    },
  }
}

export const settingPictures = [
  picturesOf('store-pictures', 'Logo and icon of the store', { channels: false }),
  picturesOf('channel-pictures', 'Logos and icons of channels', { channels: true }),
]
