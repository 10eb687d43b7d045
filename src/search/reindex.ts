import type { Clock } from '../clock.ts'
import { countToIndex, indexAllAgain } from '../db/runs/outbox.ts'
import { listMissingSnapshots } from '../db/runs/snapshots.ts'
import { type IndexerDeps, indexSome } from './indexer.ts'
import { type RunKey, type SearchStore, SearchStoreAway } from './search-store.ts'

export interface ReindexDeps extends IndexerDeps {
  clock: Clock
}

export interface ReindexProgress {
  done: number
  total: number
}

export interface Reindexed {
  runs: number
  /** Runs that could not be indexed. The service retries them for a while, and PostgreSQL answers for them. */
  failed: number
  /** Runs in the index that PostgreSQL does not have any more. */
  removed: number
}

/**
 * Writes every run into the index again. Runs are replaced one by one, so reads continue, from the index or from
 * PostgreSQL. Other indexers, such as the running service's, share the work, and a second reindex joins the first. If
 * it is interrupted, the service indexes what is left in the outbox.
 *
 * @throws SearchStoreAway when the store keeps failing.
 */
export async function reindex(
  deps: ReindexDeps,
  { signal, onProgress }: { signal: AbortSignal; onProgress(progress: ReindexProgress): void },
): Promise<Reindexed> {
  const { database, store, clock } = deps
  await patiently(clock, signal, () => beginAgain(deps))
  let total = 0
  for (;;) {
    const { due, failed } = await countToIndex(database)
    total = Math.max(total, due)
    onProgress({ done: total - due, total })
    if (due === 0) {
      const removed = await removeMissing(deps)
      await patiently(clock, signal, () => store.compact())
      return { runs: total, failed, removed }
    }
    signal.throwIfAborted()
    const looked = await patiently(clock, signal, () => indexSome({ database, store }))
    // Other indexers hold the rest.
    if (looked === 0) await clock.sleep(heldByOthersMs, signal)
  }
}

const heldByOthersMs = 200
const awayMs = 1_000
/** Enough, because a file that is not an index is replaced at the first failure, and another writer finishes soon. */
const mostFailures = 5

async function beginAgain({ database, store }: IndexerDeps): Promise<void> {
  await indexAllAgain(database, await store.isComplete())
  await store.markComplete()
}

export async function patiently<Result>(
  clock: Clock,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let failures = 1; ; failures++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof SearchStoreAway) || failures === mostFailures) throw error
      await clock.sleep(awayMs, signal)
    }
  }
}

const listedAtOnce = 500

/** For example, runs of organisations that were deleted while the index was unavailable. */
async function removeMissing({ database, store }: IndexerDeps): Promise<number> {
  let removed = 0
  for await (const page of everyRun(store)) {
    const missing = await listMissingSnapshots(database, page)
    for (const run of missing) await store.removeRun(run)
    removed += missing.length
  }
  return removed
}

async function* everyRun(store: SearchStore): AsyncGenerator<RunKey[]> {
  let after: RunKey | undefined
  do {
    const page = await store.listRuns(after, listedAtOnce)
    yield page
    after = page.length === listedAtOnce ? page.at(-1) : undefined
  } while (after)
}
