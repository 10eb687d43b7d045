import type { Row, SandboxStore, Table } from '../../store/store.ts'

/** Channel id of settings that belong to the whole store. */
export const GLOBAL = 0

function settingsTable(store: SandboxStore): Table {
  return store.table('settings', ['name', 'channel_id'])
}

export function storedSettings(store: SandboxStore, name: string, channelId: number): Row | undefined {
  return settingsTable(store).find({ name, channel_id: channelId })[0]
}

/** Fields that `row` does not name stay, because settings and their pictures are written separately. */
export function writeSettings(
  store: SandboxStore,
  row: { name: string; channel_id: number } & Record<string, unknown>,
): void {
  const own = storedSettings(store, row.name, row.channel_id)
  if (own) settingsTable(store).update(own.id, row)
  else settingsTable(store).insert(row)
}

/** The settings group that shows the uploaded pictures. */
export const PICTURES_GROUP = 'logo'

/** Address of an uploaded picture; undefined if there is none. */
export function settingPicture(store: SandboxStore, field: string, channelId = GLOBAL): string | undefined {
  const files = storedSettings(store, PICTURES_GROUP, channelId)?.pictures as Record<string, string> | undefined
  return files?.[field] && `${store.imageBase}/${files[field]}`
}
