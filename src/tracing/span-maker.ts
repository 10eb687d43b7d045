import type { Span, SpanOptions } from '@opentelemetry/api'

/** Makes spans. It carries the parts of the library that are values, because only `start-tracing.ts` loads it. */
export interface SpanMaker {
  api: Pick<typeof import('@opentelemetry/api'), 'SpanKind' | 'SpanStatusCode'>
  /** @param traceId 32 hexadecimal digits; without it the span begins a trace of its own. */
  root(name: string, options: SpanOptions, traceId?: string): Span
  child(parent: Span, name: string, options: SpanOptions): Span
}

/** All that is about one run is one trace, in whatever process it happens: its id is a UUID, which is 32 such digits. */
export function traceOf(runId: string): string {
  return runId.replaceAll('-', '')
}
