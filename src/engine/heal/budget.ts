import type { Clock } from '../../clock.ts'
import { mostPasses } from '../../model/healing.ts'

/** The time that a round of healing has taken, over all attempts. */
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
 * Makes at most three passes, continues with the one that an earlier attempt had reached, and stops after a pass that
 * tried nothing. The first pass is always made: a quarter of a short run is next to nothing (F4).
 *
 * @param tryPass makes a pass and returns how many issues it tried
 * @param last the last pass to make
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
