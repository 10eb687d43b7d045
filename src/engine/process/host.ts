import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { fromKysely, type JobWithMetadata, type PgBoss } from 'pg-boss'
import type { Clock } from '../../clock.ts'
import { type Tier, tiers } from '../../contract/migration.ts'
import { analyseGrown } from '../../db/core/analyse-grown.ts'
import type { Database } from '../../db/core/database.ts'
import { isDatabaseAway } from '../../db/core/database-away.ts'
import { claimRun, fenced, lockLease, stillHolds } from '../../db/ledger/leases.ts'
import { findLeftJobs } from '../../db/runs/left-jobs.ts'
import { countAttempt, findRunToDrive, leaveInProgress, raiseTier, terminalItems } from '../../db/runs/run-life.ts'
import { renewHost, withdrawHost } from '../../db/runs/worker-hosts.ts'
import { type AdmissionLimits, type HostOffer, hasRoom, type RunSize } from '../../model/forecast/capacity.ts'
import { capacities } from '../../model/forecast/tier.ts'
import type { RunTracer } from '../../model/run-tracer.ts'
import type { RunObserver } from '../../model/work-done.ts'
import type { EngineLog } from '../core/engine-log.ts'
import { leaseMs } from '../core/run-lease.ts'
import { admit } from './admit.ts'
import { openQueue, queueName, type RunJob } from './queue.ts'
import { type ChildEnd, runChild } from './spawn-run.ts'
import { type EngineSettings, type SecretOpener, startMessage } from './start-message.ts'
import { waitOrPause } from './wait-or-pause.ts'

export interface HostDeps {
  database: Database
  databaseUrl: string
  /** Connects as the role that sees only the tables of runs; this is the one that children get. */
  runDatabaseUrl: string
  clock: Clock
  log: EngineLog
  keyring: SecretOpener
  settings: EngineSettings
  offer: HostOffer
  limits: AdmissionLimits
  /** Prices runs whose creator died before it could; called on every tick. */
  priceUnpriced(): Promise<void>
  /** Finishes what runs left open (D5, G8); called on every tick. */
  cleanUp(signal: AbortSignal): Promise<void>
  observer: RunObserver | undefined
  tracer: RunTracer | undefined
}

export interface WorkerHost {
  /** Hands over its runs and shuts down. */
  stop(): Promise<void>
}

/** After this many attempts in a row without progress, the fault counts as permanent (A5). */
const crashLoop = 5
const tickMs = 5_000
/** A run writes a thousand rows in this time. */
const analyseMs = 2_000
/** How often to try whether the database answers again. */
const askAgainMs = 200
/** How often to look for runs of hosts that are gone. */
const lookAfterOthersMs = 1_000
/**
 * How long before a job that does not fit into this host's memory is offered again. Admission made sure that some host
 * has room for it.
 */
const passOnAfterSeconds = 1

/** Works on admitted runs, each in a forked child of its own. */
export async function startWorkerHost(deps: HostDeps): Promise<WorkerHost> {
  const host = new Host(deps, await openQueue(deps.databaseUrl, deps.log, { supervise: true }))
  await host.start()
  return host
}

class Host implements WorkerHost {
  private readonly name = `${hostname()} ${process.pid} ${randomUUID().slice(0, 8)}`
  private readonly stopping = new AbortController()
  private readonly working = new Set<Promise<void>>()
  private readonly runs = new Set<RunSize>()
  private ticking: Promise<void>[] = []
  /** Attempts that seemed to have ended when this host last looked. */
  private seemedLeft = new Set<string>()
  private readonly deps: HostDeps
  private readonly boss: PgBoss

  constructor(deps: HostDeps, boss: PgBoss) {
    this.deps = deps
    this.boss = boss
  }

  async start(): Promise<void> {
    await this.renew()
    const options = {
      includeMetadata: true,
      batchSize: 1,
      localConcurrency: this.deps.offer.maxRuns,
      heartbeatRefreshSeconds: 2,
      pollingIntervalSeconds: 1,
      notifyPollingIntervalSeconds: 2,
    } as const
    await this.boss.work<RunJob>(queueName, options, ([job]) => this.track(this.workOn(job as JobWithMetadata<RunJob>)))
    // Separate loops: a store that does not answer may delay pricing or a sweep, but not admission.
    this.ticking = [
      this.repeat(() => this.renew()),
      this.repeat(() => admit(this.deps, this.boss)),
      this.repeat(() => this.deps.priceUnpriced()),
      this.repeat(() => this.deps.cleanUp(this.stopping.signal)),
      this.repeat(async () => void (await analyseGrown(this.deps.database)), analyseMs),
      this.repeat(() => this.freeLeftJobs(), lookAfterOthersMs),
    ]
  }

  /**
   * Frees the jobs of hosts that are gone, and takes them if there is room. A job must seem left twice in a row: right
   * after the database was away all of them do.
   */
  private async freeLeftJobs(): Promise<void> {
    const left = await findLeftJobs(this.deps.database)
    const attempts = new Map(left.map((job) => [`${job.id} ${job.retryCount}`, job]))
    const gone = [...attempts].filter(([attempt]) => this.seemedLeft.has(attempt)).map(([, job]) => job)
    this.seemedLeft = new Set(attempts.keys())
    if (gone.length === 0) return
    await this.boss.fail(queueName, gone, { message: 'The host is gone.' })
    for (const { id } of this.boss.getWipData()) this.boss.notifyWorker(id)
  }

  private renew(): Promise<void> {
    return renewHost(this.deps.database, this.name, this.deps.offer)
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.boss.offWork(queueName, { wait: false } as Parameters<PgBoss['offWork']>[1])
    await Promise.all(this.ticking)
    // Admission must not count on a draining host. If the database is away, the host's entry expires by itself.
    await withdrawHost(this.deps.database, this.name).catch(() => undefined)
    await Promise.allSettled([...this.working])
    await this.boss.stop({ graceful: false, close: true })
  }

  private async track(work: Promise<void>): Promise<void> {
    this.working.add(work)
    try {
      await work
    } finally {
      this.working.delete(work)
    }
  }

  private async repeat(task: () => Promise<void>, everyMs = tickMs): Promise<void> {
    const { clock, log } = this.deps
    while (!this.stopping.signal.aborted) {
      await task().catch((error: unknown) =>
        log.warn({ err: error }, 'a tick of the worker host failed; the next one tries again'),
      )
      // A stop just ends the wait.
      await clock.sleep(everyMs, this.stopping.signal).catch(() => undefined)
    }
  }

  /** @throws when the attempt failed: the queue offers the job again at once. */
  private async workOn(job: JobWithMetadata<RunJob>): Promise<void> {
    const { database } = this.deps
    const run = await findRunToDrive(database, job.data.runId)
    if (run?.status !== 'in_progress') return
    const size = { tier: run.tier as Tier, memMiB: run.memMiB }
    if (this.stopping.signal.aborted || !hasRoom({ ...this.deps.offer, runs: [...this.runs] }, size))
      return this.passOn(job, run.id)
    this.runs.add(size)
    try {
      await this.driveRun(job, run)
    } finally {
      this.runs.delete(size)
    }
  }

  private async driveRun(job: JobWithMetadata<RunJob>, run: RunToDrive): Promise<void> {
    const { database, settings, clock, observer, tracer } = this.deps
    const before = await terminalItems(database, run.id)
    const waits = {
      requestTimeoutMs: settings.requestTimeoutSeconds * 1000,
      settleMs: settings.settleSeconds * 1000,
      leaseMs,
    }
    const { epoch } = await claimRun(database, run.id, this.name, waits)
    // The queue offers a job again only if its attempt died, failed or froze.
    const takenOver = job.retryCount > 0
    observer?.attemptBegan({ takenOver })
    const trace = tracer?.attemptBegan({ runId: run.id, mode: run.mode, tier: run.tier, epoch, takenOver })
    const end = await runChild(startMessage(run, epoch, this.deps), {
      stop: this.stopping.signal,
      kill: job.signal,
      clock,
      onWork: (work) => {
        observer?.worked(work)
        if (work.traced) trace?.did(work.traced)
      },
    })
    observer?.attemptEnded(end.kind)
    trace?.ended(end.kind)
    await this.conclude(
      job,
      { id: run.id, organisationId: run.organisationId, tier: run.tier as Tier, epoch },
      end,
      before,
    )
  }

  private async conclude(job: JobWithMetadata<RunJob>, run: HeldRun, end: ChildEnd, before: number): Promise<void> {
    switch (end.kind) {
      case 'ended':
        await this.boss.complete(queueName, { id: job.id, retryCount: job.retryCount })
        await this.reportEnd(run.id)
        return this.admitNext()
      case 'lease-lost':
        return
      case 'waiting':
        return this.whenDatabaseAnswers(job, () => this.letWait(job, run, end))
      case 'hand-over':
        return end.because === 'memory' ? this.giveMemory(job, run, before) : this.handOver(job, run)
      case 'faulted':
      case 'died':
        return this.attemptFailed(run, end, before)
      default:
        return end satisfies never
    }
  }

  /** Numbers are not worth a failure. */
  private async reportEnd(runId: string): Promise<void> {
    const { database, observer } = this.deps
    if (!observer) return
    const run = await findRunToDrive(database, runId).catch(() => undefined)
    if (run) observer.runEnded(run.status)
  }

  private async admitNext(): Promise<void> {
    await admit(this.deps, this.boss).catch((error: unknown) =>
      this.deps.log.warn({ err: error }, 'admission failed; the next tick tries again'),
    )
  }

  /** With the most memory already, the next attempt can fail in the same place: it counts like one that failed. */
  private async giveMemory(job: JobWithMetadata<RunJob>, run: HeldRun, before: number): Promise<void> {
    const next = nextTier(run.tier)
    if (next.tier !== run.tier) return this.handOver(job, run, next)
    const reason = 'It needs more memory than the largest size of a migration has.'
    return this.attemptFailed(run, { kind: 'faulted', reason }, before)
  }

  /** Ends this job and sends the next one, or does neither: a run has exactly one live job (A3). */
  private async handOver(job: JobWithMetadata<RunJob>, run: HeldRun, to?: ReturnType<typeof nextTier>): Promise<void> {
    await this.deps.database.transaction().execute(async (tx) => {
      if (!(await lockLease(tx, run))) throw new Error(`Run ${run.id} was claimed by another host.`)
      if (to) await raiseTier(tx, run.id, to)
      await this.sendAgain(job, run.id, fromKysely(tx))
    })
  }

  /** Ends this job. Admission sends the next one when it is time to try again (G8). */
  private async letWait(
    job: JobWithMetadata<RunJob>,
    run: HeldRun,
    { outage, failure }: Extract<ChildEnd, { kind: 'waiting' }>,
  ): Promise<void> {
    const { database, settings, log, observer } = this.deps
    const pauseSeconds = await database.transaction().execute(async (tx) => {
      if (!(await lockLease(tx, run))) return undefined
      const until = await waitOrPause(tx, run, { outage, failure }, settings.outageHours)
      await this.boss.complete(queueName, { id: job.id, retryCount: job.retryCount }, null, { db: fromKysely(tx) })
      return until
    })
    log.warn({ runId: run.id, waitingFor: outage.waitingFor }, failure.message)
    // It has waited for too long.
    if (pauseSeconds === null) observer?.runEnded('paused')
    await this.admitNext()
  }

  /**
   * A process that lost the database ends while the host cannot reach it either. Without the host's record, the run
   * would be idle until its job seems left.
   *
   * @param record all or nothing, and nothing if another host has taken the run
   */
  private async whenDatabaseAnswers(job: JobWithMetadata<RunJob>, record: () => Promise<void>): Promise<void> {
    const over = AbortSignal.any([job.signal, this.stopping.signal])
    for (;;) {
      try {
        return await record()
      } catch (error) {
        if (!isDatabaseAway(error) || over.aborted) throw error
      }
      await this.deps.clock.sleep(askAgainMs, over).catch(() => undefined)
    }
  }

  /** Used when this host is draining or has no memory left: another host takes the run, or this one does later. */
  private async passOn(job: JobWithMetadata<RunJob>, runId: string): Promise<void> {
    const startAfter = this.stopping.signal.aborted ? 0 : passOnAfterSeconds
    await this.deps.database.transaction().execute((tx) => this.sendAgain(job, runId, fromKysely(tx), startAfter))
  }

  /**
   * Replaces one job with another.
   *
   * @throws unless exactly one row changed: only the retry count fences the completion (A3).
   */
  private async sendAgain(
    job: JobWithMetadata<RunJob>,
    runId: string,
    db: ReturnType<typeof fromKysely>,
    startAfter = 0,
  ): Promise<void> {
    const ours = { id: job.id, retryCount: job.retryCount }
    const completed = (await this.boss.complete(queueName, ours, null, { db })) as { affected?: number }
    if (completed.affected !== 1) throw new Error(`The job of run ${runId} is no longer ours.`)
    const sent = await this.boss.send(queueName, { runId }, { singletonKey: runId, db, startAfter })
    if (sent === null) throw new Error(`Run ${runId} already has another job.`)
  }

  private async attemptFailed(
    run: HeldRun,
    end: Extract<ChildEnd, { kind: 'faulted' | 'died' }>,
    before: number,
  ): Promise<void> {
    const { database } = this.deps
    // The host was frozen, and the run continued elsewhere: this attempt does not count.
    if (!(await stillHolds(database, run))) return
    const progressed = (await terminalItems(database, run.id)) > before
    const attempts = await countAttempt(database, run.id, end.reason, progressed)
    if (end.kind === 'died' && end.outOfMemory)
      await database.transaction().execute((tx) => raiseTier(tx, run.id, nextTier(run.tier)))
    if (attempts < crashLoop) throw new Error(end.reason)
    const message = `The migration was tried ${attempts} times in a row without copying anything. The last reason: ${end.reason} Start a new one: it continues where this one ended. If it fails again, report it with its id.`
    await fenced(database, run, (tx) => leaveInProgress(tx, run, 'failed', { code: 'crash_loop', message }))
    this.deps.observer?.runEnded('failed')
    await this.admitNext()
  }
}

type RunToDrive = NonNullable<Awaited<ReturnType<typeof findRunToDrive>>>

interface HeldRun {
  id: string
  organisationId: string
  tier: Tier
  epoch: number
}

function nextTier(tier: Tier): { tier: Tier; memMiB: number; cpus: number } {
  const next = tiers[tiers.indexOf(tier) + 1] ?? tier
  return { tier: next, memMiB: capacities[next].memMB, cpus: capacities[next].cpus }
}
