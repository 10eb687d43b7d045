import { ClientClosedError } from '../../../bigcommerce/errors.ts'
import { priceRun } from '../../../engine/forecast/price-runs.ts'
import type { Deps } from '../operation.ts'
import { wakeEngine } from '../wake-engine.ts'
import { recentPrices } from './recent-prices.ts'

/**
 * Prices a run without delaying the response; a price that was shown lately is taken. The run waits for its price, which
 * decides how much memory it gets. If this process dies first, a host prices the run.
 */
export function priceInBackground(deps: Deps, organisationId: string, runId: string): void {
  const { find } = recentPrices(deps)
  priceRun(deps, organisationId, runId, { find }).then(
    () => wakeEngine(deps),
    (error: unknown) => {
      if (error instanceof ClientClosedError) return
      deps.log.warn({ err: error, runId }, 'The run could not be priced; a worker will try again.')
    },
  )
}
