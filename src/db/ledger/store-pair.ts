import type { DestinationId } from '../../model/destination-id.ts'
import type { Columns } from '../core/columns.ts'

/** The pair a mapping belongs to; both stores are in one organisation (S2). */
export interface StorePair {
  organisationId: string
  sourceStoreId: string
  destinationStoreId: string
  /** The dry run or comparison whose own mappings replace the real ones; no real one is written then (F2). */
  simulatedBy?: string | undefined
}

export type Mapping = Columns<'mapping_sets', 'scope' | 'component'> &
  Columns<
    'mappings',
    'sourceId' | 'destinationId' | 'origin' | 'owed' | 'draftChecksum' | 'destinationChecksum' | 'runId'
  > &
  Partial<Columns<'mappings', 'extraChildren'>>

/** A mapping to save. Only what the platform has shown is ever mapped (G6). */
export type NewMapping = Mapping & {
  destinationId: DestinationId
  /** The item's names, where they may be stored; if absent, the known ones stay. */
  names?: { name: string | null; sku: string | null } | null
}

interface StorefrontPair {
  /** Null for all of the store. */
  source: string | null
  destination: string | null
}

/** The scope of what belongs to a storefront pair, or to all storefronts of two stores. */
export function storefrontScope({ source, destination }: StorefrontPair): string {
  return `storefront:${source ?? '*'}>${destination ?? '*'}`
}

/** The scope of what storefronts have, in runs over all of them. */
export const allStorefronts = storefrontScope({ source: null, destination: null })

/** The storefronts that such a scope belongs to. */
export function storefrontsOf(scope: string): StorefrontPair {
  const [, source, destination] = /^storefront:(\d+)>(\d+)$/.exec(scope) ?? []
  return { source: source ?? null, destination: destination ?? null }
}
