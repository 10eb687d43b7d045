import { until } from '../harness/until.ts'
import type { World } from '../harness/world.ts'
import { type HeldLock, holdCheckpoint, holdCounters, holdHeartbeats, holdJob } from './held-lock.ts'
import { createdItems, handOverWaits, isInPhaseOf, openIntents, plannedPages } from './run-record.ts'
import type { Subject } from './subject.ts'

/**
 * Kills in the windows of a write's life. The engine has no hooks: a lock of the test or a slow store holds it inside a window,
 * and the database and the store confirm that it is there before the process is killed. Each function starts its run, which was
 * prepared before, and returns its id.
 */

/** Less than the request time-out of a world, and longer than a heartbeat stays fresh. */
const slowSeconds = 1.7

const writesOf = async (world: World, { write }: Subject) =>
  (await world.requests('destination', write.method)).filter(({ path }) => new RegExp(write.path).test(path))

/**
 * Waits until the call before the write has no answer yet. It has to be in the write's own phase, because counting and preflight
 * send the same call.
 */
async function untilRequested(world: World, run: string, { before: { method, path }, pass }: Subject): Promise<void> {
  const waits = async () =>
    (await world.requests('destination', method)).some(
      (call) => call.status === null && new RegExp(path).test(call.path),
    )
  await until(`the phase of ${pass} begins`, () => isInPhaseOf(world.database, run, pass), { seconds: 300 })
  await until(`${method} ${path} waits for its answer`, waits)
}

/** Waits until a fault of the destination has happened, which takes a while if every call before it is slow. */
async function untilHit(world: World, fault: number): Promise<void> {
  const happened = async () => (await world.faults('destination')).some(({ id, hits }) => id === fault && hits > 0)
  await until(`fault ${fault} happens`, happened, { seconds: 300 })
}

async function letting(lock: HeldLock, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } finally {
    await lock.release()
  }
}

export function killBeforeSending(world: World, subject: Subject): Promise<string> {
  return holdBeforeSending(world, subject, () => world.killChild())
}

/**
 * A lock stops heartbeats during the slow call before the write, which commits its intent and waits in vain for a fresh one.
 *
 * @param act meanwhile
 */
export async function holdBeforeSending(world: World, subject: Subject, act: () => Promise<void>): Promise<string> {
  await world.fault('destination', { kind: 'slow', ...subject.before, seconds: slowSeconds, times: null })
  const run = await world.migrate()
  await untilRequested(world, run, subject)
  await letting(await holdHeartbeats(world.database, run), async () => {
    await until('an intent waits', async () => (await openIntents(world.database, subject.component)) > 0)
    await act()
    const sent = await writesOf(world, subject)
    if (sent.length > 0) throw new Error(`${sent.length} writes were sent before.`)
  })
  await world.clearFaults('destination')
  return run
}

/** The store has applied the write and holds back the answer. */
export async function killBeforeTheAnswer(world: World, subject: Subject): Promise<string> {
  const run = await (subject.alsoEarlier ? runUntilHeldInPhase(world, subject) : runUntilHeld(world, subject))
  await world.killChild()
  if ((await openIntents(world.database, subject.component)) === 0)
    throw new Error('The answer had been recorded before the kill.')
  await world.release('destination')
  return run
}

async function runUntilHeld(world: World, { write }: Subject): Promise<string> {
  const held = await world.fault('destination', { kind: 'hold_after_applying', ...write })
  const run = await world.migrate()
  await untilHit(world, held)
  return run
}

/** A slow call before the write leaves time to hold none but this write. */
async function runUntilHeldInPhase(world: World, subject: Subject): Promise<string> {
  await world.fault('destination', { kind: 'slow', ...subject.before, seconds: slowSeconds, times: null })
  const run = await world.migrate()
  await untilRequested(world, run, subject)
  await untilHit(world, await world.fault('destination', { kind: 'hold_after_applying', ...subject.write }))
  return run
}

/** The answer has arrived, and its transaction waits for the counters. */
export async function killBeforeTheCommit(world: World, subject: Subject): Promise<string> {
  const slow = await world.fault('destination', { kind: 'slow', ...subject.write, seconds: slowSeconds })
  const run = await world.migrate()
  await untilHit(world, slow)
  await letting(await holdCounters(world.database, run, subject.component), async () => {
    // Every call is answered and an intent remains, so its result is not recorded.
    await until('the answer has come', async () => {
      const calls = await writesOf(world, subject)
      return calls.length > 0 && calls.every(({ status }) => status !== null)
    })
    await world.killChild()
    if ((await openIntents(world.database, subject.component)) === 0)
      throw new Error('The result was recorded before the kill.')
  })
  return run
}

/** The platform has answered with a job that is not done yet. */
export async function killDuringTheJob(world: World, subject: Subject): Promise<string> {
  const job = { method: 'GET', path: '^/v3/themes/jobs/' } as const
  const slow = await world.fault('destination', { kind: 'slow', ...job, seconds: slowSeconds, times: null })
  const run = await world.migrate()
  await untilHit(world, slow)
  const [write] = await writesOf(world, subject)
  if (!write?.status) throw new Error('The platform has not answered with a job.')
  await world.killChild()
  if ((await openIntents(world.database, subject.component)) === 0)
    throw new Error('The result was recorded before the kill.')
  await world.clearFaults('destination')
  return run
}

/**
 * Results are recorded while the planning of the next page waits for the checkpoint. The source is slower than the destination,
 * so that one page has its results before the next is read.
 */
export async function killBeforeTheCheckpoint(world: World, subject: Subject): Promise<string> {
  await world.fault('source', { kind: 'slow', method: 'GET', path: subject.before.path, seconds: 4, times: null })
  const slow = await world.fault('destination', { kind: 'slow', ...subject.write, seconds: 1.5, times: null })
  const run = await world.migrate()
  await untilHit(world, slow)
  await letting(await holdCheckpoint(world.database, run, subject.pass), async () => {
    const pages = await plannedPages(world.database, run, subject.pass)
    const before = await createdItems(world.database, run, subject.pass)
    await until('a result is recorded', async () => (await createdItems(world.database, run, subject.pass)) > before)
    await world.killChild()
    if ((await plannedPages(world.database, run, subject.pass)) !== pages)
      throw new Error('The checkpoint had moved before the kill.')
  })
  await world.clearFaults('source')
  await world.clearFaults('destination')
  return run
}

/** The host drains, and its child's hand-over waits before the new job exists. */
export async function killDuringHandOver(world: World, subject: Subject): Promise<string> {
  await world.fault('destination', { kind: 'slow', ...subject.write, seconds: 0.5, times: null })
  const run = await world.migrate()
  await until('something is written', async () => (await writesOf(world, subject)).length > 0)
  await letting(await holdJob(world.database, run), async () => {
    const ended = world.killHost('SIGTERM')
    await until('the hand-over waits', () => handOverWaits(world.database))
    await world.killHost('SIGKILL')
    await ended
  })
  await world.clearFaults('destination')
  await world.startHost()
  return run
}

/** The host has to drain, and its child is killed while it waits for its last answer. */
export async function killWhileDraining(world: World, subject: Subject): Promise<string> {
  const held = await world.fault('destination', { kind: 'hold_after_applying', ...subject.write })
  const run = await world.migrate()
  await untilHit(world, held)
  const ended = world.killHost('SIGTERM')
  await world.killChild()
  await ended
  await world.release('destination')
  await world.startHost()
  return run
}

/** An item whose answer was lost is being looked for. */
export async function killWhileSettling(world: World, subject: Subject): Promise<string> {
  const run = await killBeforeTheAnswer(world, subject)
  await world.resetRequests('destination')
  await world.fault('destination', {
    kind: 'slow',
    method: 'GET',
    path: subject.probe.path,
    seconds: slowSeconds,
    times: null,
  })
  await until('the store is asked for what was written', async () =>
    (await world.requests('destination', 'GET')).some(
      ({ path, query, status }) =>
        status === null && new RegExp(subject.probe.path).test(path) && subject.probe.query.test(query),
    ),
  )
  await world.killChild()
  if ((await openIntents(world.database, subject.component)) === 0)
    throw new Error('The unconfirmed write was settled before the kill.')
  await world.clearFaults('destination')
  return run
}
