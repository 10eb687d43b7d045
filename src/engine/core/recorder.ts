import type { Clock } from '../../clock.ts'
import type { Database, InTransaction } from '../../db/core/database.ts'
import { addCounters, Tally } from '../../db/ledger/counters.ts'
import { fenced } from '../../db/ledger/leases.ts'
import { CommitGroups } from './commit-groups.ts'

/**
 * Records a result. Entries of one transaction do not depend on each other, because work that builds on a result waits
 * for its commit. What an entry adds to `bulk` can therefore be written after the last entry.
 */
export type Entry = (tx: InTransaction, tally: Tally, bulk: BulkWrites) => Promise<void>

/** Writes many results with as few statements as one. */
export type BulkWrite<Result> = (tx: InTransaction, tally: Tally, results: Result[]) => Promise<void>

/** Entries per transaction. With more, the first ones wait longer; with fewer, there are more commits. */
const entriesPerCommit = 40

/**
 * Commits results in order, many per transaction. Each transaction is fenced and updates the counters of what it
 * records (E3). A run has only one recorder, because two could deadlock on counter rows.
 */
export class Recorder {
  private readonly groups: CommitGroups<Entry, undefined>
  private readonly fenced: <T>(change: (tx: InTransaction) => Promise<T>) => Promise<T>

  /** @param onCounted called with what each transaction has counted, once it is committed. */
  constructor(
    { database, clock }: { database: Database; clock: Clock },
    run: { id: string; epoch: number },
    onCounted?: (tally: Tally) => void,
  ) {
    this.fenced = (change) => fenced(database, run, change)
    this.groups = new CommitGroups({ largest: entriesPerCommit, clock }, async (entries) => {
      const tally = await this.fenced((tx) => recordEntries(tx, run.id, entries))
      onCounted?.(tally)
      return entries.map(() => undefined)
    })
  }

  /** Resolves when the entry is committed. @throws what the entry threw, or LeaseLost */
  record(entry: Entry): Promise<void> {
    return this.groups.add(entry)
  }

  /** Commits at once, beside the entries: only for rows that none of them writes meanwhile. @throws LeaseLost */
  recordBeside(change: (tx: InTransaction) => Promise<void>): Promise<void> {
    return this.fenced(change)
  }
}

/** Runs entries in their order, and counts what they record. */
export async function recordEntries(tx: InTransaction, runId: string, entries: Entry[]): Promise<Tally> {
  const tally = new Tally()
  const bulk = new BulkWrites()
  for (const entry of entries) await entry(tx, tally, bulk)
  await bulk.run(tx, tally)
  await addCounters(tx, runId, tally)
  return tally
}

/** Collects writes that the entries of one transaction share, and makes them when the last entry has run. */
export class BulkWrites {
  private readonly results = new Map<unknown, unknown[]>()
  private readonly writes: ((tx: InTransaction, tally: Tally) => Promise<void>)[] = []

  add<Result>(bulkWrite: BulkWrite<Result>, result: Result): void {
    // A list only holds results of its own function.
    const earlier = this.results.get(bulkWrite) as Result[] | undefined
    if (earlier) return void earlier.push(result)
    const results = [result]
    this.results.set(bulkWrite, results)
    this.writes.push((tx, tally) => bulkWrite(tx, tally, results))
  }

  async run(tx: InTransaction, tally: Tally): Promise<void> {
    for (const write of this.writes) await write(tx, tally)
  }
}
