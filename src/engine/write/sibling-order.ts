import type { Draft } from '../../entities/core/draft.ts'
import { componentOf } from '../../entities/registry.ts'
import type { Pair } from '../core/pairing.ts'

/**
 * Siblings that the platform moves when another one is given a later place (images). Written from the first place on, each
 * write moves only what comes after it, and what comes after it is then written too: by how much it was moved is not documented.
 */
export class SiblingOrder {
  private readonly moved = new Set<string>()

  /** Those that have a place from the first to the last; the others stay where they are among them. */
  inOrder(pairs: Pair[]): Pair[] {
    const positioned = pairs.filter(({ desired }) => componentOf(desired.component).sortField)
    const sorted = positioned.toSorted((a, b) => positionOf(a.desired) - positionOf(b.desired)).values()
    return pairs.map((pair) => (componentOf(pair.desired.component).sortField ? (sorted.next().value ?? pair) : pair))
  }

  /** How it stands, with no place when a sibling before it was just written to a later one. To be asked in order. */
  perhapsMoved(desired: Draft, existing: Draft): Draft {
    const { key, sortField: field } = componentOf(desired.component)
    if (field === undefined) return existing
    const current = this.moved.has(key) ? { ...existing, compare: { ...existing.compare, [field]: null } } : existing
    if (positionOf(desired) > positionOf(existing)) this.moved.add(key)
    return current
  }
}

function positionOf(draft: Draft): number {
  return Number(draft.compare[componentOf(draft.component).sortField ?? ''] ?? 0)
}
