import { sourcesOfCopies } from '../../db/ledger/other-sources.ts'
import { copiesOfOtherStorefronts } from '../../db/ledger/prune.ts'
import type { RunContext } from '../context/context.ts'

/**
 * Which destination items are copies of another source, or of another storefront that was copied to the run's: `replace`
 * leaves them to that (D3, G3).
 */
export async function sharedCopies(
  { database, pair, references }: RunContext,
  component: string,
  destinationIds: string[],
): Promise<Set<string>> {
  const of = { scope: references.scope(component), component }
  const [ofSources, ofStorefronts] = await Promise.all([
    sourcesOfCopies(database, pair, of, destinationIds),
    copiesOfOtherStorefronts(database, pair, of, destinationIds),
  ])
  return new Set([...ofSources.keys(), ...ofStorefronts])
}
