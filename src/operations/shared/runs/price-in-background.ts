import { priceRun } from '../../../engine/forecast/price-runs.ts'
import type { Deps } from '../operation.ts'
import { wakeEngine } from '../wake-engine.ts'

/** The answer does not wait for the stores; the run does, because its price tells the memory it gets. Should this process die meanwhile, a host's tick prices the run. */
export function priceInBackground(deps: Deps, organisationId: string, runId: string): void {
  priceRun(deps, organisationId, runId).then(
    () => wakeEngine(deps),
    (error: unknown) => deps.log.warn({ err: error, runId }, 'The run could not be priced; a worker will try again.'),
  )
}
