import { expect, onTestFinished, test } from 'vitest'
import { judge } from './judge.ts'
import { aChurn, type Ended } from './story.ts'

test.each([
  { seed: 1, strategies: ['skip'] },
  { seed: 6, strategies: ['skip', 'update'] },
  { seed: 8, strategies: ['skip', 'replace'] },
] as const)('G1, G2: while items of both stores are added, deleted, renamed and edited, each that the source has throughout is copied once (seed $seed: $strategies)', async (options) => {
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
})
