import { expect, test } from 'vitest'
import { FakeClock } from '../../../../test/harness/fake-clock.ts'
import type { Deps } from '../operation.ts'
import { readScope } from './read-scope.ts'

/** Picks that many products of a store that takes so long for each call. @returns the number of items in scope */
async function pick(count: number, msPerCall: number): Promise<number> {
  const clock = new FakeClock()
  const get = async (_path: string, _query: object, { signal }: { signal: AbortSignal }) => {
    await clock.advance(msPerCall)
    signal.throwIfAborted()
    return { body: { data: [] } }
  }
  // Nothing else is used.
  const deps = { clock, openStore: () => ({ get }) } as unknown as Deps
  const stores = { source: {}, destination: {} } as unknown as Parameters<typeof readScope>[1]
  const ids = Array.from({ length: count }, (_, at) => String(at + 1))
  const scope = { selection: { products: { ids } }, sourceStorefront: null, destStorefront: null }
  return (await readScope(deps, stores, scope)).length
}

test('a large selection is waited for as long as a store with the smallest quota needs', async () => {
  expect(await pick(40_000, 200)).toBe(40_000)
})

test.each([
  [40_000, 300],
  [250, 11_000],
])('the selection of %i items of a store that takes %i ms for a call is given up', async (count, msPerCall) => {
  await expect(pick(count, msPerCall)).rejects.toMatchObject({ code: 'unavailable' })
})
