import type { AnsweredCall } from '../bigcommerce/answer-shape.ts'
import type { Clock } from '../clock.ts'
import { stepsFor } from './all-steps.ts'
import { ready, type Step } from './call.ts'
import { checkStore, ProbeRefusedError, refusedToken, remedyOf } from './check-store.ts'
import { type CleanedUp, cleanUp, type Unlisted } from './clean-up.ts'
import { type Plan, planOf } from './plan.ts'
import { dataOf, type ProbedStore, ProbeStore } from './probe-store.ts'
import { type Verdict, verdictOn } from './verdict.ts'

/** A behaviour as the store showed it. */
export interface Observation {
  step: Step
  answers: AnsweredCall[]
  verdict: Verdict
}

export interface ProbeResult {
  observations: Observation[]
  /** Steps that refer to something that the store did not let the probe make, or that ended without an answer. */
  notTried: string[]
  /** What an earlier probe had left behind. */
  before: CleanedUp
  after: CleanedUp
  /** Kinds whose lists the token or the plan of the store did not show, with the status. */
  unlisted: Unlisted
  calls: number
  interrupted: boolean
}

export interface ProbeOptions {
  store: ProbedStore
  clock: Clock
  quick: boolean
  /** Ends the steps; what was made is still removed. */
  signal: AbortSignal
  onPlan?: (plan: Plan) => void
  onProgress?: (progress: { calls: number; now: string }) => void
}

/**
 * Tries every behaviour at a throw-away store and removes all that it made.
 *
 * @throws ProbeRefusedError when the store is none, or cannot be used, with the remedy.
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
  try {
    await checkStore(store, probed.hash, signal)
    options.onPlan?.(planOf(steps))
    now = 'removing what an earlier probe left'
    const before = await cleanUp(store, unlisted)
    const trying = {
      store,
      stranger,
      hash: probed.hash,
      run: runMark(clock),
      signal,
      onStep: (key: string) => (now = key),
    }
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

/** Names of archived orders stay taken, and those of deleted items may for a while. */
function runMark(clock: Clock): string {
  return Math.floor(clock.now().getTime() / 1000).toString(36)
}

interface Trying {
  store: ProbeStore
  /** The same store with a token that it does not know. */
  stranger: ProbeStore
  hash: string
  run: string
  signal: AbortSignal
  onStep: (key: string) => void
}

async function trySteps(
  steps: readonly Step[],
  trying: Trying,
): Promise<Pick<ProbeResult, 'observations' | 'notTried'>> {
  const values = new Map<string, unknown>()
  const observations: Observation[] = []
  const notTried: string[] = []
  for (const step of steps) {
    if (trying.signal.aborted) break
    trying.onStep(step.key)
    const answers = await answersTo(step, { ...trying, values })
    if (answers === null) notTried.push(step.key)
    else observations.push({ step, answers, verdict: verdictOn(step, answers) })
  }
  return { observations, notTried }
}

/** @returns null when one of the calls cannot be made, or has no answer. */
async function answersTo(
  step: Step,
  { store, stranger, hash, run, values, signal }: Trying & { values: Map<string, unknown> },
): Promise<AnsweredCall[] | null> {
  if ((step.needs ?? []).some((name) => !values.has(name))) return null
  const answers: AnsweredCall[] = []
  const sender = step.unauthorised ? stranger : store
  for (const call of step.calls) {
    const sent = ready(call, run, values)
    const answer = sent === null || signal.aborted ? null : await unlessAborted(sender.answerTo(sent, signal), signal)
    if (answer === null) return null
    if (answer.httpStatus === 401 && !step.unauthorised) throw new ProbeRefusedError(refusedToken(hash))
    answers.push(answer)
    if (answer.httpStatus >= 300) continue
    for (const [name, at] of Object.entries(call.finds ?? {})) {
      const found = valueAt(dataOf(answer.body), at)
      if (found !== undefined && found !== null) values.set(name, found)
    }
  }
  return answers
}

/** An interrupt ends the steps; what was sent has its place in the store and is removed. */
async function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}

function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .filter(Boolean)
    .reduce((one, key) => (one as Record<string, unknown> | undefined | null)?.[key], value)
}
