import { probeScopes, readStoreInformation, type StoreInformation } from '../../bigcommerce/store-information.ts'
import type { OpenRun } from '../context/open-run.ts'
import { type ListRefusal, refusalIn } from '../core/refusals.ts'
import { lostStore, missingScope, namesScope, storeFailure } from '../core/store-failures.ts'
import { probesOf } from './scope-probes.ts'

type Side = 'source' | 'destination'

type Entering = Pick<OpenRun, 'source' | 'destination' | 'stores'> & {
  run: Pick<OpenRun['run'], 'mode' | 'phases'>
  lease: { readonly stop: AbortSignal }
}

/** A run that only counts reads nothing but the source. */
export function sidesOf({ run }: { run: Pick<OpenRun['run'], 'mode'> }): Side[] {
  return run.mode === 'counts' ? ['source'] : ['source', 'destination']
}

/**
 * Checks up front that the stores answer and the tokens have the scopes the run needs, so that no item fails for want
 * of them.
 *
 * @throws RunFailure
 */
export async function enterStores<Entered extends Side>(
  open: Entering,
  sides: readonly Entered[],
): Promise<Record<Entered, StoreInformation>> {
  const entered = await Promise.all(sides.map(async (side) => [side, await enter(open, side)] as const))
  // The cast holds: there is one entry for each side.
  return Object.fromEntries(entered) as Record<Entered, StoreInformation>
}

async function enter(open: Entering, side: Side): Promise<StoreInformation> {
  const information = await confirmAnswers(open, side)
  const signal = open.lease.stop
  try {
    const probed = await probeScopes(open[side], { probes: probesOf(open.run.phases), signal })
    const missing = probed.filter(({ title }) => namesScope(title)).map(({ scope }) => scope)
    if (missing.length > 0) throw missingScope([...new Set(missing)].join(', '), open.stores[side])
    return information
  } catch (error) {
    throw storeFailure(error, open.stores[side]) ?? error
  }
}

/** Reads only the store's own information. @throws RunFailure when the store does not answer or rejects the token */
export async function confirmAnswers(open: Entering, side: Side): Promise<StoreInformation> {
  try {
    return await readStoreInformation(open[side], { signal: open.lease.stop })
  } catch (error) {
    throw storeFailure(error, open.stores[side]) ?? lostStore(error, open.stores[side]) ?? error
  }
}

/**
 * Reads an error as the refusal of one list; null when it is about something else.
 *
 * @throws RunFailure when the store itself does not answer, or its token was rejected or lacks a scope
 */
export async function refusalOf(open: Entering, error: unknown): Promise<ListRefusal | null> {
  const refusal = refusalIn(error)
  if (refusal?.suspect === 'access') await enterStores(open, sidesOf(open))
  if (refusal?.suspect === 'outage')
    for (const side of sidesOf(open))
      if (refusal.store === undefined || refusal.store === open.stores[side].hash) await confirmAnswers(open, side)
  return refusal
}
