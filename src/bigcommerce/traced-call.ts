import { pathTemplate } from './answer-shape.ts'
import type { ObservedCall } from './client.ts'

/** What a trace may show of a call: no id, no value, no token, and not which store it went to. */
export function tracedCall({ method, path, httpStatus, latencyMs, sendings }: ObservedCall) {
  return { method, path: pathTemplate(path), httpStatus, resends: sendings - 1, durationMs: latencyMs }
}
