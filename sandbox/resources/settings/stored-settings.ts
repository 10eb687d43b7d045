import type { Row, SandboxStore, Table } from '../../store/store.ts'

/** The channel id for settings of the whole store. */
export const GLOBAL = 0

function settingsTable(store: SandboxStore): Table {
  return store.table('settings', ['name', 'channel_id'])
}

export function storedSettings(store: SandboxStore, name: string, channelId: number): Row | undefined {
  return settingsTable(store).find({ name, channel_id: channelId })[0]
}

/** Fields that are not in `row` stay, because settings and their pictures are written separately. */
export function writeSettings(
  store: SandboxStore,
  row: { name: string; channel_id: number } & Record<string, unknown>,
): void {
  const own = storedSettings(store, row.name, row.channel_id)
  if (own) settingsTable(store).update(own.id, row)
  else settingsTable(store).insert(row)
}

/** The settings group that contains the addresses of uploaded pictures. */
export const PICTURES_GROUP = 'logo'

/** The address of an uploaded picture; undefined if there is none. */
export function settingPicture(store: SandboxStore, field: string, channelId = GLOBAL): string | undefined {
  const files = storedSettings(store, PICTURES_GROUP, channelId)?.pictures as Record<string, string> | undefined
  return files?.[field] && `${store.imageBase}/${files[field]}`
}
