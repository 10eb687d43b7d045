import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'

export interface SourcePage {
  items: PlatformItem[]
  /** Where to continue after this page. */
  position: string
  /** The level of these items in a hierarchy; a new level starts only when the one above it is written. */
  level: number | null
  /** How many there are in all, by the platform's count; null when it gave none. */
  total: number | null
  /** Staged items whose parent is missing, or that are their own ancestors. */
  broken: boolean
}

/** Called while a source is read. */
export interface SourceEvents {
  /** The source does not have these picked ids. */
  onGone(ids: string[]): Promise<void>
  /**
   * The source counts this many items more than it showed, even after its list was read again; 0 if the list never
   * stopped changing.
   */
  onIncomplete(missing: number): Promise<void>
}

/** How often a list that shows fewer items than the platform counts is read again. */
export const rereads = 2

/** The ids that are not among the items. */
export function missingIds(ids: string[], items: PlatformItem[], { source }: Pass): string[] {
  const found = new Set(items.map((item) => String(item[source.idField])))
  return ids.filter((id) => !found.has(id))
}
