import { claimsOf, mappingsOf } from '../../db/ledger/mappings.ts'
import { allStorefronts, type Mapping, storefrontScope } from '../../db/ledger/store-pair.ts'
import { scopeOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'

/**
 * Copies of what belongs to a storefront that runs of another extent made: over the storefront alone, or over the whole store.
 * Only those between the same storefronts, because an item may have a copy on each storefront of the destination.
 */
export async function copiesOfOtherRuns(
  context: RunContext,
  component: string,
  sourceIds: string[],
): Promise<Mapping[]> {
  const scopes = await scopesOfOtherRuns(context, component, sourceIds)
  return mappingsOf(
    context.database,
    context.pair,
    sourceIds.flatMap((sourceId) => scopes.map((scope) => ({ component, sourceId, scope }))),
  )
}

/** Which of the destination ids are such copies, and of which source item. */
export async function claimsOfOtherRuns(
  context: RunContext,
  component: string,
  destinationIds: string[],
): Promise<Map<string, string>> {
  const scopes = await scopesOfOtherRuns(context, component, destinationIds)
  const claims = scopes.map((scope) => claimsOf(context.database, context.pair, scope, component, destinationIds))
  return new Map((await Promise.all(claims)).flatMap((some) => [...some]))
}

async function scopesOfOtherRuns(
  { channels, database, pair, references, run }: RunContext,
  component: string,
  ids: string[],
): Promise<string[]> {
  if (scopeOf(component) !== 'storefront' || ids.length === 0) return []
  const sources = run.sourceStorefront === null ? channels.source.map(({ id }) => String(id)) : [run.sourceStorefront]
  const paired = await mappingsOf(
    database,
    pair,
    sources.map((sourceId) => ({ component: 'channels', sourceId, scope: allStorefronts })),
  )
  const ofStorefronts = paired.map((one) => storefrontScope({ source: one.sourceId, destination: one.destinationId }))
  const own = references.scope(component)
  return own === allStorefronts ? ofStorefronts : ofStorefronts.includes(own) ? [allStorefronts] : []
}
