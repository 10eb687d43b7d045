import { ServiceError } from '../../contract/service-error.ts'
import { findStore, type StoreRow } from '../../db/accounts/stores.ts'
import type { Database } from '../../db/core/database.ts'

/** @throws ServiceError `not_found`, whether the store belongs to another organisation or does not exist (S2) */
export async function requireStore(database: Database, organisationId: string, hash: string): Promise<StoreRow> {
  const store = await findStore(database, organisationId, hash)
  if (store) return store
  throw notConnected()
}

export function notConnected(): ServiceError {
  return new ServiceError('not_found', 'No store with this hash is connected to your organisation.')
}

/** A connected store as in lists. */
export function describeConnected(store: StoreRow) {
  const { hash, label, platform, accessState: state, accessCheckedAt: at, accessLatencyMs: latencyMs } = store
  const access = state === null || at === null ? null : { state, checkedAt: at.toISOString(), latencyMs }
  return { hash, label, platform, access }
}
