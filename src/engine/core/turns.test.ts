import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

const directly = (wait: () => Promise<unknown>) => wait()

test('B3: work on the same key waits for its turn, other work does not', async () => {
  const turns = new Turns()
  const first = Promise.withResolvers<void>()
  const done: string[] = []
  const note = (what: string) => async () => void done.push(what)
  const all = [
    turns.take(['a', 'b'], directly, () => first.promise.then(note('first'))),
    turns.take(['b'], directly, note('second')),
    turns.take(['a', 'c'], directly, note('third')),
    turns.take(['d'], directly, note('apart')),
  ]
  await all[3]
  expect(done).toEqual(['apart'])
  first.resolve()
  await Promise.all(all)
  expect(done).toEqual(['apart', 'first', 'second', 'third'])
})

test('work that fails gives its turn away', async () => {
  const turns = new Turns()
  const failing = turns.take(['a'], directly, () => Promise.reject(new Error('refused')))
  const next = turns.take(['a'], directly, async () => 'done')
  await expect(failing).rejects.toThrow('refused')
  expect(await next).toBe('done')
})
