import { PgBoss } from 'pg-boss'
import { idleInTransactionMs } from '../../db/core/database.ts'
import type { EngineLog } from '../core/engine-log.ts'

export const queueName = 'runs'

export interface RunJob {
  runId: string
}

/**
 * The queue itself frees the job of a dead host after 10 s without a heartbeat, the least it allows, and notices within
 * 2 s. Hosts do so earlier (`freeLeftJobs`); this is for a host that dies between taking a job and claiming its run.
 */
export async function openQueue(databaseUrl: string, log: EngineLog, options: { supervise: boolean }): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'storeferry queue',
    max: 4,
    useListenNotify: true,
    schedule: false,
    supervise: options.supervise,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    notifyHeartbeatIntervalMs: 5_000,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  } as ConstructorParameters<typeof PgBoss>[0])
  boss.on('error', quietly(log))
  await boss.start()
  await boss.createQueue(queueName, {
    policy: 'exclusive',
    heartbeatSeconds: 10,
    // A run hands over after six hours, before the queue would take its job away.
    expireInSeconds: 7 * 3600,
    retryLimit: 1000,
    retryDelay: 0,
    deleteAfterSeconds: 3600,
    notify: true,
  } as Parameters<PgBoss['createQueue']>[1])
  return boss
}

/** While the database is away the queue reports an error twice a second; one line every ten seconds is enough. */
function quietly(log: EngineLog): (error: Error) => void {
  let lastMs = -Infinity
  return (error) => {
    if (performance.now() - lastMs < 10_000) return
    lastMs = performance.now()
    log.error({ err: error }, 'the queue cannot reach the database')
  }
}
