import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { type NotificationObserver, notificationKinds, tryEnds } from '../model/sent-notifications.ts'
import {
  type AttemptEnd,
  attemptEnds,
  type RunObserver,
  type WrittenOutcome,
  writtenOutcomes,
} from '../model/work-done.ts'
import { databaseGauges, type MetricSources } from './database-gauges.ts'

/** An answer of the HTTP server. `route` is a pattern such as `/v2/migrations/:id`, never an address. */
export interface Answered {
  method: string
  route: string
  httpStatus: number
  seconds: number
}

export interface Metrics {
  runs: RunObserver
  notifications: NotificationObserver
  answered(answer: Answered): void
  /** In the text format of Prometheus. */
  text(): Promise<{ contentType: string; body: string }>
}

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
    notifications: observeNotifications(registry),
    answered: observeHttp(registry),
    text: async () => {
      await readDatabase()
      return { contentType: registry.contentType, body: await registry.metrics() }
    },
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

function observeNotifications(registry: Registry): NotificationObserver {
  const tries = counter<'kind' | 'end'>(
    registry,
    'storeferry_notification_tries_total',
    'Tries of this server to send a webhook or a mail, by how they ended.',
    notificationKinds.flatMap((kind) => tryEnds.map((end) => ({ kind, end }))),
  )
  return { tried: (kind, end) => tries.inc({ kind, end }) }
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
