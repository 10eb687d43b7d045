import { priceRun } from '../engine/price-runs.ts'
import type { Deps } from './operation.ts'

/** The answer does not wait for the stores. Should this process die meanwhile, a host's tick prices the run. */
export function priceInBackground(deps: Deps, organisationId: string, runId: string): void {
  priceRun(deps, organisationId, runId).catch((error: unknown) =>
    deps.log.warn({ err: error, runId }, 'The run could not be priced; a worker will try again.'),
  )
}
