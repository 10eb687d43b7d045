import { Gauge, type Registry } from 'prom-client'
import type { WaitingNotifications } from '../db/notifications/waiting.ts'
import type { InstallationNumbers } from '../db/reports/installation-numbers.ts'

export interface OutboxLag {
  due: number
  lagSeconds: number
}

/** What a scrape reads from the database; undefined when it does not answer. */
export interface MetricSources {
  numbers(): Promise<InstallationNumbers | undefined>
  notifications(): Promise<WaitingNotifications | undefined>
  /** Absent where nothing empties the outbox. */
  outbox?(): Promise<OutboxLag | undefined>
}

const liveStates = ['queued', 'working', 'waiting'] as const
const unsentKinds = ['event', 'webhook', 'mail'] as const

/** Numbers of the whole installation. @returns what sets them before each scrape */
export function databaseGauges(registry: Registry, sources: MetricSources): () => Promise<void> {
  const { numbers, notifications, outbox } = sources
  const gauge: MakeGauge = (name, help, labelNames = []) => new Gauge({ name, help, labelNames, registers: [registry] })
  const read = [
    numbersGauges(gauge, numbers),
    notificationGauges(gauge, notifications),
    ...(outbox ? [outboxGauges(gauge, outbox)] : []),
  ]
  return async () => {
    await Promise.all(read.map((one) => one()))
  }
}

type MakeGauge = <Label extends string>(name: string, help: string, labelNames?: Label[]) => Gauge<Label>

function numbersGauges(gauge: MakeGauge, ask: MetricSources['numbers']): () => Promise<void> {
  const up = gauge('storeferry_database_up', 'Whether PostgreSQL answers this process: 1 or 0.')
  const runs = gauge('storeferry_runs', 'Runs of the installation that have not ended, by state.', ['state'])
  const oldest = gauge('storeferry_oldest_queued_run_seconds', 'How long the longest waiting run has been queued.')
  const hosts = gauge('storeferry_worker_hosts', 'Live worker hosts of the installation.')
  const slots = gauge('storeferry_worker_slots', 'Concurrent runs that the live worker hosts offer together.')
  return async () => {
    const answer = await ask()
    up.set(answer ? 1 : 0)
    empty([runs, oldest, hosts, slots])
    if (!answer) return
    for (const state of liveStates) runs.set({ state }, answer[state])
    oldest.set(answer.oldestQueuedSeconds)
    hosts.set(answer.hosts)
    slots.set(answer.slots)
  }
}

function notificationGauges(gauge: MakeGauge, ask: MetricSources['notifications']): () => Promise<void> {
  const waiting = gauge(
    'storeferry_notifications_waiting',
    'Webhooks and mails to send, and events of which neither have been written yet.',
    ['kind'],
  )
  const oldest = gauge('storeferry_oldest_notification_seconds', 'How long the oldest of them has waited.', ['kind'])
  return async () => {
    const answer = await ask()
    empty([waiting, oldest])
    if (!answer) return
    for (const kind of unsentKinds) {
      waiting.set({ kind }, answer[kind].waiting)
      oldest.set({ kind }, answer[kind].oldestSeconds)
    }
  }
}

function outboxGauges(gauge: MakeGauge, ask: NonNullable<MetricSources['outbox']>): () => Promise<void> {
  const due = gauge('storeferry_outbox_due', 'Changes that wait for the indexer, at most 10000.')
  const lag = gauge('storeferry_outbox_lag_seconds', 'How long the oldest change waits for the indexer.')
  return async () => {
    const answer = await ask()
    empty([due, lag])
    if (!answer) return
    due.set(answer.due)
    lag.set(answer.lagSeconds)
  }
}

/** Old values would look like current ones. */
function empty(gauges: Gauge[]): void {
  for (const gauge of gauges) {
    gauge.reset()
    // A reset gauge without labels is 0.
    gauge.remove({})
  }
}
