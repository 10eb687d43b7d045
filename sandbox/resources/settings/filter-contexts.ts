import type { SandboxStore, Table } from '../../store/store.ts'

/** Filters of a channel or category that override the store's. */
export function contextTable(store: SandboxStore): Table {
  return store.table('search_filter_contexts', ['channel_id', 'category_id'])
}
