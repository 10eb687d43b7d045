import type { DestinationId } from '../../model/destination-id.ts'
import type { Columns } from '../core/columns.ts'

/** The pair a mapping belongs to; both stores belong to one organisation (S2). */
export interface StorePair {
  organisationId: string
  sourceStoreId: string
  destinationStoreId: string
  /** The dry run whose simulated mappings hide the real ones; then no real one is written (F2). */
  simulatedBy?: string | undefined
}

export type Mapping = Columns<
  'mappings',
  | 'scope'
  | 'component'
  | 'sourceId'
  | 'destinationId'
  | 'origin'
  | 'owed'
  | 'draftChecksum'
  | 'destinationChecksum'
  | 'runId'
> &
  Partial<Columns<'mappings', 'extraChildren'>>

/** A mapping to save. Only what the platform showed is ever mapped (G6). */
export type NewMapping = Mapping & {
  destinationId: DestinationId
  /** What people call the item, where that may be kept; absent leaves what is known. */
  names?: { name: string | null; sku: string | null } | null
}
