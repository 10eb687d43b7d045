import type { SqliteStore } from '../sqlite-store.ts'

export type Seed = 'empty' | 'tiny' | 'small'

/** Fills a new store; a store that was opened again keeps what it has. */
export async function plantSeed(store: SqliteStore, seed: Seed): Promise<void> {
  if (store.note('seed') !== undefined) return
  store.setNote('seed', seed)
}
