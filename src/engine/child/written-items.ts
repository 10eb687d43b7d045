import type { Tally } from '../../db/ledger/counters.ts'
import { type WorkDone, writtenOutcomes } from '../../model/work-done.ts'

/** Items written since the last time, by outcome. */
export class WrittenItems {
  private counts: WorkDone['items'] = {}

  /** A healed item leaves `failed`; what has failed once stays counted. */
  add(tally: Tally): void {
    for (const row of tally.rows())
      for (const outcome of writtenOutcomes) {
        const more = Math.max(0, row[outcome] ?? 0)
        if (more > 0) this.counts[outcome] = (this.counts[outcome] ?? 0) + more
      }
  }

  take(): WorkDone['items'] {
    const taken = this.counts
    this.counts = {}
    return taken
  }
}
