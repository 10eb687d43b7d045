import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../src/db/postgres/free-port.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { buildMetricsServer } from '../../src/metrics/metrics-server.ts'
import { callStore } from '../engine/call-store.ts'
import { until } from '../harness/until.ts'
import { startWorld, type World } from '../harness/world.ts'

let world: World
let port: number
beforeAll(async () => {
  port = await freePort()
  world = await startWorld({ entities: ['brands'], latencyMs: 50, settings: { metrics: { host: '127.0.0.1', port } } })
})
afterAll(() => world?.stop())

const nothing = { waiting: 0, oldestSeconds: 0 }
const nothingToSend = { event: nothing, webhook: nothing, mail: nothing }

async function scrape(): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
}

/** The value of a series, such as `storeferry_runs{state="queued"}`; undefined without it. */
function seriesOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

/** By how much a series has grown; one that does not exist yet counts as 0. */
function grown(series: string, before: string, after: string): number {
  return (seriesOf(after, series) ?? 0) - (seriesOf(before, series) ?? 0)
}

test('metrics count what a run did: its calls by role of the store, the items it wrote, its attempt and its end', async () => {
  await callStore(world, 'source', 'POST', '/v3/catalog/brands', { name: 'Counted Candles' })
  const before = await scrape()
  const run = await world.migrate()
  const { phases } = await world.finished(run)
  const ended = 'storeferry_runs_ended_total{status="completed"}'
  const text = await until('its end is counted', async () => {
    const now = await scrape()
    return grown(ended, before, now) === 1 ? now : undefined
  })
  const rises = (series: string) => grown(series, before, text)
  const created = phases.reduce((sum, phase) => sum + phase.created, 0)
  expect(created).toBeGreaterThan(0)
  expect(rises('storeferry_items_total{outcome="created"}')).toBe(created)
  const { rows } = await sql<{ side: string; class: string; calls: number }>`
    select side, class, calls from run_calls where run_id = ${run} and calls > 0`.execute(world.database)
  for (const { side, class: cls, calls } of rows)
    expect(rises(`storeferry_store_calls_total{store="${side}",class="${cls}"}`)).toBe(calls)
  expect(rows.map(({ side }) => side)).toEqual(expect.arrayContaining(['source', 'destination']))
  expect(rises('storeferry_run_attempts_begun_total')).toBe(1)
  expect(rises('storeferry_run_attempts_ended_total{end="ended"}')).toBe(1)
  expect(rises('storeferry_run_takeovers_total')).toBe(0)
})

test('a run whose process is killed is counted as a death and as a take-over', async () => {
  const before = await scrape()
  const run = await world.migrate()
  const [pid] = await until('a process works on the run', async () => {
    const pids = await world.childPids()
    return pids.length > 0 ? pids : undefined
  })
  process.kill(Number(pid), 'SIGKILL')
  await world.finished(run)
  const text = await scrape()
  expect(grown('storeferry_run_attempts_ended_total{end="died"}', before, text)).toBe(1)
  expect(grown('storeferry_run_takeovers_total', before, text)).toBe(1)
})

test('a run that has waited for too long is counted as paused', async () => {
  const before = await scrape()
  await callStore(world, 'source', 'POST', '/v3/catalog/brands', { name: 'Paused Candles' })
  await world.fault('destination', { kind: 'hold_after_applying', method: 'POST', path: '/v3/catalog/brands$' })
  const run = await world.migrate()
  await until('a call is held', async () => (await world.faults('destination')).some(({ hits }) => hits > 0))
  // Only the process of the run loses the database; its host records that.
  const { rows } = await sql<{ role: string }>`select current_database() || '_run' as role`.execute(world.database)
  const role = sql.id(rows[0]?.role ?? '')
  await sql`update runs set waiting_since = now() - interval '25 hours' where id = ${run}`.execute(world.database)
  await sql`alter role ${role} connection limit 0`.execute(world.database)
  onTestFinished(async () => void (await sql`alter role ${role} connection limit -1`.execute(world.database)))
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = current_database() || '_run'`.execute(world.database)
  await world.release('destination')
  await world.finished(run, { status: 'paused' })
  const paused = 'storeferry_runs_ended_total{status="paused"}'
  await until('its pause is counted', async () => grown(paused, before, await scrape()) === 1)
})

test('metrics show the requests to the API by pattern of their route, the event loop and the memory', async () => {
  const before = await scrape()
  await world.finished(await world.migrate())
  const text = await scrape()
  const series = 'storeferry_http_request_duration_seconds_count{method="POST",route="/v2/migrations",status="202"}'
  expect(grown(series, before, text)).toBe(1)
  expect(text).toContain('route="/v2/migrations/:id"')
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes', 'storeferry_database_up'])
    expect(seriesOf(text, name)).toBeGreaterThan(0)
  expect(seriesOf(text, 'storeferry_worker_hosts')).toBe(1)
  expect(seriesOf(text, 'storeferry_worker_slots')).toBe(4)
})

test('metrics of a server count what it sends: a webhook that it may not reach is tried and waits', async () => {
  await sql`
    insert into webhooks (id, organisation_id, url, description, created_at)
    values (${randomUUID()}, ${world.organisationId}, 'https://127.0.0.1/', '', now())`.execute(world.database)
  await world.finished(await world.migrate())
  const text = await until('a message has been tried and counted, and waits', async () => {
    const now = await scrape()
    const tried = seriesOf(now, 'storeferry_notification_tries_total{kind="webhook",end="to_repeat"}')
    return tried && seriesOf(now, 'storeferry_notifications_waiting{kind="webhook"}') ? now : undefined
  })
  expect(seriesOf(text, 'storeferry_oldest_notification_seconds{kind="webhook"}')).toBeGreaterThan(0)
  expect(seriesOf(text, 'storeferry_notification_tries_total{kind="webhook",end="delivered"}')).toBe(0)
})

test('S29: metrics name neither an organisation, a store, a run nor a token', async () => {
  // The hashes of the two stores here are the names of their roles, too.
  const text = (await scrape()).replaceAll(/store="(source|destination)"/g, '')
  const values = [...text.matchAll(/="([^"]*)"/g)].map(([, value = '']) => value)
  const { rows } = await sql<{ name: string }>`
    select id::text as name from organisations union all select name from organisations
    union all select hash from stores union all select id::text from runs union all select email from users`.execute(
    world.database,
  )
  expect(rows.length).toBeGreaterThan(5)
  expect(rows.filter(({ name }) => values.some((value) => value.includes(name)))).toEqual([])
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
})

test('the port of the metrics answers probes of its process, and nothing else', async () => {
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
  expect([await ask('/healthz'), await ask('/readyz')]).toEqual([200, 200])
  expect([await ask('/v2/migrations'), await ask('/app')]).toEqual([404, 404])
  expect((await fetch(`${world.url}/metrics`)).status).toBe(404)
})

test('a run that waits for a host is counted as queued, with its age', async () => {
  const answers = {
    numbers: async () => ({ queued: 2, working: 1, waiting: 3, oldestQueuedSeconds: 95, hosts: 1, slots: 1 }),
    outbox: async () => ({ due: 7, lagSeconds: 12 }),
    notifications: async () => nothingToSend,
  }
  const { body } = await createMetrics(answers).text()
  const states = ['queued', 'working', 'waiting'].map((state) => seriesOf(body, `storeferry_runs{state="${state}"}`))
  expect(states).toEqual([2, 1, 3])
  expect(seriesOf(body, 'storeferry_oldest_queued_run_seconds')).toBe(95)
  expect(seriesOf(body, 'storeferry_outbox_due')).toBe(7)
  expect(seriesOf(body, 'storeferry_outbox_lag_seconds')).toBe(12)
})

test('without its database a process still serves its own metrics, and no numbers of the past as if they were present', async () => {
  let numbers: { queued: number } | undefined = { queued: 2 }
  const whole = { queued: 0, working: 1, waiting: 0, oldestQueuedSeconds: 5, hosts: 1, slots: 4 }
  const metrics = createMetrics({
    numbers: async () => numbers && { ...whole, ...numbers },
    outbox: async () => numbers && { due: 1, lagSeconds: 1 },
    notifications: async () => numbers && nothingToSend,
  })
  const server = buildMetricsServer(metrics, { isReady: async () => numbers !== undefined })
  onTestFinished(() => server.close())
  const ask = async (url: string) => server.inject({ url })
  const before = (await ask('/metrics')).body
  expect(before).toContain('storeferry_runs{state="queued"} 2')
  expect(before).toContain('storeferry_notifications_waiting{kind="mail"} 0')
  numbers = undefined
  const { statusCode, headers, body } = await ask('/metrics')
  expect([statusCode, headers['content-type']]).toEqual([200, expect.stringContaining('text/plain; version=0.0.4')])
  expect(seriesOf(body, 'storeferry_database_up')).toBe(0)
  expect(body).toContain('process_resident_memory_bytes')
  expect(
    body.split('\n').filter((line) => /^storeferry_(runs|worker|oldest|outbox|notifications)[a-z_]*[ {]/.test(line)),
  ).toEqual(body.split('\n').filter((line) => /^storeferry_runs_ended_total/.test(line)))
  expect((await ask('/readyz')).statusCode).toBe(503)
})
