import { ServiceError } from '../../contract/service-error.ts'
import type { RunRow } from '../../db/runs/runs.ts'

/** The answer is the same whether the migration is another organisation's or does not exist. */
export function orNotFound(run: RunRow | undefined, id: string): RunRow {
  if (run) return run
  throw new ServiceError(
    'not_found',
    `Your organisation has no migration ${id}; GET /v2/migrations lists its migrations.`,
  )
}
