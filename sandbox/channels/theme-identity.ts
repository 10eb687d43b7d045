import type { SandboxStore } from '../store.ts'
import { stableUuid } from '../store-identity.ts'

/** What the themes API calls the look of a channel. A store has one theme; each channel has its own configuration of it. */
export interface ThemeIdentity {
  active_theme_uuid: string
  active_theme_configuration_uuid: string
  active_theme_version_uuid: string
  saved_theme_configuration_uuid: string
}

/** Other UUIDs in every store, so that one of the source's in the destination is found out. */
export function themeOf({ hash }: SandboxStore, channelId: number): ThemeIdentity {
  const configuration = stableUuid(`${hash} theme configuration ${channelId}`)
  return {
    active_theme_uuid: stableUuid(`${hash} theme`),
    active_theme_configuration_uuid: configuration,
    active_theme_version_uuid: stableUuid(`${hash} theme version`),
    saved_theme_configuration_uuid: configuration,
  }
}
