import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../harness/until.ts'
import { startWorld, type World } from '../harness/world.ts'
import { type Collector, type ReceivedSpan, startCollector } from './a-collector.ts'

const token = 'planted collector token'

let collector: Collector
let world: World
/** A copy that has ended, and all of its spans. */
let run: string
let spans: ReceivedSpan[]
beforeAll(async () => {
  collector = await startCollector()
  const tracing = { url: collector.url, headers: { authorization: token } }
  world = await startWorld({ entities: ['brands'], hosts: 1, settings: { tracing } })
  await world.fault('destination', { kind: 'overloaded', method: 'POST', path: '/v3/catalog/brands$', times: 1 })
  await fetch(`${world.url}/readyz`)
  await world.api('GET', '/v2/migrations/ada@shop.example')
  run = await world.migrate()
  await world.finished(run)
  const isLook = ({ name, attributes }: ReceivedSpan) =>
    name === 'GET /v2/migrations/:id' && attributes['storeferry.run_id'] === run
  await until(
    'its attempt and a look at it are in the traces',
    () => collector.spans.some(isLook) && collector.spans.some(({ name }) => name === 'attempt'),
  )
  spans = collector.spans.filter(({ traceId }) => traceId === run.replaceAll('-', ''))
})
afterAll(async () => {
  await world?.stop()
  await collector?.stop()
})

const named = (name: string) => spans.filter((span) => span.name === name)

test('a migration is one trace: the request that made it, its attempt in a worker, its phase and its calls', () => {
  const [request, attempt, phase] = ['POST /v2/migrations', 'attempt', 'phase brands'].map((name) => named(name)[0])
  expect(request).toMatchObject({
    kind: 'server',
    parentSpanId: undefined,
    service: 'storeferry',
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/v2/migrations',
      'http.response.status_code': 202,
      'storeferry.run_id': run,
    },
  })
  expect(attempt).toMatchObject({
    kind: 'internal',
    parentSpanId: undefined,
    service: 'storeferry',
    isError: false,
    attributes: {
      'storeferry.run_id': run,
      'storeferry.mode': 'full',
      'storeferry.taken_over': false,
      'storeferry.end': 'ended',
    },
  })
  expect(phase).toMatchObject({ parentSpanId: attempt?.spanId, attributes: { 'storeferry.phase': 'brands' } })
  expect(attempt!.durationMs).toBeGreaterThanOrEqual(phase!.durationMs)
  expect(spans.filter(({ kind }) => kind !== 'client')).toHaveLength(3)
})

test('every call of a migration to a store is a span of its attempt or phase, with the role of the store and no id', async () => {
  const calls = spans.filter(({ kind }) => kind === 'client')
  const { rows } = await sql<{ calls: number }>`
    select sum(calls)::integer as calls from run_calls where run_id = ${run}`.execute(world.database)
  expect(calls).toHaveLength(rows[0]?.calls ?? 0)
  const parents = [...named('attempt'), ...named('phase brands')].map(({ spanId }) => spanId)
  expect(calls.filter(({ parentSpanId = '' }) => !parents.includes(parentSpanId))).toEqual([])
  expect(calls.some(({ parentSpanId }) => parentSpanId === parents[1])).toBe(true)
  expect(named('POST /v3/catalog/brands').length).toBeGreaterThan(0)
  for (const { name, attributes } of calls) {
    expect(name).toBe(`${attributes['http.request.method']} ${attributes['url.template']}`)
    expect(name).toMatch(/^(GET|POST|PUT|DELETE) \/v[23](\/([a-z_-]+|\{id\}))+$/)
    expect(['source', 'destination']).toContain(attributes['storeferry.store'])
  }
  expect(new Set(named('POST /v3/catalog/brands').map(({ attributes }) => attributes['storeferry.store']))).toEqual(
    new Set(['destination']),
  )
})

test('a call that was refused for its quota and sent again is two spans, the second of which says so', () => {
  const writes = named('POST /v3/catalog/brands')
  const [refused] = writes.filter(({ isError }) => isError)
  expect(refused?.attributes).toMatchObject({ 'http.response.status_code': 429 })
  expect(refused?.attributes).not.toHaveProperty(['http.request.resend_count'])
  const again = writes.filter(({ attributes }) => attributes['http.request.resend_count'] === 1)
  expect(again).toMatchObject([{ isError: false, attributes: { 'http.response.status_code': 200 } }])
})

test('calls that a server makes outside of a migration are traces of their own', async () => {
  const known = collector.spans.length
  const live = await world.api('GET', `/v2/stores/${world.address('source').hash}/catalog/brands`)
  expect(live.status).toBe(200)
  const call = await until('its live read is in the traces', () =>
    collector.spans.slice(known).find(({ name }) => name === 'GET /v3/catalog/brands'),
  )
  expect(call).toMatchObject({ kind: 'client', parentSpanId: undefined, isError: false })
  expect(call.attributes).not.toHaveProperty(['storeferry.store'])
  expect(call.traceId).not.toBe(run.replaceAll('-', ''))
})

test('a request about a migration names it and is a trace of its own; probes are not traced', () => {
  const looks = collector.spans.filter(({ name }) => name === 'GET /v2/migrations/:id')
  expect(looks.filter(({ traceId }) => traceId === run.replaceAll('-', ''))).toEqual([])
  const strange = looks.filter(({ attributes }) => attributes['http.response.status_code'] === 404)
  expect(strange).toHaveLength(1)
  expect(strange[0]?.attributes).not.toHaveProperty(['storeferry.run_id'])
  expect(collector.spans.filter(({ name }) => /health|readyz/.test(name))).toEqual([])
})

test('S20, S22: no span has a token, a person, an organization, a text of a store or what a caller has made up', async () => {
  const sent = collector.bodies.join('\n')
  expect(collector.headers.every(({ authorization }) => authorization === token)).toBe(true)
  const { brands = [] } = await world.state('source')
  const { rows } = await sql<{ text: string }>`
    select name as text from organisations union all select id::text from organisations
    union all select email from users union all select id::text from users union all select first_name from users`.execute(
    world.database,
  )
  const { identity } = world
  const found = [
    ...[token, identity.client_id, identity.client_secret, 'ada@shop.example', 'x-auth-token', 'Bearer', 'eyJ'],
    ...brands.map(({ name }) => String(name)),
    ...rows.map(({ text }) => text),
  ].filter((text) => sent.includes(text))
  expect(brands.length).toBeGreaterThan(0)
  expect(found).toEqual([])
  // Other ids than those of the migration and of requests.
  const ids = new Set(sent.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g))
  const ours = collector.spans.flatMap(({ attributes }) => [
    attributes['storeferry.run_id'],
    attributes['storeferry.request_id'],
  ])
  expect([...ids].filter((id) => !ours.includes(id))).toEqual([])
})
