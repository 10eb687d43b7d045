import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type Collector, startCollector } from '../../test/tracing/a-collector.ts'
import type { CallStep } from '../model/run-steps.ts'
import { startTracing } from './start-tracing.ts'

const runId = '0f8fad5b-d9cb-469f-a165-70867728950e'
const trace = '0f8fad5bd9cb469fa16570867728950e'
const attempt = { runId, mode: 'full', tier: 'small', epoch: 2, takenOver: true }
const call: CallStep = {
  kind: 'call',
  store: 'source',
  method: 'GET',
  path: '/v3/catalog/brands',
  httpStatus: 200,
  resends: 0,
  durationMs: 20,
  atMs: Date.now(),
}
const answer = { method: 'GET', route: '/v2/stores', httpStatus: 200, seconds: 0.5, requestId: 'one', run: undefined }

async function aCollector(): Promise<Collector> {
  const collector = await startCollector()
  onTestFinished(() => collector.stop())
  return collector
}

const open = (url: string, untracedRoutes: string[] = [], warn: () => void = () => undefined) =>
  startTracing({ url, headers: {}, log: { warn }, untracedRoutes })

test('what is left is sent when a process ends', async () => {
  const collector = await aCollector()
  const tracing = await open(collector.url)
  tracing.answered(answer)
  expect(collector.spans).toEqual([])
  await tracing.close()
  expect(collector.spans).toMatchObject([{ name: 'GET /v2/stores', kind: 'server', durationMs: 500, isError: false }])
})

test('a request that no route answers has no address in its span, and only a fault of ours is an error', async () => {
  const collector = await aCollector()
  const tracing = await open(collector.url, ['/readyz'])
  tracing.answered({ ...answer, route: 'none', httpStatus: 404 })
  tracing.answered({ ...answer, route: '/readyz' })
  tracing.answered({ ...answer, httpStatus: 503 })
  await tracing.close()
  expect(collector.spans.map(({ name, isError }) => [name, isError])).toEqual([
    ['GET', false],
    ['GET /v2/stores', true],
  ])
  expect(collector.spans[0]?.attributes).not.toHaveProperty(['http.route'])
  expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(2)
})

test('an attempt that died in a phase is an error, ends its phase, and says how many calls are missing', async () => {
  const collector = await aCollector()
  const tracing = await open(collector.url)
  const tracer = tracing.runs.attemptBegan(attempt)
  tracer.did({ steps: [call, { kind: 'phase-began', phase: 'brands', atMs: Date.now() }], omittedCalls: 3 })
  tracer.did({ steps: [{ ...call, httpStatus: null, resends: 2 }], omittedCalls: 4 })
  tracer.ended('died')
  await tracing.close()
  const [before, within, phase, whole] = collector.spans
  expect(whole).toMatchObject({
    name: 'attempt',
    isError: true,
    traceId: trace,
    attributes: { 'storeferry.end': 'died', 'storeferry.calls_omitted': 7, 'storeferry.taken_over': true },
  })
  expect(phase).toMatchObject({ name: 'phase brands', parentSpanId: whole?.spanId, traceId: trace })
  expect([before?.parentSpanId, within?.parentSpanId]).toEqual([whole?.spanId, phase?.spanId])
  expect(within).toMatchObject({ isError: true, durationMs: 20, attributes: { 'http.request.resend_count': 2 } })
})

test('a collector that does not answer does not keep a process from ending', async () => {
  const server = createServer(() => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const tracing = await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  for (let at = 0; at < 2_000; at++) tracing.answered(answer)
  await tracing.close()
}, 30_000)

test('a collector that is away is reported once', async () => {
  let warnings = 0
  const collector = await startCollector()
  await collector.stop()
  const tracing = await open(collector.url, [], () => void warnings++)
  // More than are sent together.
  for (let at = 0; at < 600; at++) tracing.answered(answer)
  await tracing.close()
  expect(warnings).toBe(1)
}, 30_000)
