import type { StoreClient } from '../../bigcommerce/client.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import type { Lister, Reading } from '../core/reading.ts'
import type { References } from '../core/references.ts'
import { leftOutWithChannel, themedChannels } from '../core/storefront-channels.ts'
import { activeThemeOf } from './theme-lists.ts'

export const themeTemplatesKey = 'theme-templates'

type StoreReader = Pick<StoreClient, 'get'>
type Options = { signal?: AbortSignal | undefined }

/** The types of theme templates, with the component of the items they are for. */
export const componentsOfTypes: Record<string, string> = {
  product: 'products',
  category: 'categories',
  brand: 'brands',
  page: 'pages',
}

/** The id by which other entities refer to a file. */
export function themeTemplateId(channelId: unknown, type: unknown, file: unknown): string {
  return `${channelId}/${type}/${file}`
}

async function filesOf(
  client: StoreReader,
  version: string,
  { signal }: Options,
): Promise<[type: string, file: string][]> {
  const path = `/v3/themes/custom-templates/${version}`
  const { data } = (await client.get<{ data: Record<string, string[]> }>(path, {}, { signal })).body
  return Object.entries(data).flatMap(([type, files]) => files.map((file): [string, string] => [type, file]))
}

/** Template files for single items in the active theme of each storefront. */
const everyFile: Lister = async function* (client, _path, { channel_id }, options) {
  const items: PlatformItem[] = []
  const known = new Map<string, [string, string][]>()
  for (const channelId of await themedChannels(client, channel_id, options)) {
    const active = await activeThemeOf(client, channelId, options)
    if (active === undefined) continue
    const version = String(active.active_theme_version_uuid)
    const files = known.get(version) ?? (await filesOf(client, version, options))
    known.set(version, files)
    for (const [entity_type, file_name] of files)
      items.push({
        id: themeTemplateId(channelId, entity_type, file_name),
        channel_id: channelId,
        entity_type,
        file_name,
      })
  }
  yield { items, total: items.length, read: items.length }
}

export const sameTheme =
  'Add the file to the theme of the destination, or activate the same theme there, then run again.'
const noFile = { uncreatable: 'the active theme of the destination has no such file.', remedy: sameTheme }

/** A file comes with the theme and has no content to compare. */
function fileDraft({ id, channel_id, entity_type, file_name }: PlatformItem, references: References): Draft {
  const channel = references.find('channels', channel_id)
  return draft(
    themeTemplatesKey,
    id,
    { entity_type, file_name },
    {
      compare: {},
      keys: channel === undefined ? [] : [themeTemplateId(channel, entity_type, file_name)],
      name: `${entity_type}/${file_name}`,
      ...(channel === undefined ? leftOutWithChannel : noFile),
    },
  )
}

const themeTemplate: Component = {
  key: themeTemplatesKey,
  label: 'Custom templates of the theme',
  data: 'catalogue',
  recovery: 'resend',
  naturalKey: 'channel, kind and file name',
  destinationOwned: [],
  carried: false,
  callsPerItem: { write: 0 },
}

const reading: Reading = {
  path: '/v3/themes/custom-templates',
  kind: 'staged',
  limit: 250,
  idField: 'id',
  pages: everyFile,
}

export const themeTemplates = defineEntity({
  key: themeTemplatesKey,
  label: 'Custom templates of the theme',
  group: 'storefront',
  after: [],
  scope: 'storefront',
  prune: 'never',
  components: [themeTemplate],
  notMoved: [
    { what: 'the files themselves', why: 'they belong to the theme; those missing are reported' },
    {
      what: 'themes, unless a run asks for them (`themes`)',
      why: 'the theme decides how a shop looks, and which one to use is up to the merchant',
    },
  ],
  passes: [
    {
      key: themeTemplatesKey,
      label: 'Custom templates of the theme',
      root: themeTemplatesKey,
      source: reading,
      storefront: ({ channelId }) => ({ channel_id: channelId }),
      destination: { ...reading, complete: true },
      drafts: fileDraft,
    },
  ],
})
