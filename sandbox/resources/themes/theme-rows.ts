import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { stableUuid } from '../../store/store-identity.ts'
import { channelsTable } from '../channels/channels.ts'
import { sitesTable } from '../channels/sites.ts'
import { type ArchivedTheme, archiveOf } from './theme-archive.ts'
import { customTemplateTable, type EntityType } from './theme-files.ts'

export interface Variation {
  uuid: string
  name: string
  description: string
  external_id: string
  settings: Record<string, unknown>
}

export interface Theme extends Omit<ArchivedTheme, 'variations'> {
  uuid: string
  version_uuid: string
  is_private: boolean
  updated_at: string
  variations: Variation[]
}

export interface Configuration {
  uuid: string
  theme_uuid: string
  variation_id: string
  settings: Record<string, unknown>
  date_created: string
  /** 0 for the settings in the archive. */
  site_id: number
}

export const WHICH = ['original', 'last_activated', 'last_created'] as const
export type Which = (typeof WHICH)[number]

/** Uploaded themes. A row for the initial theme only means that it was deleted. */
const themeTable = (store: SandboxStore): Table => store.table('themes', ['uuid'])
/** Channels whose theme has been changed. */
const activationTable = (store: SandboxStore): Table => store.table('theme_activations', ['channel_id'])
const configurationTable = (store: SandboxStore): Table => store.table('theme_configurations', ['uuid', 'theme_uuid'])

const BORN_AT = '2024-02-29T12:00:00Z'
const BORN_WITH: readonly [id: string, name: string, background: string][] = [
  ['light', 'Light', '#ffffff'],
  ['bold', 'Bold', '#222222'],
  ['warm', 'Warm', '#f4e9dc'],
]

/**
 * The theme that every store starts with. Its UUIDs differ between stores, so that one of the source is invalid at the
 * destination.
 */
function bornTheme(store: SandboxStore): Theme {
  const { hash } = store
  return {
    uuid: stableUuid(`${hash} theme`),
    version_uuid: stableUuid(`${hash} theme version`),
    name: 'Cornerstone',
    version: '6.15.0',
    is_private: false,
    updated_at: BORN_AT,
    settings: { show_powered_by: true },
    variations: BORN_WITH.map(([external_id, name, background]) => ({
      uuid: stableUuid(`${hash} theme variation ${external_id}`),
      name,
      description: `${name} look of the theme that every store has.`,
      external_id,
      settings: { 'body-bg': background },
    })),
    files: customTemplateTable(store)
      .find({})
      .map(({ entity_type, file_name }) => [entity_type as EntityType, String(file_name)]),
  }
}

function asTheme({ id: _id, archive: _archive, ready_ms: _ready, ...row }: Row): Theme {
  // Only `insertTheme` writes rows that are read here.
  return row as unknown as Theme
}

/** The themes whose upload is done, the initial theme first. */
export function themesOf(store: SandboxStore): Theme[] {
  const rows = themeTable(store).find({})
  const born = bornTheme(store)
  const own = rows.filter(({ uuid, ready_ms }) => uuid !== born.uuid && Number(ready_ms) <= Date.now())
  return [...(rows.some(({ uuid }) => uuid === born.uuid) ? [] : [born]), ...own.map(asTheme)]
}

export function themeBy(store: SandboxStore, uuid: string): Theme | undefined {
  return themesOf(store).find((theme) => theme.uuid === uuid)
}

/** Inserts a theme, which appears once its upload has been processed. */
export function insertTheme(store: SandboxStore, read: ArchivedTheme, archive: Buffer, readyMs: number): string {
  const table = themeTable(store)
  const uuid = stableUuid(`${store.hash} theme ${table.nextId()}`)
  const { variations, ...rest } = read
  table.insert({
    ...rest,
    uuid,
    version_uuid: stableUuid(`${uuid} version`),
    is_private: true,
    updated_at: new Date(readyMs).toISOString(),
    variations: variations.map(({ id, ...variation }) => ({
      ...variation,
      external_id: id,
      uuid: stableUuid(`${uuid} variation ${variation.name}`),
    })),
    archive: archive.toString('base64'),
    ready_ms: readyMs,
  })
  return uuid
}

export function deleteTheme(store: SandboxStore, uuid: string): void {
  const [row] = themeTable(store).find({ uuid })
  if (row) themeTable(store).delete(row.id)
  if (uuid === bornTheme(store).uuid) themeTable(store).insert({ uuid, is_gone: true, ready_ms: 0 })
  for (const { id } of configurationTable(store).find({ theme_uuid: uuid })) configurationTable(store).delete(id)
}

/** The archive as uploaded. That of the initial theme is built from its rows. */
export function originalArchive(store: SandboxStore, theme: Theme): Buffer {
  const [row] = themeTable(store).find({ uuid: theme.uuid })
  if (row) return Buffer.from(String(row.archive), 'base64')
  const variations = theme.variations.map(({ external_id, name, description, settings }) => {
    return { id: external_id, name, description, settings }
  })
  return archiveOf({ ...theme, variations })
}

/** Only BigCommerce storefronts have themes; headless ones do not. */
export function isThemed(store: SandboxStore, channelId: number): boolean {
  const channel = channelsTable(store).get(channelId)
  return channel?.type === 'storefront' && channel.platform === 'bigcommerce'
}

function themedChannels(store: SandboxStore): number[] {
  return channelsTable(store)
    .find({ type: 'storefront', platform: 'bigcommerce' })
    .map(({ id }) => id)
}

export interface Look {
  theme: Theme
  variation_id: string
  configuration_uuid: string
}

/** The active theme of a channel. */
export function lookOf(store: SandboxStore, channelId: number): Look {
  const [row] = activationTable(store).find({ channel_id: channelId })
  const theme = row && themeBy(store, String(row.theme_uuid))
  if (row && theme)
    return { theme, variation_id: String(row.variation_id), configuration_uuid: String(row.configuration_uuid) }
  const born = bornTheme(store)
  return {
    theme: born,
    variation_id: born.variations[0]?.uuid ?? '',
    configuration_uuid: stableUuid(`${store.hash} theme configuration ${channelId}`),
  }
}

export function isActive(store: SandboxStore, uuid: string): boolean {
  return themedChannels(store).some((channelId) => lookOf(store, channelId).theme.uuid === uuid)
}

/** The configurations of a theme, oldest first. The initial ones have no rows. */
export function configurationsOf(store: SandboxStore, theme: Theme): Configuration[] {
  const originals = theme.variations.map((variation) => originalOf(theme, variation))
  const stored = configurationTable(store)
    .find({ theme_uuid: theme.uuid })
    .map(({ id: _id, ...row }) => row as unknown as Configuration)
  if (theme.uuid !== bornTheme(store).uuid) return [...originals, ...stored]
  const [first] = theme.variations
  const born = first
    ? themedChannels(store).map((channelId) => ({
        ...originalOf(theme, first),
        uuid: stableUuid(`${store.hash} theme configuration ${channelId}`),
        site_id: siteOf(store, channelId),
      }))
    : []
  return [...originals, ...born, ...stored]
}

function originalOf(theme: Theme, variation: Variation): Configuration {
  return {
    uuid: stableUuid(`${variation.uuid} configuration`),
    theme_uuid: theme.uuid,
    variation_id: variation.uuid,
    settings: { ...theme.settings, ...variation.settings },
    date_created: theme.updated_at,
    site_id: 0,
  }
}

/** The site of a channel; 0 if it has none. */
export function siteOf(store: SandboxStore, channelId: number): number {
  return sitesTable(store).find({ channel_id: channelId })[0]?.id ?? 0
}

/** Whatever is saved here is also activated, so the last saved and the last activated configuration are the same. */
export function configurationBy(
  store: SandboxStore,
  theme: Theme,
  variation: Variation,
  which: Which,
): Configuration | undefined {
  const all = configurationsOf(store, theme).filter(({ variation_id }) => variation_id === variation.uuid)
  return which === 'original' ? all[0] : all.at(-1)
}

/** Activates a variation on a channel. If it is active already, nothing changes. */
export function activate(store: SandboxStore, channelId: number, variation: Variation, which: Which): void {
  const theme = themesOf(store).find(({ variations }) => variations.some(({ uuid }) => uuid === variation.uuid))
  const source = theme && configurationBy(store, theme, variation, which)
  if (!theme || !source) throw new Error(`No theme has a variation ${variation.uuid}.`)
  const site_id = siteOf(store, channelId)
  const now = configurationsOf(store, theme).find(({ uuid }) => uuid === lookOf(store, channelId).configuration_uuid)
  if (now?.variation_id === variation.uuid && JSON.stringify(now.settings) === JSON.stringify(source.settings)) return
  const uuid = stableUuid(`${store.hash} new theme configuration ${configurationTable(store).nextId()}`)
  const date_created = new Date().toISOString()
  const configuration = { uuid, theme_uuid: theme.uuid, variation_id: variation.uuid, site_id, date_created }
  configurationTable(store).insert({ ...configuration, settings: source.settings })
  const [before] = activationTable(store).find({ channel_id: channelId })
  const look = { channel_id: channelId, theme_uuid: theme.uuid, variation_id: variation.uuid, configuration_uuid: uuid }
  if (before) activationTable(store).update(before.id, look)
  else activationTable(store).insert(look)
}
