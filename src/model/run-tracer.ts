import type { AttemptEnd, TracedWork } from './work-done.ts'

export interface TracedAttempt {
  runId: string
  mode: string
  tier: string
  epoch: number
  takenOver: boolean
}

/** Hears of the attempts of a worker host. */
export interface RunTracer {
  attemptBegan(attempt: TracedAttempt): AttemptTracer
}

export interface AttemptTracer {
  did(work: TracedWork): void
  ended(end: AttemptEnd): void
}
