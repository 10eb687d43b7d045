import type { RunStep } from './run-steps.ts'

/** What the process of a run has done since its last message, in numbers and steps that name no store and no item. */
export interface WorkDone {
  calls: { side: 'source' | 'destination'; cls: 'read' | 'write' | 'heavy'; calls: number; refused: number }[]
  items: Partial<Record<WrittenOutcome, number>>
  /** Absent without traces. */
  traced?: TracedWork
}

export interface TracedWork {
  steps: RunStep[]
  /** Calls that are not among the steps. */
  omittedCalls: number
}

/** Outcomes of items that a run writes. */
export const writtenOutcomes = ['created', 'updated', 'failed', 'pruned'] as const
export type WrittenOutcome = (typeof writtenOutcomes)[number]

/** How an attempt at a run can end. */
export const attemptEnds = ['ended', 'hand-over', 'waiting', 'lease-lost', 'faulted', 'died'] as const
export type AttemptEnd = (typeof attemptEnds)[number]

/** Hears of the runs of a worker host. */
export interface RunObserver {
  /** `takenOver`: the process before died, failed or froze. */
  attemptBegan(attempt: { takenOver: boolean }): void
  attemptEnded(end: AttemptEnd): void
  /** The run needs no process any more, or none until a member resumes it. */
  runEnded(status: string): void
  worked(work: WorkDone): void
}
