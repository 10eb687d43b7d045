import { ServiceError } from '../../../contract/service-error.ts'
import { entities } from '../../../entities/registry.ts'

interface Keyed {
  key: string
}

/**
 * For a choice that nothing matches: under a misspelled name it would say that nothing is wrong.
 *
 * @param phases those of the migration; without them, all that there are
 * @throws ServiceError `validation_failed`, with the known names
 */
export function refuseUnknownParts(
  { phase, component }: { phase?: string | undefined; component?: string | undefined },
  phases?: readonly (Keyed & { components: readonly Keyed[] })[],
): void {
  const known = phases ?? entities
  const whose = phases ? 'this migration' : 'this version'
  const components = known.flatMap((one) => one.components)
  if (phase !== undefined && !known.some(({ key }) => key === phase)) throw unknownPart('phase', known, whose)
  if (component !== undefined && !components.some(({ key }) => key === component))
    throw unknownPart('component', components, whose)
}

function unknownPart(part: 'phase' | 'component', known: readonly Keyed[], whose: string): ServiceError {
  const keys = known.map(({ key }) => key).join(', ')
  return new ServiceError('validation_failed', 'The request is not valid; see "errors".', {
    errors: { [part]: [`No such ${part}; ${whose} has ${keys}.`] },
  })
}

/**
 * Otherwise a misspelled id would look like one that is dealt with already.
 *
 * @throws ServiceError `validation_failed`, with the ids that name nothing of the migration
 */
export function refuseUnknownIds(what: 'issue' | 'difference', ids: string[], isKnown: (id: string) => boolean): void {
  const unknown = ids.filter((id) => !isKnown(id))
  if (unknown.length === 0) return
  throw new ServiceError('validation_failed', 'The request is not valid; see "errors".', {
    errors: { ids: [`This migration has no ${what} ${unknown.slice(0, 10).join(', ')}.`] },
  })
}
