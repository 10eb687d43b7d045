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
