import type { Clock } from '../../src/clock.ts'
import { systemClock } from '../../src/clock.ts'
import type { Database } from '../../src/db/core/database.ts'
import { claimRun, stillHolds } from '../../src/db/ledger/leases.ts'
import { admitRun, lockAdmission, occupation, queuedRuns } from '../../src/db/runs/admission.ts'
import { findRunToDrive } from '../../src/db/runs/run-life.ts'
import { renewHost } from '../../src/db/runs/worker-hosts.ts'
import { attemptRun } from '../../src/engine/child/attempt.ts'
import type { EngineLog } from '../../src/engine/core/engine-log.ts'
import { leaseMs, type RunLease } from '../../src/engine/core/run-lease.ts'
import { chooseRuns } from '../../src/engine/process/choose-runs.ts'
import { type SecretOpener, startMessage } from '../../src/engine/process/start-message.ts'
import { waitOrPause } from '../../src/engine/process/wait-or-pause.ts'

/** How runs of one world are processed. */
export interface RunSettings {
  requestTimeoutMs: number
  settleMs: number
  clock: Clock
  /** Passes the time until a store that is away is asked again; by default, the clock does. */
  passTime?: ((seconds: number, runId: string) => Promise<void>) | undefined
  recordDirectory?: string | undefined
  /** Its connections, instead of the common ones. */
  runDatabase?: Database | undefined
  /** Where it reaches the stores, if not at the sandbox itself. */
  apiUrl?: string | undefined
  log?: EngineLog | undefined
}

const outageHours = 24

interface Surroundings {
  database: Database
  /** The role that children connect as. */
  runDatabase: Database
  keyring: SecretOpener
  bigcommerceApiUrl: string
  quotaReserve: number
}

interface Attempt {
  organisationId: string
  lease: RunLease | undefined
  ended: Promise<void>
}

/** The one host that admission knows, which always has capacity. */
const host = { name: 'this process', offer: { maxRuns: 1_000, memoryMiB: 10_000_000, tierCaps: {} } }
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/**
 * Processes runs in the test process: no queue, no fork, no take-over. For every test that is not about processes. A run that
 * stops on a fault is not retried: its world reports the reason.
 */
export class RunsHere {
  private readonly worlds = new Map<string, RunSettings>()
  private readonly attempts = new Map<string, Attempt>()
  private readonly faults = new Map<string, unknown>()
  private admitting: Promise<void> = Promise.resolve()
  private readonly around: Surroundings

  constructor(around: Surroundings) {
    this.around = around
  }

  /** Runs of this organisation are processed this way. */
  join(organisationId: string, settings: RunSettings): void {
    this.worlds.set(organisationId, settings)
  }

  /** Hands over the current runs, and processes no more of these organisations. */
  async leave(organisationIds: string[]): Promise<void> {
    for (const id of organisationIds) this.worlds.delete(id)
    const left = [...this.attempts.values()].filter(({ organisationId }) => organisationIds.includes(organisationId))
    for (const { lease } of left) lease?.requestStop('drain')
    await Promise.all(left.map(({ ended }) => ended))
  }

  /** The error that ended the last attempt at a run. */
  faultOf(runId: string): unknown {
    return this.faults.get(runId)
  }

  /** What works on the run here; undefined when nothing does, although it may be in progress. */
  processOf(runId: string): { isStopping: boolean; ended: Promise<void> } | undefined {
    const attempt = this.attempts.get(runId)
    return attempt && { isStopping: (attempt.lease?.reason ?? null) !== null, ended: attempt.ended }
  }

  /** As a host does that finds a run in progress without a process. */
  takeOver(runId: string, organisationId: string): void {
    if (this.attempts.has(runId)) throw new Error(`Run ${runId} has a process.`)
    this.faults.delete(runId)
    this.begin(runId, organisationId)
  }

  /** Admits the runs that may start, as every host does, and starts them. One at a time. */
  admit(): Promise<void> {
    this.admitting = this.admitting.then(() => this.admitNow())
    return this.admitting
  }

  private async admitNow(): Promise<void> {
    const { database } = this.around
    await renewHost(database, host.name, host.offer)
    const chosen = await database.transaction().execute(async (tx) => {
      await lockAdmission(tx)
      const queued = (await queuedRuns(tx)).filter(({ organisationId }) => this.worlds.has(organisationId))
      const runs = chooseRuns(queued, await occupation(tx), { tierCaps: {}, organisationRuns: 4 })
      for (const run of runs) await admitRun(tx, run)
      return runs
    })
    for (const { id, organisationId } of chosen) this.begin(id, organisationId)
  }

  private begin(runId: string, organisationId: string): void {
    const attempt: Attempt = { organisationId, lease: undefined, ended: Promise.resolve() }
    attempt.ended = this.work(runId, attempt)
      .catch((error: unknown) => void this.faults.set(runId, error))
      .then(() => void this.attempts.delete(runId))
      .then(() => this.admit())
      .catch(() => undefined)
    this.attempts.set(runId, attempt)
  }

  /** As a host does between two jobs of a run that waits. @returns whether the run is to be tried again */
  private async waits(
    run: { id: string; organisationId: string },
    end: Parameters<typeof waitOrPause>[2],
    { clock, passTime }: RunSettings,
  ): Promise<boolean> {
    const seconds = await this.around.database.transaction().execute((tx) => waitOrPause(tx, run, end, outageHours))
    if (seconds === null) return false
    await (passTime ?? ((of: number) => clock.sleep(of * 1000)))(seconds, run.id)
    return this.worlds.has(run.organisationId)
  }

  private async work(runId: string, attempt: Attempt): Promise<void> {
    const { database, runDatabase, keyring, bigcommerceApiUrl, quotaReserve } = this.around
    const settings = this.worlds.get(attempt.organisationId)
    const run = await findRunToDrive(database, runId)
    if (!run || !settings) return
    const { requestTimeoutMs, settleMs, clock, recordDirectory, apiUrl = bigcommerceApiUrl, log = silent } = settings
    const { epoch } = await claimRun(database, runId, host.name, { requestTimeoutMs, settleMs, leaseMs })
    const start = startMessage(run, epoch, {
      keyring,
      settings: {
        bigcommerceApiUrl: apiUrl,
        requestTimeoutSeconds: requestTimeoutMs / 1000,
        settleSeconds: settleMs / 1000,
        childReserve: quotaReserve,
        recordDirectory,
        outageHours,
      },
      runDatabaseUrl: '',
    })
    attempt.lease = undefined
    const end = await attemptRun(start, {
      database: settings.runDatabase ?? runDatabase,
      clock,
      leaseClock: systemClock,
      log,
      onLease: (lease) => {
        attempt.lease = lease
      },
    })
    if (end.kind === 'faulted') throw new Error(end.reason)
    if (end.kind === 'lease-lost' && (await stillHolds(database, { id: runId, epoch })))
      throw new Error('The run lost its lease, and no host takes it over here: this process stood still for minutes.')
    if (end.kind === 'waiting' && (await this.waits(run, end, settings))) await this.work(runId, attempt)
  }
}
