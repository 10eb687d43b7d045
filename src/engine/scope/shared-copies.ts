import { claimsOf, forgetMappings } from '../../db/ledger/mappings.ts'
import { sourcesOfCopies } from '../../db/ledger/other-sources.ts'
import { copiesOfOtherStorefronts } from '../../db/ledger/prune.ts'
import type { RunContext } from '../context/context.ts'
import type { OpenRun } from '../context/open-run.ts'
import { isStorefrontRun } from './partial-run.ts'

/** Whether the destination may have copies that are not of this run: other storefronts' or another source's. */
export function mayHaveOthers(context: Pick<RunContext, 'run' | 'isShared'>): boolean {
  return isStorefrontRun(context) || context.isShared
}

/**
 * Which destination items are copies of another source, or of another storefront that was copied to the run's: `replace`
 * leaves them to that (D3, G3).
 */
export async function sharedCopies(
  { database, pair, mappings }: Pick<OpenRun, 'database' | 'pair' | 'mappings'>,
  component: string,
  destinationIds: string[],
): Promise<Set<string>> {
  const of = { scope: mappings.scope(component), component }
  const [ofSources, ofStorefronts] = await Promise.all([
    sourcesOfCopies(database, pair, of, destinationIds),
    copiesOfOtherStorefronts(database, pair, of, destinationIds),
  ])
  return new Set([...ofSources.keys(), ...ofStorefronts])
}

/** Finds what others have copied as well of what the source does not have any more: it is theirs from now on. */
export async function leaveToOthers(
  context: OpenRun,
  component: string,
  destinationIds: string[],
): Promise<Set<string>> {
  const { database, mappings, pair, recorder } = context
  const shared = await sharedCopies(context, component, destinationIds)
  const scope = mappings.scope(component)
  const claims = await claimsOf(database, pair, scope, component, [...shared])
  const left = [...claims.values()].map((sourceId) => ({ scope, component, sourceId }))
  if (left.length > 0) await recorder.record((tx) => forgetMappings(tx, pair, left))
  return shared
}
