import { probeScopes, readStoreInformation, type StoreInformation } from '../../bigcommerce/store-information.ts'
import type { OpenRun } from '../context/open-run.ts'
import { RunFailure } from '../core/stopping.ts'
import { missingScope, storeFailure } from '../core/store-failures.ts'
import { probesOf } from '../preflight/opening-calls.ts'

type Side = 'source' | 'destination'

/** A run that only counts reads nothing but the source. */
export function sidesOf({ run }: OpenRun): Side[] {
  return run.mode === 'counts' ? ['source'] : ['source', 'destination']
}

/**
 * Checks that stores answer and that the tokens have the scopes the run needs, before any item fails for it.
 *
 * @throws RunFailure
 */
export async function enterStores<Entered extends Side>(
  open: OpenRun,
  sides: readonly Entered[],
): Promise<Record<Entered, StoreInformation>> {
  try {
    const entered = await Promise.all(sides.map(async (side) => [side, await enter(open, side)] as const))
    // One entry for each of the sides.
    return Object.fromEntries(entered) as Record<Entered, StoreInformation>
  } catch (error) {
    // Nothing was copied yet, so waiting for a store that is away gains nothing: the merchant hears of it at once.
    if (error instanceof RunFailure && error.mayPass && !open.run.begun)
      throw new RunFailure(error.code, error.message, { cause: error })
    throw error
  }
}

async function enter(open: OpenRun, side: Side): Promise<StoreInformation> {
  const signal = open.lease.stop
  try {
    const information = await readStoreInformation(open[side], { signal })
    const missing = await probeScopes(open[side], { probes: probesOf(open.run.phases), signal })
    if (missing.length > 0)
      throw missingScope([...new Set(missing.map((one) => one.scope))].join(', '), open.stores[side])
    return information
  } catch (error) {
    throw storeFailure(error, open.stores[side]) ?? error
  }
}
