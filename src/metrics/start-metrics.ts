import type { Clock } from '../clock.ts'
import type { Database } from '../db/core/database.ts'
import type { Readiness } from '../db/core/readiness.ts'
import { shareAnswer } from '../db/core/shared-answer.ts'
import { readWaitingNotifications } from '../db/notifications/waiting.ts'
import { readInstallationNumbers } from '../db/reports/installation-numbers.ts'
import { readOutboxLag } from '../db/runs/outbox.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { buildMetricsServer } from './metrics-server.ts'

/** Several scrapers share an answer, and none waits longer: Prometheus gives up after ten seconds by default. */
const patience = { freshMs: 5_000, deadlineMs: 2_000 }

interface MetricsOptions {
  host: string
  port: number
  database: Database
  clock: Clock
  readiness: Pick<Readiness, 'isReady'>
  /** Whether this process empties the outbox. */
  hasIndexer: boolean
}

export async function startMetrics(options: MetricsOptions): Promise<Metrics & { close(): Promise<void> }> {
  const { host, port, database, clock, readiness, hasIndexer } = options
  const metrics = createMetrics({
    numbers: shareAnswer(() => readInstallationNumbers(database), { clock, ...patience }),
    notifications: shareAnswer(() => readWaitingNotifications(database, clock.now()), { clock, ...patience }),
    ...(hasIndexer && { outbox: shareAnswer(() => readOutboxLag(database), { clock, ...patience }) }),
  })
  const server = buildMetricsServer(metrics, readiness)
  await server.listen({ host, port })
  return { ...metrics, close: () => server.close() }
}
