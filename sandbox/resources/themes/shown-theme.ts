import type { SandboxStore } from '../../store/store.ts'
import { regionsIn } from './theme-files.ts'
import { lookOf } from './theme-rows.ts'

/** Whether the active theme of a channel has this file for single items of this type. */
export function hasCustomTemplate(store: SandboxStore, channelId: number, type: string, fileName: string): boolean {
  return lookOf(store, channelId).theme.files.some(([kind, name]) => kind === type && name === fileName)
}

/** The regions of a file in the channel's active theme, global ones last; undefined if there is no such file. */
export function regionsOf(store: SandboxStore, channelId: number, templateFile: string): string[] | undefined {
  return regionsIn(templateFile, (type, fileName) => hasCustomTemplate(store, channelId, type, fileName))
}
