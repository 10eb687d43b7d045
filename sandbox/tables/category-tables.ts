import type { SandboxStore, Table } from '../store/store.ts'

export function treesTable(store: SandboxStore): Table {
  return store.table('category_trees', ['channel_id'])
}

export function categoriesTable(store: SandboxStore): Table {
  return store.table('categories', ['tree_id', 'parent_id', 'name_key', 'category_uuid', 'is_visible'])
}
