import type { Span } from '@opentelemetry/api'
import type { RunTracer } from '../model/run-tracer.ts'
import { callSpan } from './call-spans.ts'
import { type SpanMaker, traceOf } from './span-maker.ts'

/** A span for each attempt at a run, with one for each phase in it, and in those one for each call to a store. */
export function runSpans(make: SpanMaker): RunTracer {
  const { api, root, child } = make
  return {
    attemptBegan({ runId, mode, tier, epoch, takenOver }) {
      const attributes = {
        'storeferry.run_id': runId,
        'storeferry.mode': mode,
        'storeferry.tier': tier,
        'storeferry.epoch': epoch,
        'storeferry.taken_over': takenOver,
      }
      const attempt = root('attempt', { attributes }, traceOf(runId))
      let phase: Span | undefined
      let omitted = 0
      const leave = (atMs: number) => {
        phase?.end(atMs)
        phase = undefined
      }
      return {
        did({ steps, omittedCalls }) {
          omitted += omittedCalls
          for (const step of steps) {
            if (step.kind === 'call') {
              callSpan(make, step, { parent: phase ?? attempt, store: step.store })
              continue
            }
            leave(step.atMs)
            if (step.kind === 'phase-began')
              phase = child(attempt, `phase ${step.phase}`, {
                startTime: step.atMs,
                attributes: { 'storeferry.phase': step.phase },
              })
          }
        },
        ended(end) {
          // A phase that did not come to its end goes on in another attempt.
          leave(Date.now())
          attempt.setAttribute('storeferry.end', end)
          if (omitted > 0) attempt.setAttribute('storeferry.calls_omitted', omitted)
          if (end === 'died' || end === 'faulted') attempt.setStatus({ code: api.SpanStatusCode.ERROR })
          attempt.end()
        },
      }
    },
  }
}
