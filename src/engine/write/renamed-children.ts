import type { Draft } from '../../entities/core/draft.ts'

/**
 * The item as it stands, its children under the keys of the source where somebody renamed them at the destination: an option's
 * value with another label is the one we made, and is renamed back instead of made again beside it.
 *
 * @param copyOf the destination id of a source child, as the mappings have it.
 */
export function underOwnKeys(desired: Draft, existing: Draft, copyOf: (child: Draft) => string | undefined): Draft {
  const originals = new Map(desired.children.map((child) => [`${child.component}/${copyOf(child)}`, child]))
  const keysThere = new Set(existing.children.map(({ component, keys }) => `${component}/${keys[0]}`))
  const children = existing.children.map((child) => {
    const original = originals.get(`${child.component}/${child.id}`)
    if (!original) return child
    // One that carries the key already is a stronger match than an id.
    const renamed = child.keys.length > 0 && !keysThere.has(`${original.component}/${original.keys[0]}`)
    return underOwnKeys(original, renamed ? underKeysOf(original, child) : child, copyOf)
  })
  return { ...existing, children }
}

function underKeysOf(original: Draft, child: Draft): Draft {
  const renamed = { ...child, keys: original.keys, name: original.name }
  // A variant is called after its values, and gets its name back with theirs.
  if (!('option_values' in child.compare)) return renamed
  return { ...renamed, compare: { ...child.compare, option_values: original.compare.option_values } }
}
