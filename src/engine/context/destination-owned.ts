import { componentOf } from '../../entities/registry.ts'
import type { RunRequest } from '../core/messages.ts'

/** Fields of existing items that no strategy writes, unless the request names their component (D1). */
export function destinationOwned(run: Pick<RunRequest, 'overwriteLiving'>, component: string): readonly string[] {
  return run.overwriteLiving.includes(component) ? [] : componentOf(component).destinationOwned
}
