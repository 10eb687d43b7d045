import { test } from 'vitest'
import { aCopiedStore } from './planting.ts'

const timeout = 3_600_000

test('any changed field is the only finding when nothing else in its row was changed', {
  timeout,
}, async () => {
  const store = await aCopiedStore()
  await store.expectEachToBeFound(store.mutations.ofFields())
})
