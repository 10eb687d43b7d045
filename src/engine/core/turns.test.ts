import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

const directly = (wait: () => Promise<unknown>) => wait()

test('B3: work on the same key waits for its turn, other work does not', async () => {
  const turns = new Turns()
  const first = Promise.withResolvers<void>()
  const told: string[] = []
  const tell = (what: string) => async () => void told.push(what)
  const all = [
    turns.take(['a', 'b'], directly, () => first.promise.then(tell('first'))),
    turns.take(['b'], directly, tell('second')),
    turns.take(['a', 'c'], directly, tell('third')),
    turns.take(['d'], directly, tell('apart')),
  ]
  await all[3]
  expect(told).toEqual(['apart'])
  first.resolve()
  await Promise.all(all)
  expect(told).toEqual(['apart', 'first', 'second', 'third'])
})

test('work that fails gives its turn away', async () => {
  const turns = new Turns()
  const failing = turns.take(['a'], directly, () => Promise.reject(new Error('refused')))
  const next = turns.take(['a'], directly, async () => 'done')
  await expect(failing).rejects.toThrow('refused')
  expect(await next).toBe('done')
})
