import { expect, test } from 'vitest'
import { nextTryAt } from './pauses.ts'

const since = new Date('2026-03-14T00:00:00Z')
const threeDays = 3 * 24 * 3_600
const secondsAfter = (at: Date) => (at.getTime() - since.getTime()) / 1000

/** Seconds after the event at which a message that always fails is tried. */
function triesOf(random: number): number[] {
  const seconds = [0]
  for (let now = since; ; ) {
    const next = nextTryAt({ tries: seconds.length, since, now }, threeDays, random)
    if (next === null) return seconds
    seconds.push(secondsAfter(next))
    now = next
  }
}

test('the pauses grow to twelve hours, and the last try is after three days', () => {
  expect(triesOf(0)).toEqual([
    ...[0, 5, 35, 155, 755, 2_555, 6_155, 13_355, 27_755, 56_555, 99_755, 142_955, 186_155, 229_355],
    threeDays,
  ])
})

test('messages that failed together do not come back together', () => {
  const [early, late] = [triesOf(0), triesOf(1)]
  expect(late[1]).toBeCloseTo(5.5)
  expect(late[8]).toBeGreaterThan(early[8] ?? 0)
  expect(late.at(-1)).toBe(threeDays)
})

test('a message is given up as soon as its time is over, however often it was tried', () => {
  const at = (seconds: number) => new Date(since.getTime() + seconds * 1000)
  expect(nextTryAt({ tries: 1, since, now: at(threeDays - 1) }, threeDays, 0)).toEqual(at(threeDays))
  expect(nextTryAt({ tries: 1, since, now: at(threeDays) }, threeDays, 0)).toBeNull()
})
