import { StoreClient } from '../../bigcommerce/client.ts'
import { Governor } from '../../bigcommerce/governor.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../db/core/database.ts'
import { fenced, LeaseLost } from '../../db/ledger/leases.ts'
import { dropShares, renewShares, reportUsedUp, usedUpMs } from '../../db/runs/quota-shares.ts'
import { addCalls, leaveInProgress } from '../../db/runs/run-life.ts'
import { recordProgressSample } from '../../db/runs/runs.ts'
import { saveSold, stockWatch } from '../../db/side-effects/sold-stock.ts'
import { createOutbound, isOnThisMachine } from '../../outbound.ts'
import type { EngineLog, RunContext } from '../context/context.ts'
import { DestinationClient } from '../context/destination-client.ts'
import { createDatabaseSlots } from '../core/database-slots.ts'
import type { ChildMessage, StartMessage } from '../core/messages.ts'
import { Protection } from '../core/protection.ts'
import { Recorder } from '../core/recorder.ts'
import { ReferenceBook } from '../core/references.ts'
import { RunLease } from '../core/run-lease.ts'
import { type RunFailure, Stopped } from '../core/stopping.ts'
import { viewTag } from '../core/storefront-view.ts'
import { driveRun, failureOf } from '../run/drive-run.ts'
import { MailMute, muteMails, restoreMails } from '../side-effects/mail-settings.ts'
import {
  endIfNothingSold,
  giveBackStock,
  rememberStock,
  type StockDeps,
  StockHold,
} from '../side-effects/sold-stock.ts'
import { CallCounter } from './call-counter.ts'
import { every } from './ticker.ts'

/** The queue's cap is 24 h and we expire earlier: hand over long before it takes the job away (A3). */
const handOverAfterMs = 6 * 3600 * 1000
/** Items under way at once. Larger: more memory and more doubts when the process dies; smaller: a fast store waits for us. */
const rootsUnderWay = 60

/** What surrounds an attempt: a process of its own, or a test. */
export interface AttemptSurroundings {
  database: Database
  clock: Clock
  /** Of heartbeats, which others judge by. */
  leaseClock: Clock
  log: EngineLog
  /** Where somebody may ask the attempt to stop, from its first heartbeat on. */
  onLease?(lease: RunLease): void
  /** Called every second. */
  onSecond?(lease: RunLease, readAhead: { roots: number }): void
}

/** Works on a run until it ends or has to stop. @throws what nobody foresaw, and a RunFailure that may pass */
export async function attemptRun(start: StartMessage, around: AttemptSurroundings): Promise<ChildMessage> {
  const { database, clock, log } = around
  const consumer = `run ${start.run.id} ${start.run.epoch}`
  const shares = new Map<string, number>()
  const calls = new CallCounter()
  const readAhead = { roots: rootsUnderWay }
  const hashes = [start.source.hash, start.destination.hash]
  const governors = new Map<string, Governor>()
  const open = (side: 'source' | 'destination') => {
    const { hash, token } = start[side]
    const slots = createDatabaseSlots({ database, clock, storeHash: hash, consumer })
    const claims = () => shares.get(hash) ?? 1
    const governor = new Governor({ clock, reserve: start.quotaReserve, claims, slots })
    governors.set(hash, governor)
    const connection = {
      apiUrl: start.bigcommerceApiUrl,
      hash,
      token,
      // Whatever goes wrong, a run that only looks writes nothing.
      readOnly: side === 'source' || start.run.mode !== 'full',
      requestTimeoutMs: start.requestTimeoutMs,
    }
    return new StoreClient(connection, governor, { clock, onCall: (call) => calls.observe(side, call) })
  }
  const source = open('source')
  const destination = open('destination')
  const flushCalls = () => addCalls(database, start.run.id, calls.take())
  const share = async () => {
    for (const [hash, claims] of await renewShares(database, hashes, consumer)) shares.set(hash, claims)
    await reportUsedUp(database, new Map([...governors].map(([hash, governor]) => [hash, governor.usedUpMs])))
  }
  const runLease: RunLease = new RunLease({
    database,
    clock: around.leaseClock,
    run: start.run,
    onBeat: every(around.leaseClock, [
      [2_000, () => recordProgressSample(database, start.run.id)],
      [2_000, flushCalls],
      [1_000, share],
      [1_000, () => around.onSecond?.(runLease, readAhead)],
      [handOverAfterMs, () => runLease.ask('handover')],
    ]),
  })
  around.onLease?.(runLease)
  const pair = start.run.mode === 'dry-run' ? { ...start.pair, simulatedBy: start.run.id } : start.pair
  const storefronts = { source: start.run.sourceStorefront, destination: start.run.destStorefront }
  const recorder = new Recorder(database, start.run)
  const context: RunContext = {
    run: start.run,
    pair,
    stores: {
      source: { side: 'source', hash: start.source.hash },
      destination: { side: 'destination', hash: start.destination.hash },
    },
    database,
    source,
    destination,
    client: new DestinationClient(),
    outbound: createOutbound({ clock, allowLoopback: isOnThisMachine(start.bigcommerceApiUrl) }),
    lease: runLease,
    mails: mailsOf(start, { database, destination, log, runLease, clock }),
    stock: stockOf(start, { database, destination, log, runLease, recorder, clock }),
    clock,
    flushCalls,
    recorder,
    references: new ReferenceBook(database, pair, storefronts, start.source.hash),
    protection: new Protection(
      Buffer.from(start.protectionKey, 'base64'),
      Buffer.from(start.imageKey, 'base64'),
      viewTag(storefronts),
    ),
    storefronts: new Map(),
    sites: { paired: [] },
    defaults: { channelId: 1 },
    log,
    waits: { requestTimeoutMs: start.requestTimeoutMs, settleMs: start.settleMs },
    readAhead,
  }
  await share()
  for (const [hash, ms] of await usedUpMs(database, hashes)) governors.get(hash)?.holdFirstCall(ms)
  runLease.start()
  try {
    return await drive(context)
  } finally {
    await runLease.end()
    await Promise.allSettled([flushCalls(), dropShares(database, consumer)])
    await Promise.allSettled([source.close(), destination.close()])
  }
}

/** Only a run that writes touches them. What cannot be put back now is left to the hosts, which try every minute (D5). */
function mailsOf(
  { run, pair, destination: { hash: storeHash } }: StartMessage,
  {
    database,
    destination: store,
    log,
    runLease,
    clock,
  }: { database: Database; destination: StoreClient; log: EngineLog; runLease: RunLease; clock: Clock },
): Pick<MailMute, 'hold' | 'release'> {
  const idle = async () => undefined
  if (run.mode !== 'full') return { hold: idle, release: idle }
  const deps = { database, store, storeHash, clock }
  const mails = new MailMute({
    mute: () => muteMails(deps, pair, run.id, runLease.stop),
    restore: () =>
      restoreMails(deps).catch((err: unknown) =>
        log.warn(
          { err, runId: run.id },
          'mails about orders are still switched off; hosts try to switch them on again',
        ),
      ),
  })
  return run.muteMails ? mails : { hold: idle, release: () => mails.release() }
}

/** Only a run that writes takes any. What it does not come to give back, hosts do: they try every minute (D5). */
function stockOf(
  { run, pair, destination: { hash: storeHash }, settleMs }: StartMessage,
  {
    database,
    destination: store,
    log,
    runLease,
    recorder,
    clock,
  }: {
    database: Database
    destination: StoreClient
    log: EngineLog
    runLease: RunLease
    recorder: Recorder
    clock: Clock
  },
): Pick<StockHold, 'hold' | 'release'> {
  const idle = async () => undefined
  if (run.mode !== 'full') return { hold: idle, release: idle }
  const record: Recorder['record'] = (entry) => recorder.record(entry)
  const deps: StockDeps = { database, store, storeHash, record, beforeSend: () => runLease.confirm() }
  const giveBack = async () => {
    if (!(await stockWatch(database, storeHash)) || (await endIfNothingSold(deps))) return
    // The platform's lists of stock are behind for a while.
    await clock.sleep(settleMs, runLease.stop)
    await giveBackStock(deps)
  }
  return new StockHold({
    remember: () => rememberStock(deps, pair, run.id, runLease.stop),
    save: (orders) => saveSold(database, pair, storeHash, orders),
    giveBack: () =>
      giveBack().catch((err: unknown) =>
        log.warn({ err, runId: run.id }, 'stock that copied orders took is not given back yet; hosts try to'),
      ),
  })
}

async function drive(context: RunContext): Promise<ChildMessage> {
  try {
    await driveRun(context)
    return { kind: 'ended' }
  } catch (error) {
    await context.flushCalls()
    if (error instanceof LeaseLost) return { kind: 'lease-lost' }
    const failure = await failureOf(context, error)
    if (failure?.mayPass) throw failure
    if (failure) return fail(context, failure)
    if (error instanceof Stopped || context.lease.reason !== null) return stopped(context)
    throw error
  }
}

async function fail(context: RunContext, failure: RunFailure): Promise<ChildMessage> {
  await context.mails.release()
  context.log.warn({ err: failure, runId: context.run.id }, 'the run cannot go on')
  await fenced(context.database, context.run, (tx) =>
    leaveInProgress(tx, context.run, 'failed', { code: failure.code, message: failure.message }),
  )
  return { kind: 'ended' }
}

async function stopped(context: RunContext): Promise<ChildMessage> {
  const reason = context.lease.reason
  if (reason === 'pause' || reason === 'cancel') {
    await context.mails.release()
    await fenced(context.database, context.run, (tx) =>
      leaveInProgress(tx, context.run, reason === 'pause' ? 'paused' : 'cancelled'),
    )
    return { kind: 'ended' }
  }
  if (reason === 'lease-lost' || reason === null) return { kind: 'lease-lost' }
  return { kind: 'hand-over', because: reason }
}
