import { catalogueProbes, type ScopeProbe } from '../../bigcommerce/store-information.ts'
import { readingScope } from '../../entities/core/entity.ts'
import { entities } from '../../entities/registry.ts'

/** One probe for each scope that a run over these phases needs. */
export function probesOf(phases: readonly string[]): ScopeProbe[] {
  const needed = entities
    .filter(({ key }) => phases.includes(key))
    .flatMap(({ scopes = [] }) => scopes)
    .flatMap((scope) => (scope.probe ? [{ scope: readingScope(scope), ...scope.probe }] : []))
  const once = needed.filter(({ scope }, at) => needed.findIndex((one) => one.scope === scope) === at)
  return [...catalogueProbes, ...once]
}
