import type { Clock } from '../clock.ts'
import { stepsFor } from './all-steps.ts'
import { checkStore, ProbeRefusedError, remedyOf } from './check-store.ts'
import { type CleanedUp, cleanUp, type Unlisted } from './clean-up.ts'
import { type Plan, planOf } from './plan.ts'
import { type ProbedStore, ProbeStore } from './probe-store.ts'
import { rush } from './rush.ts'
import { type Tried, type Trying, trySteps } from './try-steps.ts'

export interface ProbeResult extends Tried {
  /** What an earlier probe had left behind. */
  before: CleanedUp
  after: CleanedUp
  /** Kinds whose lists the store refused because of its plan or the token, with the status. */
  unlisted: Unlisted
  calls: number
  interrupted: boolean
}

export interface ProbeOptions {
  store: ProbedStore
  clock: Clock
  quick: boolean
  /** Ends the steps; what was created is still removed. */
  signal: AbortSignal
  onPlan?: (plan: Plan) => void
  onProgress?: (progress: { calls: number; now: string }) => void
}

/**
 * Tries every behaviour at a throw-away store and removes everything it created.
 *
 * @throws ProbeRefusedError with the remedy, when the store is not a throw-away store or cannot be used.
 */
export async function runProbe(options: ProbeOptions): Promise<ProbeResult> {
  const { clock, signal, store: probed } = options
  const steps = stepsFor(options)
  const unlisted: Unlisted = new Map()
  let now = 'checking the store'
  let calls = 0
  const onCall = () => {
    calls += 1
    options.onProgress?.({ calls, now })
  }
  const store = openStore(probed, clock, onCall)
  const stranger = openStore({ ...probed, token: 'unknown' }, clock, onCall)
  const trying: Trying = {
    senders: {
      usual: (call) => store.answerTo(call, signal),
      unauthorised: (call) => stranger.answerTo(call, signal),
      rushed: ({ path }) => rush(probed, { clock, path, signal, onCall }),
    },
    hash: probed.hash,
    run: runMark(clock),
    signal,
    onStep: (key) => {
      now = key
    },
  }
  try {
    await checkStore(store, probed.hash, signal)
    options.onPlan?.(planOf(steps))
    now = 'removing what an earlier probe left'
    const before = await cleanUp(store, unlisted)
    const tried = await trySteps(steps, trying).catch(async (error: unknown) => {
      await cleanUp(store, unlisted)
      throw error
    })
    now = 'removing what the probe made'
    const after = await cleanUp(store, unlisted)
    return { ...tried, before, after, unlisted, calls, interrupted: signal.aborted }
  } catch (error) {
    const remedy = error instanceof ProbeRefusedError ? undefined : remedyOf(error, probed.hash)
    throw remedy === undefined ? error : new ProbeRefusedError(remedy, { cause: error })
  } finally {
    await Promise.all([store.close(), stranger.close()])
  }
}

function openStore(probed: ProbedStore, clock: Clock, onCall: () => void): ProbeStore {
  try {
    return new ProbeStore(probed, clock, onCall)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new ProbeRefusedError(`${error.message} It is the part after "store-" in the address of the control panel.`)
  }
}

/** Different for each run, because names of archived orders stay taken, and those of deleted items may for a while. */
function runMark(clock: Clock): string {
  return Math.floor(clock.now().getTime() / 1000).toString(36)
}
