import type { StoreClient } from '../../bigcommerce/client.ts'
import { PlatformError } from '../../bigcommerce/errors.ts'
import type { Query } from '../../bigcommerce/query.ts'
import type { PlatformItem } from '../core/draft.ts'
import type { Lister } from '../core/reading.ts'
import { themedChannels } from '../core/storefront-channels.ts'

type StoreReader = Pick<StoreClient, 'get'>
type Options = { signal?: AbortSignal | undefined }

async function readData<T>(client: StoreReader, path: string, query: Query, { signal }: Options): Promise<T> {
  return (await client.get<{ data: T }>(path, query, { signal })).body.data
}

/** The active theme of a channel; undefined if it has no BigCommerce theme. */
export async function activeThemeOf(
  client: StoreReader,
  channelId: number,
  options: Options,
): Promise<PlatformItem | undefined> {
  try {
    return await readData(client, `/v3/channels/${channelId}/active-theme`, {}, options)
  } catch (error) {
    if (error instanceof PlatformError && error.httpStatus === 404) return undefined
    throw error
  }
}

export async function themesAt(client: StoreReader, options: Options): Promise<PlatformItem[]> {
  return readData(client, '/v3/themes', {}, options)
}

/** All themes of a store, which are at most 20. */
export const allThemes: Lister = async function* (client, _path, _query, options) {
  const items = await themesAt(client, options)
  yield { items, total: items.length, read: items.length }
}

/** The themes that the chosen storefronts display. */
export const shownThemes: Lister = async function* (client, _path, { channel_id }, options) {
  const shown = new Set<unknown>()
  for (const channelId of await themedChannels(client, channel_id, options))
    shown.add((await activeThemeOf(client, channelId, options))?.active_theme_uuid)
  const items = (await themesAt(client, options)).filter(({ uuid }) => shown.has(uuid))
  yield { items, total: items.length, read: items.length }
}

/** The theme and variation of each chosen storefront, as one item each. */
export const looks: Lister = async function* (client, _path, { channel_id }, options) {
  const themes = await themesAt(client, options)
  const items: PlatformItem[] = []
  for (const channelId of await themedChannels(client, channel_id, options)) {
    const look = await lookOf(client, channelId, themes, options)
    if (look) items.push(look)
  }
  yield { items, total: items.length, read: items.length }
}

/** Undefined if the platform does not return the variation. */
async function lookOf(
  client: StoreReader,
  channelId: number,
  themes: PlatformItem[],
  options: Options,
): Promise<PlatformItem | undefined> {
  const active = await activeThemeOf(client, channelId, options)
  const theme = active && themes.find(({ uuid }) => uuid === active.active_theme_uuid)
  if (!active || !theme) return undefined
  const query = { 'uuid:in': String(active.active_theme_configuration_uuid) }
  const path = `/v3/themes/${active.active_theme_uuid}/configurations`
  const [configuration] = await readData<PlatformItem[]>(client, path, query, options)
  // The published file has `variation_id`; the platform's own theme tool reads `variation_uuid`.
  const id = configuration?.variation_id ?? configuration?.variation_uuid
  const variation = variationsOf(theme).find(({ uuid }) => uuid === id)
  if (!variation) return undefined
  const [called, name] = [themeKey(theme), String(variation.name)]
  return {
    id: `${channelId}/${called}/${name}`,
    channel_id: channelId,
    theme_uuid: theme.uuid,
    theme: called,
    variation: name,
  }
}

export function variationsOf({ variations }: PlatformItem): PlatformItem[] {
  return Array.isArray(variations) ? variations : []
}

/** A merchant's own theme is often named like the platform theme it was made from, but is a different theme. */
export function themeKey({ name, is_private }: PlatformItem): string {
  return `${is_private === true ? ownTheme : platformTheme}${name}`
}

export const ownTheme = 'own:'
export const platformTheme = 'platform:'
