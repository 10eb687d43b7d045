import { countToIndex } from '../db/runs/outbox.ts'
import { indexSome } from './indexer.ts'
import { patiently, type ReindexDeps } from './reindex.ts'

/**
 * Brings the index up to date after an erasure, and overwrites in its files what was erased. The service's indexer may
 * do the first part.
 *
 * @throws SearchStoreAway when the store keeps failing; the outbox then keeps what is left to do.
 */
export async function cleanIndex({ database, store, clock }: ReindexDeps, signal: AbortSignal): Promise<void> {
  while ((await countToIndex(database)).due > 0) {
    signal.throwIfAborted()
    const looked = await patiently(clock, signal, () => indexSome({ database, store }))
    // Another indexer holds the rest.
    if (looked === 0) await clock.sleep(200, signal)
  }
  await patiently(clock, signal, () => store.compact())
}
