import { expect, test } from 'vitest'
import { FakeClock } from '../../../test/harness/fake-clock.ts'
import { healingBudgetMs } from '../../model/healing.ts'
import { HealingTime, inPasses } from './budget.ts'

interface Round {
  /** How long the run had worked before it healed. */
  workedMs: number
  /** Time that earlier processes spent on the round. */
  usedMs?: number
  from?: number
  /** How long each pass takes, and how many issues it tries. */
  passMs: number
  tried?: number[]
}

/** @returns the numbers of the passes that were made */
async function passesOf({ workedMs, usedMs = 0, from = 0, passMs, tried = [5, 5, 5, 5, 5] }: Round): Promise<number[]> {
  const clock = new FakeClock()
  const made: number[] = []
  await inPasses(new HealingTime(clock, usedMs, healingBudgetMs(workedMs)), from, async (number) => {
    made.push(number)
    clock.jump(passMs)
    return tried[made.length - 1] ?? 0
  })
  return made
}

test('F4: three passes are made at most, however much is left to try and however much time', async () => {
  expect(await passesOf({ workedMs: 3_600_000, passMs: 1 })).toEqual([1, 2, 3])
})

test('F4: a pass that found nothing to try is the last', async () => {
  expect(await passesOf({ workedMs: 3_600_000, passMs: 1, tried: [5, 0] })).toEqual([1, 2])
  expect(await passesOf({ workedMs: 3_600_000, passMs: 1, tried: [0] })).toEqual([1])
})

test('F4: no pass begins once a quarter of the run is used up, and the first is always made', async () => {
  expect(await passesOf({ workedMs: 40_000, passMs: 9_999 })).toEqual([1, 2])
  expect(await passesOf({ workedMs: 40_000, passMs: 10_000 })).toEqual([1])
  expect(await passesOf({ workedMs: 0, passMs: 1 })).toEqual([1])
})

test('F4: an hour is the most, however long the run has worked', async () => {
  const week = 7 * 24 * 3_600_000
  expect(await passesOf({ workedMs: week, passMs: 3_599_999 })).toEqual([1, 2])
  expect(await passesOf({ workedMs: week, passMs: 3_600_000 })).toEqual([1])
})

test('F4: a successor goes on with the pass in progress and the time that is left', async () => {
  expect(await passesOf({ workedMs: 40_000, from: 2, passMs: 1, usedMs: 9_000 })).toEqual([2, 3])
  expect(await passesOf({ workedMs: 40_000, from: 2, passMs: 1, usedMs: 10_000 })).toEqual([])
  expect(await passesOf({ workedMs: 40_000, from: 3, passMs: 1 })).toEqual([3])
})
