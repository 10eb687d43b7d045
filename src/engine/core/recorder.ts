import type { Database, InTransaction } from '../../db/core/database.ts'
import { addCounters, Tally } from '../../db/ledger/counters.ts'
import { fenced, LeaseLost } from '../../db/ledger/leases.ts'
import { BulkWrites } from './bulk-writes.ts'

/**
 * Records a result. The entries of one transaction are concurrent: whatever builds on a result waits for its commit first. What an
 * entry adds to `bulk` can therefore be written after the last of them.
 */
export type Entry = (tx: InTransaction, tally: Tally, bulk: BulkWrites) => Promise<void>

interface Waiting {
  entry: Entry
  resolve: () => void
  reject: (error: unknown) => void
}

/** Entries in one transaction: with more the first ones wait longer, with fewer there are more commits. */
const entriesPerCommit = 40

/**
 * Commits results in order, many in one transaction, each transaction fenced and with the counters of what it records (E3).
 * There is one for each run, because two could deadlock on counter rows.
 */
export class Recorder {
  private readonly waiting: Waiting[] = []
  private running = false
  private readonly database: Database
  private readonly run: { id: string; epoch: number }

  constructor(database: Database, run: { id: string; epoch: number }) {
    this.database = database
    this.run = run
  }

  /** Resolves when the entry is committed. @throws what the entry threw, or LeaseLost. */
  record(entry: Entry): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ entry, resolve, reject })
      if (!this.running) void this.drain()
    })
  }

  private async drain(): Promise<void> {
    this.running = true
    while (this.waiting.length > 0) await this.commit(this.waiting.splice(0, entriesPerCommit))
    this.running = false
  }

  private async commit(batch: Waiting[]): Promise<void> {
    try {
      await this.inOneTransaction(batch)
      for (const { resolve } of batch) resolve()
    } catch (error) {
      // One bad entry must not fail the others.
      if (batch.length > 1 && !(error instanceof LeaseLost)) for (const one of batch) await this.commit([one])
      else for (const { reject } of batch) reject(error)
    }
  }

  private async inOneTransaction(batch: Waiting[]): Promise<void> {
    const entries = batch.map(({ entry }) => entry)
    await fenced(this.database, this.run, (tx) => recordEntries(tx, this.run.id, entries))
  }
}

/** Runs entries in their order, and counts what they record. */
export async function recordEntries(tx: InTransaction, runId: string, entries: Entry[]): Promise<void> {
  const tally = new Tally()
  const bulk = new BulkWrites()
  for (const entry of entries) await entry(tx, tally, bulk)
  await bulk.run(tx, tally)
  await addCounters(tx, runId, tally)
}
