import type { Clock } from '../clock.ts'
import type { Database, InTransaction } from '../db/core/database.ts'
import { issuesToIndex } from '../db/reports/issues-to-index.ts'
import {
  allowPauses,
  type ChangedRun,
  indexAllAgain,
  keepInOutbox,
  removeFromOutbox,
  takeChangedRuns,
} from '../db/runs/outbox.ts'
import { findSnapshotText } from '../db/runs/snapshots.ts'
import { type IssueDocument, type RunKey, RunReplaced, type SearchStore, SearchStoreAway } from './search-store.ts'

export interface IndexerDeps {
  database: Database
  store: SearchStore
}

/** A larger batch holds its rows longer, a smaller one queries the database more often. */
const batch = 20
/** How often a run that cannot be indexed is tried, over about a day. */
const mostAttempts = 20
const longestWaitSeconds = 3_600 * 2

/**
 * Indexes some of what has changed since the last time. An outbox row is deleted in the transaction that locked it
 * before its run was read, so a process that dies repeats a run but loses none.
 *
 * @returns the number of runs it has looked at; 0 when none are waiting.
 * @throws SearchStoreAway; the outbox then keeps everything.
 */
export async function indexSome({ database, store }: IndexerDeps): Promise<number> {
  if (!(await store.isComplete())) {
    await indexAllAgain(database, false)
    await store.markComplete()
  }
  return database.transaction().execute(async (tx) => {
    await allowPauses(tx)
    const runs = await takeChangedRuns(tx, batch)
    for (const run of runs) await indexRun(tx, run, { database, store })
    return runs.length
  })
}

async function indexRun(tx: InTransaction, run: ChangedRun, { database, store }: IndexerDeps): Promise<void> {
  try {
    await copyRun(database, store, { organisationId: run.organisationId, runId: run.runId })
    await removeFromOutbox(tx, run)
  } catch (error) {
    if (error instanceof SearchStoreAway) throw error
    // The run is still due, for whichever indexer comes next.
    if (error instanceof RunReplaced) return
    const waitSeconds = run.attempts + 1 < mostAttempts ? Math.min(2 ** run.attempts, longestWaitSeconds) : null
    await keepInOutbox(tx, run, error instanceof Error ? error.name : 'unknown', waitSeconds)
  }
}

/** Reads the snapshot and the issues at the same moment. */
async function copyRun(database: Database, store: SearchStore, run: RunKey): Promise<void> {
  await database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await allowPauses(tx)
      const snapshot = await findSnapshotText(tx, run)
      if (snapshot) await store.replaceRun({ ...run, ...snapshot }, documentsOf(tx, run))
      else await store.removeRun(run)
    })
}

async function* documentsOf(tx: InTransaction, run: RunKey): AsyncGenerator<IssueDocument[]> {
  for await (const page of issuesToIndex(tx, run))
    yield page.map(({ row, lastMicros, texts }) => {
      const { id, firstMicros, code, severity, phase, state, sourceId, destinationId } = row
      const filtered = { code, severity, phase, state, sourceId, destinationId }
      return { id, firstMicros, lastMicros, ...filtered, texts, body: JSON.stringify(row) }
    })
}

/** How often to look for ended runs while there are none. */
const idleMs = 500
/** The pause after a failure of the store or the database. */
const awayMs = 5_000

/** Keeps indexing changes until it is stopped. */
export function startIndexer(
  deps: IndexerDeps & { clock: Clock; log: { warn(fields: object, message: string): void } },
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { clock, log } = deps
  async function work() {
    let isAway = false
    while (!stopping.signal.aborted) {
      try {
        const looked = await indexSome(deps)
        isAway = false
        if (looked === 0) await clock.sleep(idleMs, stopping.signal)
      } catch (error) {
        if (stopping.signal.aborted) return
        if (!isAway)
          log.warn({ err: error }, 'The search index cannot be written; reads come from PostgreSQL meanwhile.')
        isAway = true
        await clock.sleep(awayMs, stopping.signal).catch(() => undefined)
      }
    }
  }
  const working = work()
  return {
    async stop() {
      stopping.abort(new Error('The indexer stops.'))
      await working
    },
  }
}
