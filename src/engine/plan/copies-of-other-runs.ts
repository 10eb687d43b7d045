import { mappingsOf } from '../../db/ledger/mappings.ts'
import { allStorefronts, type Mapping, storefrontScope } from '../../db/ledger/store-pair.ts'
import { scopeOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'

/**
 * Copies of what belongs to a storefront that runs of another extent made: over the storefront alone, or over the whole store.
 * Only those between the same storefronts, because an item may have a copy on each storefront of the destination.
 */
export async function copiesOfOtherRuns(
  { channels, database, pair, references, run }: RunContext,
  component: string,
  sourceIds: string[],
): Promise<Mapping[]> {
  if (scopeOf(component) !== 'storefront' || sourceIds.length === 0) return []
  const ids = run.sourceStorefront === null ? channels.source.map(({ id }) => String(id)) : [run.sourceStorefront]
  const paired = await mappingsOf(
    database,
    pair,
    ids.map((sourceId) => ({ component: 'channels', sourceId, scope: allStorefronts })),
  )
  const ofStorefronts = paired.map((one) => storefrontScope({ source: one.sourceId, destination: one.destinationId }))
  const own = references.scope(component)
  const scopes = own === allStorefronts ? ofStorefronts : ofStorefronts.includes(own) ? [allStorefronts] : []
  return mappingsOf(
    database,
    pair,
    sourceIds.flatMap((sourceId) => scopes.map((scope) => ({ component, sourceId, scope }))),
  )
}
