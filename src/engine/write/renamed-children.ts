import type { Draft } from '../../entities/core/draft.ts'
import { componentOf } from '../../entities/registry.ts'

/**
 * The existing item, with children that were renamed in one of the stores under their keys in the source. So an option
 * value with another label is recognised as our copy and renamed, and no second one is created.
 *
 * @param copyOf the destination id of a source child, as the mappings have it.
 */
export function underOwnKeys(desired: Draft, existing: Draft, copyOf: (child: Draft) => string | undefined): Draft {
  const originals = new Map(desired.children.map((child) => [`${child.component}/${copyOf(child)}`, child]))
  const originalOf = ({ component, id }: Draft) => originals.get(`${component}/${id}`)
  const holders = new Map(existing.children.map((child) => [keyOf(child), child]))
  const isRenamed = (child: Draft, before: readonly Draft[] = []): boolean => {
    const original = originalOf(child)
    if (!original || child.keys.length === 0 || keyOf(original) === keyOf(child)) return false
    const holder = holders.get(keyOf(original))
    if (!holder) return true
    // Those that exchange their keys keep these, and exchange all else, unless they can exchange their names.
    if (before.includes(holder)) return componentOf(child.component).uniqueNamesOf !== undefined
    // Another child that has the key is a stronger match than one with the id, unless it gets another key itself.
    return holder !== child && isRenamed(holder, [...before, child])
  }
  const siblings = existing.children.map((before) => {
    const original = originalOf(before)
    if (!original) return { before, after: before }
    const known = isRenamed(before) ? { ...before, keys: original.keys, name: original.name } : before
    return { before, after: underOwnKeys(original, known, copyOf) }
  })
  // A variant gets the names that its option values get, also the copy of one that the source has deleted.
  const children = siblings.map(
    ({ before, after }) => componentOf(before.component).renamedWith?.(before, siblings) ?? after,
  )
  return { ...existing, children }
}

function keyOf({ component, keys }: Draft): string {
  return `${component}/${keys[0]}`
}
