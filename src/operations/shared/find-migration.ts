import { ServiceError } from '../../contract/service-error.ts'
import type { RunRow } from '../../db/runs/runs.ts'

/** "Not yours" and "does not exist" are the same answer. */
export function orNotFound(run: RunRow | undefined, id: string): RunRow {
  if (run) return run
  throw new ServiceError(
    'not_found',
    `Your organisation has no migration ${id}; GET /v2/migrations lists those it has.`,
  )
}
