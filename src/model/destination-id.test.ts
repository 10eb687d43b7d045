import { expect, test } from 'vitest'
import { destinationId, numberOf, readDestinationId } from './destination-id.ts'

test.each([undefined, null, Number.NaN, '', ':62554'])('G6: %s is no id of the destination', (shown) => {
  expect(readDestinationId(shown)).toBeNull()
  expect(() => destinationId(shown)).toThrow(RangeError)
})

test('G6: a reference is the number of an id, and an id that is no number is a fault', () => {
  expect(numberOf(destinationId(62554))).toBe(62554)
  expect(numberOf('planned:brands:7')).toBeLessThan(0)
  for (const id of ['', ' ', 'abc', '7/8']) expect(() => numberOf(id)).toThrow(RangeError)
})
