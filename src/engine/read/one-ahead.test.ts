import { expect, test } from 'vitest'
import { oneAhead } from './one-ahead.ts'

async function* counted(read: number[], failsAt = Number.POSITIVE_INFINITY) {
  try {
    for (let at = 1; at <= 4; at++) {
      if (at === failsAt) throw new Error(`cannot read ${at}`)
      read.push(at)
      yield at
    }
  } finally {
    read.push(0)
  }
}

test('the next value is read while the caller works with the one before, and no further one', async () => {
  const read: number[] = []
  const seen: number[][] = []
  for await (const value of oneAhead(counted(read))) {
    await new Promise(setImmediate)
    seen.push([value, ...read])
  }
  expect(seen).toEqual([
    [1, 1, 2],
    [2, 1, 2, 3],
    [3, 1, 2, 3, 4],
    [4, 1, 2, 3, 4, 0],
  ])
})

test('an error of the reader is thrown after what was read before it', async () => {
  const given: number[] = []
  const all = async () => {
    for await (const value of oneAhead(counted([], 3))) given.push(value)
  }
  await expect(all()).rejects.toThrow('cannot read 3')
  expect(given).toEqual([1, 2])
})

test('a caller that ends early ends the reader, and its later error is no unhandled one', async () => {
  const read: number[] = []
  for await (const value of oneAhead(counted(read, 2))) {
    expect(value).toBe(1)
    break
  }
  expect(read).toEqual([1, 0])
})
