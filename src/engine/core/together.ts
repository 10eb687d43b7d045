import type { InTransaction } from '../../db/core/database.ts'
import type { Tally } from '../../db/ledger/counters.ts'

/** Writes results of several entries with as few statements as one result takes. */
export type Writer<Result> = (tx: InTransaction, tally: Tally, results: Result[]) => Promise<void>

/** Results of all entries of a transaction that are written together, when the last entry has run. */
export class Together {
  private readonly lists = new Map<unknown, unknown[]>()
  private readonly writes: ((tx: InTransaction, tally: Tally) => Promise<void>)[] = []

  add<Result>(writer: Writer<Result>, result: Result): void {
    // Each list has the results of its writer.
    const list = this.lists.get(writer) as Result[] | undefined
    if (list) return void list.push(result)
    const first = [result]
    this.lists.set(writer, first)
    this.writes.push((tx, tally) => writer(tx, tally, first))
  }

  async write(tx: InTransaction, tally: Tally): Promise<void> {
    for (const write of this.writes) await write(tx, tally)
  }
}
