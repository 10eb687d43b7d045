import { createHash } from 'node:crypto'
import type { PruneConditions } from '../../db/ledger/prune.ts'

/** Destination-only items of one component, with what decides whether they may be deleted. */
export interface Group {
  /** Component of the items, and of their parents; undefined at the top. */
  root: string
  below: string | undefined
  /** They are not deleted together with their parents, which can only be deleted after them. */
  beforeParents?: boolean
  /** How many items the destination lists. */
  listedCount: number
  items: readonly { id: string; parentId: string | undefined }[]
}

export interface PruneLimits {
  pruneLimitItems: number
  pruneLimitPercent: number
}

/** A confirmation covers exactly this set: another item makes another digest, another order does not (D4). */
export function digestOf(groups: readonly Group[]): string {
  const lines = groups.flatMap(({ root, items }) => items.map(({ id }) => `${root}:${id}`)).sort()
  return createHash('sha256').update(lines.join('\n')).digest('base64url')
}

/** More than a run may delete without a confirmation: in all, or as a share of one component. */
export function exceeds(limits: PruneLimits, groups: readonly Group[]): boolean {
  const items = groups.reduce((sum, group) => sum + group.items.length, 0)
  return (
    items > limits.pruneLimitItems ||
    groups.some((group) => group.items.length > (group.listedCount * limits.pruneLimitPercent) / 100)
  )
}

export const refusedList = 'a store refused the list of them'

/** Why nothing of a component is deleted; null when it may be. */
export function reasonToWithhold({ discovered, failed, sourceShort, listRefused }: PruneConditions): string | null {
  if (listRefused) return refusedList
  if (sourceShort) return 'the source did not give all the items that it counts'
  if (discovered === 0) return 'the source has none of them'
  return failed > 0 ? `${failed} of them could not be copied` : null
}

/**
 * The order of deletions in a hierarchy: children before their parents, so that nothing is deleted unseen. Items without a parent
 * among them keep their order.
 */
export function childrenFirst<Item extends { id: string; above: string | undefined }>(items: readonly Item[]): Item[] {
  const byId = new Map(items.map((item) => [item.id, item]))
  const depthOf = (item: Item) => {
    let depth = 0
    // Parents may form a loop.
    for (let at = byId.get(item.above ?? ''); at && depth < items.length; at = byId.get(at.above ?? '')) depth++
    return depth
  }
  const ranked = items.map((item) => ({ item, depth: depthOf(item) }))
  return ranked.sort((one, other) => other.depth - one.depth).map(({ item }) => item)
}

/** Without items that have something below them that stays, and without their ancestors. */
export function keepingAncestors<Item extends { id: string; above: string | undefined }>(
  items: readonly Item[],
  aboveKept: readonly string[],
): Item[] {
  const byId = new Map(items.map((item) => [item.id, item]))
  const kept = new Set<string>()
  for (const id of aboveKept)
    for (let at = byId.get(id); at && !kept.has(at.id); at = byId.get(at.above ?? '')) kept.add(at.id)
  return items.filter(({ id }) => !kept.has(id))
}

/** Without children of deleted items, which are deleted with them. */
export function withoutChildren<Kept extends Group>(group: Kept, all: readonly Group[]): Kept {
  if (group.beforeParents) return group
  const parents = new Set(all.find((other) => other.root === group.below)?.items.map(({ id }) => id))
  return { ...group, items: group.items.filter(({ parentId }) => !parents.has(parentId ?? '')) }
}
