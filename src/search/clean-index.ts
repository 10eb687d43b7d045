import { countAwaited } from '../db/erase/index-again.ts'
import { indexSome } from './indexer.ts'
import { patiently, type ReindexDeps } from './reindex.ts'

const heldByOthersMs = 200

/**
 * Has these runs indexed again after an erasure, by this process or the service's indexer, and then overwrites in the
 * files of the index what was erased.
 *
 * @throws when a run cannot be indexed, or when the store keeps failing; the outbox then keeps what is left to do.
 */
export async function cleanIndex(
  { database, store, clock }: ReindexDeps,
  runIds: string[],
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const { due, failed } = await countAwaited(database, runIds)
    if (due === 0 && failed > 0) throw new Error(`${failed} migrations could not be indexed again.`)
    if (due === 0) break
    signal.throwIfAborted()
    const looked = await patiently(clock, signal, () => indexSome({ database, store }))
    if (looked === 0) await clock.sleep(heldByOthersMs, signal)
  }
  await patiently(clock, signal, () => store.compact())
}
