import type { Clock } from '../../clock.ts'
import { mostPasses } from '../../model/healing.ts'

/** How long a round of healing has taken, over all processes that worked on it. */
export class HealingTime {
  private readonly clock: Pick<Clock, 'monotonicMs'>
  private readonly usedMs: number
  private readonly budgetMs: number
  private readonly startedMs: number

  constructor(clock: Pick<Clock, 'monotonicMs'>, usedMs: number, budgetMs: number) {
    this.clock = clock
    this.usedMs = usedMs
    this.budgetMs = budgetMs
    this.startedMs = clock.monotonicMs()
  }

  ms(): number {
    return this.usedMs + this.clock.monotonicMs() - this.startedMs
  }

  isUp(): boolean {
    return this.ms() >= this.budgetMs
  }
}

/**
 * Three passes at most, from the one a process before was in, and none after a pass that found nothing to try. The first is
 * always made: a short run has no quarter to speak of (F4).
 *
 * @param tryPass makes a pass and says how much it tried.
 * @param last the pass to end with.
 */
export async function inPasses(
  time: HealingTime,
  from: number,
  tryPass: (number: number) => Promise<number>,
  last = mostPasses,
): Promise<void> {
  for (let number = Math.max(1, from); number <= last; number++) {
    if (number > 1 && time.isUp()) return
    if ((await tryPass(number)) === 0) return
  }
}
