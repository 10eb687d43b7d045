import type { AnsweredCall } from '../bigcommerce/answer-shape.ts'
import { type ReadyCall, ready, type Step } from './call.ts'
import { ProbeRefusedError, refusedToken } from './check-store.ts'
import { dataOf } from './probe-store.ts'
import { type Verdict, verdictOn } from './verdict.ts'

/** One behaviour as observed at the store. */
export interface Observation {
  step: Step
  answers: AnsweredCall[]
  verdict: Verdict
}

type Sender = (call: ReadyCall) => Promise<AnsweredCall | null>

export interface Trying {
  senders: Record<'usual' | NonNullable<Step['sent']>, Sender>
  hash: string
  /** Makes the names of this run different from those of any other. */
  run: string
  signal: AbortSignal
  onStep: (key: string) => void
}

export interface Tried {
  observations: Observation[]
  /** Steps that needed something the store did not let the probe create, or that got no answer. */
  notTried: string[]
}

export async function trySteps(steps: readonly Step[], trying: Trying): Promise<Tried> {
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

/** @returns null when a call cannot be made or gets no answer. */
async function answersTo(
  step: Step,
  { senders, hash, run, values, signal }: Trying & { values: Map<string, unknown> },
): Promise<AnsweredCall[] | null> {
  if ((step.needs ?? []).some((name) => !values.has(name))) return null
  const answers: AnsweredCall[] = []
  const send = senders[step.sent ?? 'usual']
  for (const call of step.calls) {
    const filled = ready(call, run, values)
    const answer = filled === null || signal.aborted ? null : await unlessAborted(send(filled), signal)
    if (answer === null) return null
    if (answer.httpStatus === 401 && step.sent !== 'unauthorised') throw new ProbeRefusedError(refusedToken(hash))
    answers.push(answer)
    if (answer.httpStatus >= 300) continue
    for (const [name, at] of Object.entries(call.finds ?? {})) {
      const found = valueAt(dataOf(answer.body), at)
      if (found !== undefined && found !== null) values.set(name, found)
    }
  }
  return answers
}

/** An interrupt ends the steps; what was already sent may still take effect, and is removed later. */
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
