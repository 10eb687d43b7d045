import type { Draft } from '../../entities/core/draft.ts'
import type { ChildPair } from './item-state.ts'

/**
 * Pairs in the order in which they are written. Sorted siblings, such as images, go from the first position to the
 * last. When one moves to a later position, the platform moves those behind it, and by how much is not documented. So
 * their positions count as unknown and are written again.
 */
export function inWriteOrder(pairs: ChildPair[]): ChildPair[] {
  const moved = new Set<string>()
  return sorted(pairs).map((pair) => {
    const { component, desired, existing } = pair
    const { key, sortField } = component
    if (!existing || sortField === undefined) return pair
    const current = moved.has(key) ? { ...existing, compare: { ...existing.compare, [sortField]: null } } : existing
    if (positionOf(desired, sortField) > positionOf(existing, sortField)) moved.add(key)
    return { ...pair, existing: current }
  })
}

/** Sorts the pairs that have a position; the others stay where they are. */
function sorted(pairs: ChildPair[]): ChildPair[] {
  const inOrder = pairs
    .filter(({ component }) => component.sortField !== undefined)
    .toSorted((a, b) => positionIn(a) - positionIn(b))
    .values()
  return pairs.map((pair) => (pair.component.sortField === undefined ? pair : (inOrder.next().value ?? pair)))
}

function positionIn({ desired, component }: ChildPair): number {
  return positionOf(desired, component.sortField ?? '')
}

function positionOf({ compare }: Draft, sortField: string): number {
  return Number(compare[sortField] ?? 0)
}
