import type { SandboxStore } from '../../store/store.ts'

/** A group of settings below `/v3/settings`, with the changed values. */
export type Setting = readonly [path: string, values: Record<string, unknown>]

/** The channel id for settings of the whole store. */
export const WHOLE_STORE = 0

export function insertSettings(store: SandboxStore, channel_id: number, settings: readonly Setting[]): void {
  const table = store.table('settings', ['name', 'channel_id'])
  for (const [name, values] of settings) table.insert({ name, channel_id, values })
}
