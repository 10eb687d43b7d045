import { fromKysely, type PgBoss } from 'pg-boss'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../db/core/database.ts'
import { admitRun, lockAdmission, occupation, queuedRuns, runsWithoutJob } from '../../db/runs/admission.ts'
import type { AdmissionLimits } from '../../model/forecast/capacity.ts'
import type { EngineLog } from '../core/engine-log.ts'
import { chooseRuns } from './choose-runs.ts'
import { openQueue, queueName } from './queue.ts'

export interface AdmissionDeps {
  database: Database
  databaseUrl: string
  clock: Clock
  log: EngineLog
  /** The same in every process of the installation. */
  limits: AdmissionLimits
}

export interface Admission {
  /**
   * Admits the runs that fit and sends a job for every admitted run that has none. Cheap, idempotent and safe on any
   * host (A1).
   */
  admit(): Promise<void>
  stop(): Promise<void>
}

/** For a process that changes runs but does not work on them. */
export async function createAdmission(deps: AdmissionDeps): Promise<Admission> {
  const boss = await openQueue(deps.databaseUrl, deps.log, { supervise: false })
  return { admit: () => admit(deps, boss), stop: () => boss.stop({ graceful: false, close: true }) }
}

export async function admit(deps: Pick<AdmissionDeps, 'database' | 'limits'>, boss: PgBoss): Promise<void> {
  await deps.database.transaction().execute(async (tx) => {
    await lockAdmission(tx)
    const queued = await queuedRuns(tx)
    for (const run of chooseRuns(queued, await occupation(tx), deps.limits)) await admitRun(tx, run)
    for (const runId of await runsWithoutJob(tx))
      await boss.send(queueName, { runId }, { singletonKey: runId, db: fromKysely(tx) })
  })
}
