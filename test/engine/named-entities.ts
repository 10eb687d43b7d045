import { entities, phasesNamedBy } from '../../src/entities/registry.ts'

/** Every entity, in the order of the registry. */
export const everything: readonly string[] = entities.map(({ key }) => key)

/** These, and all that they name, in the order of the registry. */
export function withNamed(keys: Iterable<string>): string[] {
  const all = new Set(keys)
  // A set that grows is walked to its new end.
  for (const key of all) for (const named of namedBy(key)) all.add(named)
  return everything.filter((key) => all.has(key))
}

/** These, and all that name one of them or belong to its items. */
export function withDependents(keys: Iterable<string>): Set<string> {
  const all = new Set(keys)
  for (let before = -1; before < all.size; ) {
    before = all.size
    for (const key of everything) if ([...namedBy(key), ...ownersOf(key)].some((one) => all.has(one))) all.add(key)
  }
  return all
}

export function phaseOf(component: string | undefined): string | undefined {
  return entities.find(({ components }) => components.some(({ key }) => key === component))?.key
}

function namedBy(key: string): string[] {
  return entities.filter((entity) => entity.key === key).flatMap(phasesNamedBy)
}

function ownersOf(key: string): string[] {
  const passes = entities.find((entity) => entity.key === key)?.passes ?? []
  return passes.flatMap(({ below }) => phaseOf(below) ?? [])
}
