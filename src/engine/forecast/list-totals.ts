import type { StoreClient } from '../../bigcommerce/client.ts'
import { isV2 } from '../../bigcommerce/pages.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Reading, WalkCalls } from '../../entities/core/reading.ts'
import { storefrontsAmong } from '../../entities/core/storefront-channels.ts'
import type { WalkedList } from '../../model/forecast/list-calls.ts'

/** A store as the survey reads it. Every response shows its latency and the quota. */
export type StoreReader = Pick<StoreClient, 'get'>

/** The lengths of the lists of one store, by path. */
export class ListTotals {
  /** Null when the store does not answer. */
  readonly client: StoreReader | null
  readonly totals = new Map<string, number>()
  /** The calls it took to count lists that have to be walked, and lists in parts. */
  readonly walks = new Map<string, number>()
  /** Undefined if the channels were not read in time. */
  channels: readonly PlatformItem[] | undefined

  constructor(client: StoreReader | null) {
    this.client = client
  }

  total(reading: Reading): number | undefined {
    return this.totals.get(listOf(reading))
  }

  /** Null if the platform pages the list, or if the calls of its walk are not known. */
  walkOf(reading: Reading, { oneStorefront }: { oneStorefront: boolean }): WalkedList | null {
    const storefronts = oneStorefront || !this.channels ? 1 : storefrontsAmong(this.channels).length
    if (reading.walkCalls) return walkOver(reading.walkCalls, storefronts)
    const once = this.walks.get(listOf(reading))
    if (once === undefined) return null
    if (!reading.parts) return { once, perItem: 0 }
    // Only the length of each part was read.
    const walk = { once, perItem: 1 / reading.parts.limit }
    return isV2(reading.path) ? { ...walk, twice: true } : walk
  }
}

export function walkOver(
  { once = 0, perStorefront = 0, perItem = 0, sideBySide }: WalkCalls,
  storefronts: number,
): WalkedList {
  return { once: once + perStorefront * storefronts, perItem, ...(sideBySide && { sideBySide }) }
}

/** One reading for each list. */
export function byPath(readings: Reading[]): Reading[] {
  return [...new Map(readings.map((reading) => [listOf(reading), reading])).values()]
}

/** Identifies a list by its path; a list in parts and a walked list are different lists. */
export function listOf({ path, parts, pages }: Reading): string {
  if (parts) return `${path} in parts`
  return pages ? `${path} walked` : path
}
