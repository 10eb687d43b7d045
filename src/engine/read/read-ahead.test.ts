import { expect, test } from 'vitest'
import { readAhead } from './read-ahead.ts'

const numbers = { most: 3, sizeOf: (some: number[]) => some.length, join: () => null }
const joining = {
  ...numbers,
  join: (one: number[], next: number[]) => (one.length + next.length <= 3 ? [...one, ...next] : null),
}
const aMoment = () => new Promise(setImmediate)

async function* counted(read: number[], { until = 9, failsAt = 0 } = {}) {
  try {
    for (let at = 1; at <= until; at++) {
      if (at === failsAt) throw new Error(`cannot read ${at}`)
      read.push(at)
      yield [at]
    }
  } finally {
    read.push(0)
  }
}

test('while the caller works, so much is read and no more', async () => {
  const read: number[] = []
  for await (const [value] of readAhead(counted(read), numbers)) {
    await aMoment()
    expect(read.filter((at) => at > 0).length).toBe(Math.min(9, Number(value) + 3))
  }
  expect(read).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 0])
})

test('what was read while the caller worked is given as one, up to the limit', async () => {
  const given: number[][] = []
  for await (const some of readAhead(counted([], { until: 8 }), joining)) {
    given.push(some)
    await aMoment()
  }
  expect(given).toEqual([[1], [2, 3, 4], [5, 6, 7], [8]])
})

test('the first value is given while the next is still being read', async () => {
  const next = Promise.withResolvers<void>()
  async function* slow() {
    yield [1]
    await next.promise
    yield [2]
  }
  const given: number[][] = []
  for await (const some of readAhead(slow(), joining)) {
    given.push(some)
    next.resolve()
  }
  expect(given).toEqual([[1], [2]])
})

test('an error of the reader is thrown after what was read before it', async () => {
  const given: number[][] = []
  const all = async () => {
    for await (const some of readAhead(counted([], { failsAt: 3 }), numbers)) given.push(some)
  }
  await expect(all()).rejects.toThrow('cannot read 3')
  expect(given).toEqual([[1], [2]])
})

test('a caller that ends early ends the reader, and its later error is no unhandled one', async () => {
  const read: number[] = []
  for await (const some of readAhead(counted(read, { failsAt: 3 }), numbers)) {
    expect(some).toEqual([1])
    break
  }
  expect(read.at(-1)).toBe(0)
})
