import type { ObservedCall } from '../../bigcommerce/client.ts'
import { tracedCall } from '../../bigcommerce/traced-call.ts'
import type { Clock } from '../../clock.ts'
import type { PhaseWatch, RunStep } from '../../model/run-steps.ts'
import type { TracedWork } from '../../model/work-done.ts'

/**
 * Calls of an attempt that are kept, and of those beyond it that failed as many again. Larger: traces that take long to show, or are cut
 * off by what stores them; smaller: the first phase fills them.
 */
export const mostCallsTraced = 5_000

/** Collects what an attempt does, for a trace that its host sends: the process of a run has no way to the collector (S20). */
export class RunSteps implements PhaseWatch {
  private steps: RunStep[] = []
  private kept = { fine: 0, failed: 0 }
  private omittedCalls = 0
  private readonly clock: Clock

  constructor(clock: Clock) {
    this.clock = clock
  }

  called(store: 'source' | 'destination', call: ObservedCall): void {
    const end = call.httpStatus !== null && call.httpStatus < 400 ? 'fine' : 'failed'
    const isFull = this.kept.fine + this.kept.failed >= mostCallsTraced
    if (isFull && (end === 'fine' || this.kept.failed >= mostCallsTraced)) {
      this.omittedCalls++
      return
    }
    this.kept[end]++
    this.steps.push({ kind: 'call', store, ...tracedCall(call), atMs: this.now() })
  }

  began(phase: string): void {
    this.steps.push({ kind: 'phase-began', phase, atMs: this.now() })
  }

  ended(): void {
    this.steps.push({ kind: 'phase-ended', atMs: this.now() })
  }

  take(): TracedWork {
    const taken = { steps: this.steps, omittedCalls: this.omittedCalls }
    this.steps = []
    this.omittedCalls = 0
    return taken
  }

  private now(): number {
    return this.clock.now().getTime()
  }
}
