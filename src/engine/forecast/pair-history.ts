import type { StoreRow } from '../../db/accounts/stores.ts'
import type { Database } from '../../db/core/database.ts'
import { countMapped, countRunsOnShops, findCorrection, findLatencies, lastCopiedAt } from '../../db/runs/forecasts.ts'
import type { Scope } from '../../model/forecast/scope.ts'

export interface Stores {
  source: StoreRow
  destination: StoreRow
}

export function pairOf({ source, destination }: Stores) {
  return {
    organisationId: source.organisationId,
    sourceStoreId: source.id,
    destinationStoreId: destination.id,
  }
}

export type PairHistory = Awaited<ReturnType<typeof historyOf>>

/** What is known of earlier and present runs between two stores, apart from what the stores answer. */
export async function historyOf(database: Database, scope: Scope, { source, destination }: Stores) {
  const pair = pairOf({ source, destination })
  return {
    latencies: await findLatencies(database, pair),
    known: await countMapped(database, pair),
    lastRunAt: await lastCopiedAt(database, pair),
    correction: await findCorrection(database, pair, scope),
    runs: await countRunsOnShops(database, [source.hash, destination.hash]),
  }
}
