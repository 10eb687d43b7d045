import type { ObservedCall } from '../../bigcommerce/client.ts'

type Side = 'source' | 'destination'

/** Calls and latencies since the last flush, by store and class. */
export class CallCounter {
  private counts = new Map<
    string,
    { side: Side; cls: ObservedCall['cls']; calls: number; refused: number; latencyMs: number }
  >()

  observe(side: Side, call: ObservedCall): void {
    const key = `${side} ${call.cls}`
    const count = this.counts.get(key) ?? { side, cls: call.cls, calls: 0, refused: 0, latencyMs: 0 }
    count.calls++
    if (call.httpStatus === 429) count.refused++
    count.latencyMs += call.latencyMs
    this.counts.set(key, count)
  }

  take() {
    const taken = [...this.counts.values()]
    this.counts = new Map()
    return taken
  }
}
