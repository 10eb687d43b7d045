import type { Span } from '@opentelemetry/api'
import type { TracedCall } from '../model/run-steps.ts'
import type { SpanMaker } from './span-maker.ts'

/** A span for each call to a store, made when it has ended. @param of the run that made it; without one it is a trace of its own */
export function callSpan(
  { api, root, child }: SpanMaker,
  { method, path, httpStatus, resends, durationMs, atMs }: TracedCall,
  of?: { parent: Span; store: string },
): void {
  const name = `${method} ${path}`
  const options = {
    kind: api.SpanKind.CLIENT,
    startTime: atMs - durationMs,
    attributes: {
      'http.request.method': method,
      'url.template': path,
      ...(of && { 'storeferry.store': of.store }),
      ...(httpStatus !== null && { 'http.response.status_code': httpStatus }),
      ...(resends > 0 && { 'http.request.resend_count': resends }),
    },
  }
  const span = of ? child(of.parent, name, options) : root(name, options)
  if (httpStatus === null || httpStatus >= 400) span.setStatus({ code: api.SpanStatusCode.ERROR })
  span.end(atMs)
}
