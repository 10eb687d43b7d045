import type { InTransaction } from '../../db/core/database.ts'
import type { Tally } from '../../db/ledger/counters.ts'

/** Writes many results with as few statements as one. */
export type BulkWrite<Result> = (tx: InTransaction, tally: Tally, results: Result[]) => Promise<void>

/** What the entries of one transaction have in common to write, which is done when the last entry has run. */
export class BulkWrites {
  private readonly results = new Map<unknown, unknown[]>()
  private readonly writes: ((tx: InTransaction, tally: Tally) => Promise<void>)[] = []

  add<Result>(bulkWrite: BulkWrite<Result>, result: Result): void {
    // Each list has the results of its own function.
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
