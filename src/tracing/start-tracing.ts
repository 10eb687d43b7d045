import type { IdGenerator, ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Log } from '../log.ts'
import type { TracedCall } from '../model/run-steps.ts'
import type { RunTracer } from '../model/run-tracer.ts'
import { callSpan } from './call-spans.ts'
import { type AnsweredSpan, requestSpans } from './request-spans.ts'
import { runSpans } from './run-spans.ts'
import type { SpanMaker } from './span-maker.ts'

export interface TracingOptions {
  /** Of the collector, without the path of traces. */
  url: string
  headers: Record<string, string>
  log: Pick<Log, 'warn'>
  /** Routes whose requests are not traced, such as probes. */
  untracedRoutes: readonly string[]
}

export interface Tracing {
  answered(answer: AnsweredSpan): void
  runs: RunTracer
  /** A call to a store that no run made. */
  called(call: TracedCall): void
  /** Sends what is left. */
  close(): Promise<void>
}

/** Larger: a process that shuts down waits longer for a collector that is away. */
const timeoutMillis = 5_000
/** Spans that wait to be sent. Larger: more memory while the collector is away; smaller: a busy worker loses some. */
const maxQueueSize = 8_192

/** OpenTelemetry is loaded here and nowhere else: a process without traces neither waits for it nor holds it in memory. */
export async function startTracing({ url, headers, log, untracedRoutes }: TracingOptions): Promise<Tracing> {
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const exporter = reporting(new OTLPTraceExporter({ url: `${url}/v1/traces`, headers, timeoutMillis }), log)
  const ids = givenIds(new sdk.RandomIdGenerator())
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'storeferry' }),
    idGenerator: ids,
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, maxQueueSize, exportTimeoutMillis: timeoutMillis })],
  })
  const tracer = provider.getTracer('storeferry')
  const make: SpanMaker = {
    api,
    root: (name, options, traceId) =>
      ids.under(traceId, () => tracer.startSpan(name, { ...options, root: true }, api.ROOT_CONTEXT)),
    child: (parent, name, options) => tracer.startSpan(name, options, api.trace.setSpan(api.ROOT_CONTEXT, parent)),
  }
  return {
    answered: requestSpans(make, untracedRoutes),
    runs: runSpans(make),
    called: (call) => callSpan(make, call),
    // What could not be sent is in the log.
    close: () => provider.shutdown().catch(() => undefined),
  }
}

interface GivenIds extends IdGenerator {
  /** Makes spans of one trace. @param traceId any new one if undefined */
  under<Made>(traceId: string | undefined, work: () => Made): Made
}

function givenIds(random: IdGenerator): GivenIds {
  let given: string | undefined
  return {
    generateTraceId: () => given ?? random.generateTraceId(),
    generateSpanId: () => random.generateSpanId(),
    under(traceId, work) {
      given = traceId
      try {
        return work()
      } finally {
        given = undefined
      }
    },
  }
}

/** The library drops spans without a word when the collector is away. */
function reporting(exporter: SpanExporter, log: Pick<Log, 'warn'>): SpanExporter {
  let isAway = false
  return {
    export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]) {
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined || result.code !== 0
        if (failed && !isAway)
          log.warn(
            { err: result.error, count: spans.length },
            'The collector does not accept traces; they are dropped.',
          )
        isAway = failed
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  }
}
