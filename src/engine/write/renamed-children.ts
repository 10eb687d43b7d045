import type { Draft } from '../../entities/core/draft.ts'

/**
 * The existing item, with children that were renamed at the destination under their keys in the source. So an option
 * value with another label is recognised as our copy and renamed back, and no second one is created.
 *
 * @param copyOf the destination id of a source child, as the mappings have it.
 */
export function underOwnKeys(desired: Draft, existing: Draft, copyOf: (child: Draft) => string | undefined): Draft {
  const originals = new Map(desired.children.map((child) => [`${child.component}/${copyOf(child)}`, child]))
  const keysThere = new Set(existing.children.map(({ component, keys }) => `${component}/${keys[0]}`))
  const children = existing.children.map((child) => {
    const original = originals.get(`${child.component}/${child.id}`)
    if (!original) return child
    // Another child that has the key is a stronger match than one with the id.
    const renamed = child.keys.length > 0 && !keysThere.has(`${original.component}/${original.keys[0]}`)
    return underOwnKeys(original, renamed ? underKeysOf(original, child) : child, copyOf)
  })
  return { ...existing, children }
}

function underKeysOf(original: Draft, child: Draft): Draft {
  const renamed = { ...child, keys: original.keys, name: original.name }
  // A variant is named after its option values, and gets its name back when they do.
  if (!('option_values' in child.compare)) return renamed
  return { ...renamed, compare: { ...child.compare, option_values: original.compare.option_values } }
}
