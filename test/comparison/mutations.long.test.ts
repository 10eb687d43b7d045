import { test } from 'vitest'
import { aCopiedStore } from './planting.ts'

const timeout = 3_600_000

test('a changed field, whichever it is, is all that is found when no other of its row was changed', {
  timeout,
}, async () => {
  const store = await aCopiedStore()
  await store.expectEachToBeFound(store.mutations.ofFields())
})
