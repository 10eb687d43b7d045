import { expect, onTestFinished } from 'vitest'
import { judge } from './judge.ts'
import { aChurn, type ChurnOptions, type Ended } from './story.ts'

/** Tells one story; a failure says what was done in it. */
export async function expectChurnToDoNoHarm(options: ChurnOptions): Promise<void> {
  const churn = await aChurn(options)
  onTestFinished(() => churn.stop())
  for (const strategy of options.strategies) {
    const ended = await churn.copy(strategy).catch((cause: unknown): Ended => {
      throw new Error(churn.describe(), { cause })
    })
    expect(['completed', 'partial_completed'], churn.describe()).toContain(ended.detail.status)
    expect(await judge(churn, ended), churn.describe()).toEqual([])
  }
  expect(churn.done.some(({ during }) => during)).toBe(true)
}
