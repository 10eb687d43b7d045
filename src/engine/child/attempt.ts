import type { Clock } from '../../clock.ts'
import { pacing } from '../../contract/primitives/pacing.ts'
import type { Database } from '../../db/core/database.ts'
import { isDatabaseAway } from '../../db/core/database-away.ts'
import type { Tally } from '../../db/ledger/counters.ts'
import { commitIntents } from '../../db/ledger/intents.ts'
import { fenced, LeaseLost } from '../../db/ledger/leases.ts'
import type { StorePair } from '../../db/ledger/store-pair.ts'
import { leaveInProgress } from '../../db/runs/run-life.ts'
import { recordProgressSample } from '../../db/runs/runs.ts'
import type { WorkDone } from '../../model/work-done.ts'
import { createOutbound, isOnThisMachine } from '../../outbound.ts'
import type { OpenRun } from '../context/open-run.ts'
import { CommitGroups } from '../core/commit-groups.ts'
import type { EngineLog } from '../core/engine-log.ts'
import type { ChildMessage, StartMessage } from '../core/messages.ts'
import { Protection } from '../core/protection.ts'
import { createReadAhead, type ReadAhead } from '../core/read-ahead.ts'
import { Recorder } from '../core/recorder.ts'
import { MappingBook } from '../core/references.ts'
import { RunLease } from '../core/run-lease.ts'
import { type RunFailure, Stopped } from '../core/stopping.ts'
import { createRunStorefront } from '../core/storefront-ids.ts'
import { viewTag } from '../core/storefront-view.ts'
import { driveRun, failureOf } from '../run/drive-run.ts'
import { RunSteps } from './run-steps.ts'
import { mailsOf, stockOf } from './side-effects.ts'
import { connectStores, type StoreConnections } from './store-connections.ts'
import { every } from './ticker.ts'
import { WrittenItems } from './written-items.ts'

/** Hand over before the queue expires the job: it allows 24 h at most, and ours expire sooner (A3). */
const handOverAfterMs = 6 * 3600 * 1000

/** With more, the first intents wait longer; with fewer, there are more commits. */
const intentsPerCommit = 40

/** What an attempt runs in: a child process, or a test. */
export interface AttemptSurroundings {
  database: Database
  clock: Clock
  /** The clock of heartbeats, which other processes compare. */
  leaseClock: Clock
  log: EngineLog
  /** Called before the first heartbeat with the lease, by which the caller can stop the attempt. */
  onLease?(lease: RunLease): void
  /** Called every second. */
  onSecond?(lease: RunLease, readAhead: ReadAhead): void
  /** Called every two seconds and at the end, with what was done since. */
  onWork?(work: WorkDone): void
}

const databaseAway: ChildMessage = {
  kind: 'waiting',
  outage: { waitingFor: 'database', waitingStore: null },
  failure: { code: 'database_unreachable', message: 'The database of Storeferry cannot be reached.' },
}

/** Works on a run until it ends, waits or has to stop. @throws unforeseen errors */
export async function attemptRun(start: StartMessage, around: AttemptSurroundings): Promise<ChildMessage> {
  try {
    return await attempt(start, around)
  } catch (error) {
    if (!isDatabaseAway(error)) throw error
    around.log.warn({ err: error, runId: start.run.id }, 'the database is away')
    return databaseAway
  }
}

async function attempt(start: StartMessage, around: AttemptSurroundings): Promise<ChildMessage> {
  const steps = start.traced ? new RunSteps(around.clock) : undefined
  const connections = connectStores(start, around, steps)
  const readAhead = createReadAhead(pacing.rootsUnderWay)
  const items = new WrittenItems()
  const reportItems = () => around.onWork?.({ calls: [], items: items.take(), ...(steps && { traced: steps.take() }) })
  const lease = leaseOf(start, around, { connections, readAhead, reportItems })
  around.onLease?.(lease)
  const open = openRun(start, around, { connections, readAhead, lease, items, steps })
  await connections.renewClaims()
  await connections.holdFirstCalls()
  lease.start()
  try {
    return await drive(open)
  } finally {
    await lease.end()
    reportItems()
    await connections.close()
  }
}

function leaseOf(
  { run }: StartMessage,
  { database, leaseClock, onSecond }: AttemptSurroundings,
  { connections, readAhead, reportItems }: { connections: StoreConnections; readAhead: ReadAhead; reportItems(): void },
): RunLease {
  const lease: RunLease = new RunLease({
    database,
    clock: leaseClock,
    run,
    onBeat: every(leaseClock, [
      [2_000, () => recordProgressSample(database, run.id)],
      [2_000, connections.flushCalls],
      [2_000, reportItems],
      [1_000, connections.renewClaims],
      [1_000, () => onSecond?.(lease, readAhead)],
      [handOverAfterMs, () => lease.requestStop('handover')],
    ]),
  })
  return lease
}

function openRun(
  start: StartMessage,
  { database, clock, leaseClock, log }: AttemptSurroundings,
  {
    connections,
    readAhead,
    lease,
    items,
    steps,
  }: {
    connections: StoreConnections
    readAhead: ReadAhead
    lease: RunLease
    items: WrittenItems
    steps: RunSteps | undefined
  },
): OpenRun {
  const { source, destination, flushCalls } = connections
  const { run } = start
  // A comparison pairs items for itself only, because what another program has copied is not our copy.
  const writesNothing = run.mode === 'dry-run' || run.mode === 'verify'
  const pair = writesNothing ? { ...start.pair, simulatedBy: run.id } : start.pair
  const storefronts = { source: run.sourceStorefront, destination: run.destStorefront }
  const { recorder, intents } = commitsOf({ run, pair }, { database, leaseClock }, items)
  const sideEffects = { database, destination, log, lease, recorder, clock }
  return Object.freeze<OpenRun>({
    run,
    pair,
    stores: {
      source: { side: 'source', hash: start.source.hash },
      destination: { side: 'destination', hash: start.destination.hash },
    },
    database,
    source,
    destination,
    outbound: createOutbound({ clock, allowLoopback: isOnThisMachine(start.bigcommerceApiUrl) }),
    lease,
    recorder,
    intents,
    mappings: new MappingBook(database, pair, storefronts),
    protection: new Protection(
      Buffer.from(start.protectionKey, 'base64'),
      Buffer.from(start.imageKey, 'base64'),
      viewTag(storefronts),
    ),
    clock,
    mails: mailsOf(start, sideEffects),
    stock: stockOf(start, sideEffects),
    flushCalls,
    log,
    waits: { requestTimeoutMs: start.requestTimeoutMs, settleMs: start.settleMs },
    storefronts: {
      source: createRunStorefront(source, storefronts.source, lease.stop),
      destination: createRunStorefront(destination, storefronts.destination, lease.stop),
    },
    readAhead,
    phaseWatch: steps,
  })
}

function commitsOf(
  { run, pair }: { run: StartMessage['run']; pair: StorePair },
  { database, leaseClock: clock }: Pick<AttemptSurroundings, 'database' | 'leaseClock'>,
  items: WrittenItems,
): Pick<OpenRun, 'recorder' | 'intents'> {
  // A dry run writes nothing, and a comparison neither.
  const onCounted = run.mode === 'full' ? (tally: Tally) => items.add(tally) : undefined
  return {
    recorder: new Recorder({ database, clock }, run, onCounted),
    intents: new CommitGroups({ largest: intentsPerCommit, clock }, (some) => commitIntents(database, run, pair, some)),
  }
}

async function drive(open: OpenRun): Promise<ChildMessage> {
  try {
    await driveRun(open)
    return { kind: 'ended' }
  } catch (error) {
    await open.flushCalls()
    if (error instanceof LeaseLost) return { kind: 'lease-lost' }
    const failure = await failureOf(open, error)
    if (failure?.outage) return { kind: 'waiting', outage: failure.outage, failure: saying(failure) }
    if (failure) return pause(open, failure)
    if (error instanceof Stopped || open.lease.reason !== null) return stopped(open)
    throw error
  }
}

/** Pauses the run until a person has done what the failure says. */
async function pause(open: OpenRun, failure: RunFailure): Promise<ChildMessage> {
  await open.mails.release()
  open.log.warn({ err: failure, runId: open.run.id }, 'the run cannot go on and is paused')
  await fenced(open.database, open.run, (tx) => leaveInProgress(tx, open.run, 'paused', saying(failure)))
  return { kind: 'ended' }
}

function saying({ code, message }: RunFailure) {
  return { code, message }
}

async function stopped(open: OpenRun): Promise<ChildMessage> {
  const reason = open.lease.reason
  if (reason === 'pause' || reason === 'cancel') {
    await open.mails.release()
    await fenced(open.database, open.run, (tx) =>
      leaveInProgress(tx, open.run, reason === 'pause' ? 'paused' : 'cancelled'),
    )
    return { kind: 'ended' }
  }
  if (reason === 'lease-lost' || reason === null) return { kind: 'lease-lost' }
  return { kind: 'hand-over', because: reason }
}
