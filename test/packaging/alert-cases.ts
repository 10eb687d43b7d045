import { alertsFile, rules } from './monitoring.ts'

/** A state in which an alert has to fire; values are in promtool's notation, one a minute. */
interface AlertCase {
  series: Record<string, string>
  /** When it has been in this state for long enough. */
  at: string
  /** Of the alert, besides its severity. */
  labels?: Record<string, string>
}

const process = { job: 'storeferry', instance: 'one:9464' }
const ofProcess = 'job="storeferry",instance="one:9464"'
const requests = 'storeferry_http_request_duration_seconds_count'

const firing: Record<string, AlertCase> = {
  StoreferryDown: { series: { [`up{${ofProcess}}`]: '0x10' }, at: '5m', labels: process },
  StoreferryDatabaseDown: { series: { [`storeferry_database_up{${ofProcess}}`]: '0x10' }, at: '5m', labels: process },
  StoreferryNoWorker: {
    series: { 'storeferry_runs{state="queued"}': '2x10', storeferry_worker_hosts: '0x10' },
    at: '5m',
  },
  StoreferryQueueOld: { series: { storeferry_oldest_queued_run_seconds: '4000x20' }, at: '15m' },
  StoreferryRunsDie: { series: { 'storeferry_run_attempts_ended_total{end="died"}': '0+1x10' }, at: '10m' },
  StoreferryTakeOvers: { series: { storeferry_run_takeovers_total: '0+1x10' }, at: '10m' },
  StoreferryRefusals: {
    series: {
      'storeferry_store_refusals_total{store="source"}': '0+10x40',
      'storeferry_store_refusals_total{store="destination"}': '0+1x40',
      'storeferry_store_calls_total{store="source",class="read"}': '0+100x40',
      'storeferry_store_calls_total{store="destination",class="read"}': '0+100x40',
    },
    at: '35m',
    labels: { store: 'source' },
  },
  StoreferryOutboxLag: { series: { storeferry_outbox_lag_seconds: '1000x20' }, at: '15m' },
  StoreferryNotificationsStopped: {
    series: { 'storeferry_oldest_notification_seconds{kind="event"}': '400x20' },
    at: '10m',
  },
  StoreferryNotificationsOld: {
    series: { 'storeferry_oldest_notification_seconds{kind="mail"}': '4000x20' },
    at: '15m',
    labels: { kind: 'mail' },
  },
  StoreferryErrors: {
    series: { [`${requests}{status="503"}`]: '0+5x30', [`${requests}{status="200"}`]: '0+95x30' },
    at: '25m',
  },
  StoreferryEventLoopLag: {
    series: { [`nodejs_eventloop_lag_p99_seconds{${ofProcess}}`]: '1x20' },
    at: '15m',
    labels: process,
  },
}

/** What a process serves that has worked and has nothing to complain of. */
const healthy: Record<string, string> = {
  [`up{${ofProcess}}`]: '1x60',
  [`storeferry_database_up{${ofProcess}}`]: '1x60',
  'storeferry_runs{state="queued"}': '3x60',
  storeferry_worker_hosts: '1x60',
  storeferry_oldest_queued_run_seconds: '600x60',
  'storeferry_run_attempts_ended_total{end="ended"}': '0+1x60',
  'storeferry_run_attempts_ended_total{end="died"}': '0x60',
  storeferry_run_takeovers_total: '0x60',
  'storeferry_store_refusals_total{store="source"}': '0+1x60',
  'storeferry_store_calls_total{store="source",class="read"}': '0+100x60',
  // Nothing was called or refused here.
  'storeferry_store_refusals_total{store="destination"}': '0x60',
  'storeferry_store_calls_total{store="destination",class="read"}': '0x60',
  storeferry_outbox_lag_seconds: '2x60',
  'storeferry_oldest_notification_seconds{kind="event"}': '1x60',
  'storeferry_oldest_notification_seconds{kind="webhook"}': '300x60',
  [`${requests}{status="200"}`]: '0+100x60',
  [`${requests}{status="503"}`]: '0+1x60',
  [`nodejs_eventloop_lag_p99_seconds{${ofProcess}}`]: '0.02x60',
}

const inputOf = (series: Record<string, string>) =>
  Object.entries(series).map(([name, values]) => ({ series: name, values }))

/** For `promtool test rules`, which reads JSON as YAML. */
export function alertTests(): string {
  const tests = rules.flatMap(({ alert, labels: { severity }, annotations }) => {
    const found = firing[alert]
    if (!found) throw new Error(`No state is described in which ${alert} fires.`)
    const fired = [{ exp_labels: { severity, ...found.labels }, exp_annotations: annotations }]
    return [
      {
        input_series: inputOf(found.series),
        alert_rule_test: [{ eval_time: found.at, alertname: alert, exp_alerts: fired }],
      },
      { input_series: inputOf(healthy), alert_rule_test: [{ eval_time: '50m', alertname: alert, exp_alerts: [] }] },
    ]
  })
  return JSON.stringify({
    rule_files: [alertsFile],
    evaluation_interval: '1m',
    tests: tests.map((one) => ({ interval: '1m', ...one })),
  })
}
