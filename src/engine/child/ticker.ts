import type { Clock } from '../../clock.ts'

/** Calls each task when its interval is over, whenever the returned function is called; one at a time, never overlapping. */
export function every(
  clock: Clock,
  tasks: [intervalMs: number, task: () => Promise<void> | void][],
): () => Promise<void> {
  const due = tasks.map(([intervalMs, task]) => ({ intervalMs, task, atMs: clock.monotonicMs() + intervalMs }))
  return async () => {
    for (const one of due) {
      if (clock.monotonicMs() < one.atMs) continue
      one.atMs = clock.monotonicMs() + one.intervalMs
      await one.task()
    }
  }
}
