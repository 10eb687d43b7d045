import type { Draft } from '../../entities/core/define.ts'
import { componentOf } from '../../entities/registry.ts'
import type { Pair } from '../core/pairing.ts'

/**
 * Siblings that the platform moves when another one is given a later place (images). Written from the first place on, each
 * write moves only what comes after it, and what comes after it is then written too: by how much it was moved is not documented.
 */
export class Places {
  private readonly moved = new Set<string>()

  /** Those that have a place from the first to the last; the others stay where they are among them. */
  inOrder(pairs: Pair[]): Pair[] {
    const placed = pairs.filter(({ wanted }) => componentOf(wanted.component).place)
    const sorted = placed.toSorted((a, b) => placeOf(a.wanted) - placeOf(b.wanted)).values()
    return pairs.map((pair) => (componentOf(pair.wanted.component).place ? (sorted.next().value ?? pair) : pair))
  }

  /** How it stands, with no place when a sibling before it was just written to a later one. To be asked in order. */
  perhapsMoved(wanted: Draft, standing: Draft): Draft {
    const { key, place } = componentOf(wanted.component)
    if (place === undefined) return standing
    const stands = this.moved.has(key) ? { ...standing, compare: { ...standing.compare, [place]: null } } : standing
    if (placeOf(wanted) > placeOf(standing)) this.moved.add(key)
    return stands
  }
}

function placeOf(draft: Draft): number {
  return Number(draft.compare[componentOf(draft.component).place ?? ''] ?? 0)
}
