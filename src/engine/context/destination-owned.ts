import { componentOf } from '../../entities/registry.ts'
import type { RunContext } from './context.ts'

/** Fields of items that stand already which no strategy touches, unless the request names their component (D1). */
export function destinationOwned(
  run: Pick<RunContext['run'], 'overwriteLiving'>,
  component: string,
): readonly string[] {
  return run.overwriteLiving.includes(component) ? [] : componentOf(component).destinationOwned
}
