import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** As OTLP writes them in JSON. */
interface Value {
  stringValue?: string
  intValue?: number | string
  boolValue?: boolean
}
interface Written {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Value }[]
  status?: { code?: number }
}
interface Body {
  resourceSpans: {
    resource: { attributes: { key: string; value: Value }[] }
    scopeSpans: { spans: Written[] }[]
  }[]
}

export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  kind: 'internal' | 'server' | 'client' | 'other'
  durationMs: number
  attributes: Record<string, string | number | boolean | undefined>
  isError: boolean
  service: unknown
}

export interface Collector {
  url: string
  spans: ReceivedSpan[]
  /** Everything that was received, as text. */
  bodies: string[]
  headers: IncomingHttpHeaders[]
  stop(): Promise<void>
}

/** A collector of traces on this machine. */
export async function startCollector(): Promise<Collector> {
  const collector = { spans: [] as ReceivedSpan[], bodies: [] as string[], headers: [] as IncomingHttpHeaders[] }
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as Body
    if (request.method !== 'POST' || request.url !== '/otlp/v1/traces') return response.writeHead(404).end()
    collector.bodies.push(JSON.stringify(body))
    collector.headers.push(request.headers)
    for (const { resource, scopeSpans } of body.resourceSpans)
      for (const span of scopeSpans.flatMap(({ spans }) => spans))
        collector.spans.push(readSpan(span, attributesOf(resource.attributes)['service.name']))
    return response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    ...collector,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/otlp`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Source: opentelemetry-proto, `Span.SpanKind` and `Status.StatusCode`. */
const kinds: Record<number, ReceivedSpan['kind']> = { 1: 'internal', 2: 'server', 3: 'client' }
const errorCode = 2

function readSpan(span: Written, service: unknown): ReceivedSpan {
  const { traceId, spanId, parentSpanId, name, kind, attributes, status } = span
  return {
    traceId,
    spanId,
    parentSpanId: parentSpanId || undefined,
    name,
    kind: kinds[kind] ?? 'other',
    durationMs: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
    attributes: attributesOf(attributes),
    isError: status?.code === errorCode,
    service,
  }
}

function attributesOf(written: Written['attributes']): ReceivedSpan['attributes'] {
  return Object.fromEntries(
    written.map(({ key, value: { stringValue, intValue, boolValue } }) => [
      key,
      stringValue ?? boolValue ?? (intValue === undefined ? undefined : Number(intValue)),
    ]),
  )
}
