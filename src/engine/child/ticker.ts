import type { Clock } from '../../clock.ts'

/** Returns a function that runs each task whose interval has passed, one after another. */
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
