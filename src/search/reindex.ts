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
  /** What could not be indexed; the service tries it again for a while, and PostgreSQL answers for it. */
  failed: number
  /** Runs in the index that PostgreSQL no longer had. */
  removed: number
}

/**
 * Writes every run into the index again. Each is replaced by itself, so that reads go on, from the index or from PostgreSQL. Other
 * indexers, such as that of the running service, take their share, and a second start joins the first. What an interrupted one leaves
 * in the outbox, the service indexes.
 *
 * @throws SearchStoreAway when the store fails again and again.
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
    if (due === 0) return { runs: total, failed, removed: await removeMissing(deps) }
    signal.throwIfAborted()
    const looked = await patiently(clock, signal, () => indexSome({ database, store }))
    // The others are held by other indexers.
    if (looked === 0) await clock.sleep(heldByOthersMs, signal)
  }
}

const heldByOthersMs = 200
const awayMs = 1_000
/** A file that is no index is replaced at the first failure; a writer of another process is soon done. */
const mostFailures = 5

async function beginAgain({ database, store }: IndexerDeps): Promise<void> {
  await store.isComplete()
  await indexAllAgain(database)
  await store.markComplete()
}

async function patiently<Result>(clock: Clock, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
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

/** Such as those of organisations that were deleted while the index was away. */
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
