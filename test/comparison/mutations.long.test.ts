import { test } from 'vitest'
import { aCopiedStore } from './planting.ts'

const timeout = 3_600_000

test('each changed field, one per row, is found exactly as expected by the comparison and by verify', {
  timeout,
}, async () => {
  const store = await aCopiedStore()
  await store.expectEachToBeFound(store.mutations.ofFields())
})
