import { type SpanMaker, traceOf } from './span-maker.ts'

/** An answer of the server. */
export interface AnsweredSpan {
  method: string
  /** A pattern such as `/v2/migrations/:id`, never an address. */
  route: string
  httpStatus: number
  seconds: number
  requestId: string
  run: { id: string; isNew: boolean } | undefined
}

/**
 * A span for each request, made when it has been answered. One that has made a run is part of the run's trace.
 *
 * Source of the names of attributes: OpenTelemetry semantic conventions, HTTP; ours begin with `storeferry`.
 */
export function requestSpans({ api, root }: SpanMaker, untracedRoutes: readonly string[]) {
  return ({ method, route, httpStatus, seconds, requestId, run }: AnsweredSpan): void => {
    if (untracedRoutes.includes(route)) return
    const endMs = Date.now()
    const isKnown = route !== 'none'
    const attributes = {
      'http.request.method': method,
      ...(isKnown && { 'http.route': route }),
      'http.response.status_code': httpStatus,
      'storeferry.request_id': requestId,
      ...(run && { 'storeferry.run_id': run.id }),
    }
    const options = { kind: api.SpanKind.SERVER, startTime: endMs - seconds * 1000, attributes }
    const span = root(isKnown ? `${method} ${route}` : method, options, run?.isNew ? traceOf(run.id) : undefined)
    if (httpStatus >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR })
    span.end(endMs)
  }
}
