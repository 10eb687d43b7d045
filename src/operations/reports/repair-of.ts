import type { Difference } from '../../contract/differences.ts'
import { componentOf, entityOf } from '../../entities/registry.ts'

type Found = Pick<Difference, 'component' | 'kind' | 'living' | 'kept'>

/** The mildest strategy that repairs a difference in a copy; null if none does without a further option. */
export function repairOf({ component, kind, living, kept }: Found): Difference['repairedBy'] {
  const entity = entityOf(component)
  if (!entity || living || kept) return null
  if (kind === 'missing') return 'skip'
  const isWrittenOnce = entity.passes.some(({ root, createOnly }) => root === component && createOnly)
  if (kind === 'different') return isWrittenOnce ? null : 'update'
  return componentOf(component).remove && entity.prune === 'allowed' ? 'replace' : null
}
