import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { InstallationNumbers } from '../db/reports/installation-numbers.ts'
import {
  type AttemptEnd,
  attemptEnds,
  type RunObserver,
  type WrittenOutcome,
  writtenOutcomes,
} from '../model/work-done.ts'

/** An answer of the HTTP server. `route` is a pattern such as `/v2/migrations/:id`, never an address. */
export interface Answered {
  method: string
  route: string
  httpStatus: number
  seconds: number
}

export interface OutboxLag {
  due: number
  lagSeconds: number
}

/** What a scrape reads from the database; undefined when it does not answer. */
export interface MetricSources {
  numbers(): Promise<InstallationNumbers | undefined>
  /** Absent where nothing empties the outbox. */
  outbox?(): Promise<OutboxLag | undefined>
}

export interface Metrics {
  runs: RunObserver
  answered(answer: Answered): void
  /** In the text format of Prometheus. */
  text(): Promise<{ contentType: string; body: string }>
}

const liveStates = ['queued', 'working', 'waiting'] as const
const endedStatuses = ['completed', 'partial_completed', 'failed', 'cancelled', 'paused'] as const
const sides = ['source', 'destination'] as const
const classes = ['read', 'write', 'heavy'] as const

/**
 * Every metric of this process (S29). Labels are taken from closed lists and from routes, so none can hold a name, an id or a store hash,
 * and their number is limited.
 */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const readDatabase = databaseGauges(registry, sources)
  return {
    runs: observeRuns(registry),
    answered: observeHttp(registry),
    text: async () => {
      await readDatabase()
      return { contentType: registry.contentType, body: await registry.metrics() }
    },
  }
}

function databaseGauges(registry: Registry, { numbers, outbox }: MetricSources): () => Promise<void> {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const up = gauge('storeferry_database_up', 'Whether PostgreSQL answers this process: 1 or 0.')
  const runs = gauge('storeferry_runs', 'Runs of the installation that have not ended, by state.', ['state'])
  const oldest = gauge('storeferry_oldest_queued_run_seconds', 'How long the longest waiting run has been queued.')
  const hosts = gauge('storeferry_worker_hosts', 'Live worker hosts of the installation.')
  const slots = gauge('storeferry_worker_slots', 'Concurrent runs that the live worker hosts offer together.')
  const due = outbox && gauge('storeferry_outbox_due', 'Changes that wait for the indexer, at most 10000.')
  const lag = outbox && gauge('storeferry_outbox_lag_seconds', 'How long the oldest change waits for the indexer.')
  return async () => {
    const [read, waiting] = await Promise.all([numbers(), outbox?.()])
    up.set(read ? 1 : 0)
    // Old values would look like current ones.
    for (const stale of [runs, oldest, hosts, slots, due, lag]) stale?.reset()
    for (const stale of [oldest, hosts, slots, due, lag]) if (!read) stale?.remove()
    if (!read) return
    for (const state of liveStates) runs.set({ state }, read[state])
    oldest.set(read.oldestQueuedSeconds)
    hosts.set(read.hosts)
    slots.set(read.slots)
    if (waiting) due?.set(waiting.due)
    if (waiting) lag?.set(waiting.lagSeconds)
  }
}

/** Begins every series at 0: a rate needs a value before the first event. */
function counter<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  series: Partial<Record<Label, string>>[],
): Counter<Label> {
  const labelNames = Object.keys(series[0] ?? {}) as Label[]
  const made = new Counter<Label>({ name, help, labelNames, registers: [registry] })
  for (const labels of series) made.inc(labels as Record<Label, string>, 0)
  return made
}

function observeRuns(registry: Registry): RunObserver {
  const began = counter(registry, 'storeferry_run_attempts_begun_total', 'Processes started for runs.', [{}])
  const takeOvers = counter(
    registry,
    'storeferry_run_takeovers_total',
    'Processes started for runs whose process before died, failed or froze.',
    [{}],
  )
  const ends = counter<'end'>(
    registry,
    'storeferry_run_attempts_ended_total',
    'Processes of runs that have ended, by how.',
    attemptEnds.map((end) => ({ end: labelOf(end) })),
  )
  const statuses = counter<'status'>(
    registry,
    'storeferry_runs_ended_total',
    'Runs that a process of this host has brought to an end or a pause, by status.',
    endedStatuses.map((status) => ({ status })),
  )
  const items = counter<'outcome'>(
    registry,
    'storeferry_items_total',
    'Items that runs of this host have written or failed to write.',
    writtenOutcomes.map((outcome) => ({ outcome })),
  )
  const calls = counter<'store' | 'class'>(
    registry,
    'storeferry_store_calls_total',
    'Calls of runs of this host to stores, by role of the store and kind of call.',
    sides.flatMap((store) => classes.map((cls) => ({ store, class: cls }))),
  )
  const refused = counter<'store'>(
    registry,
    'storeferry_store_refusals_total',
    'Calls among them that a store answered with 429, by role of the store.',
    sides.map((store) => ({ store })),
  )
  return {
    attemptBegan({ takenOver }) {
      began.inc()
      if (takenOver) takeOvers.inc()
    },
    attemptEnded: (end) => ends.inc({ end: labelOf(end) }),
    runEnded: (status) => endedStatuses.some((one) => one === status) && statuses.inc({ status }),
    worked(work) {
      for (const [outcome, count] of Object.entries(work.items) as [WrittenOutcome, number][])
        items.inc({ outcome }, count)
      for (const call of work.calls) {
        calls.inc({ store: call.side, class: call.cls }, call.calls)
        refused.inc({ store: call.side }, call.refused)
      }
    },
  }
}

function labelOf(end: AttemptEnd): string {
  return end.replace('-', '_')
}

function observeHttp(registry: Registry): Metrics['answered'] {
  const durations = new Histogram({
    name: 'storeferry_http_request_duration_seconds',
    help: 'Requests to the API and the portal, by method, route and status. Event streams last as long as they are open.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  return ({ method, route, httpStatus, seconds }) =>
    durations.observe({ method: methods.has(method) ? method : 'other', route, status: String(httpStatus) }, seconds)
}

/** Of the methods that Node accepts, those that any address answers to. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
