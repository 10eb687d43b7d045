import type { SandboxStore } from '../../store/store.ts'
import { type InventoryItem, type RowOf, type Stock, stockOf } from './stock.ts'

interface Write {
  /** In monotonic time. */
  writtenAtMs: number
  /** What lists return until the write becomes visible. */
  before: Stock
}

/**
 * Writes that may not be visible yet, by item and location, oldest first. Kept in memory: a restart takes longer than
 * the platform's lag.
 */
const writes = new WeakMap<SandboxStore, Map<string, Write[]>>()

function keyOf({ product, variant }: InventoryItem, locationId: number): string {
  return `${product.id} ${variant?.id ?? ''} ${locationId}`
}

/**
 * Milliseconds until a change becomes visible in lists (switch `inventory_lag_ms`). Source: inventory reads lag behind
 * writes; how long is not published.
 */
function lagMs(store: SandboxStore): number {
  return Number(store.switches.inventory_lag_ms ?? 0)
}

/** Call before stock or its settings change. */
export function rememberStock(store: SandboxStore, item: InventoryItem, locationId: number): void {
  if (lagMs(store) === 0) return
  const ofStore = writes.get(store) ?? new Map<string, Write[]>()
  writes.set(store, ofStore)
  const key = keyOf(item, locationId)
  const write = { writtenAtMs: performance.now(), before: stockOf(store, item, locationId) }
  ofStore.set(key, [...stillHidden(store, ofStore.get(key)), write])
}

/** The stock as a list returns it: from before the oldest write that is not yet visible. */
export function shownStock(store: SandboxStore, item: InventoryItem, locationId: number, rowOf: RowOf): Stock {
  const hidden = stillHidden(store, writes.get(store)?.get(keyOf(item, locationId)))
  return hidden[0]?.before ?? stockOf(store, item, locationId, rowOf)
}

function stillHidden(store: SandboxStore, all: Write[] = []): Write[] {
  const newest = performance.now() - lagMs(store)
  return all.filter(({ writtenAtMs }) => writtenAtMs > newest)
}
