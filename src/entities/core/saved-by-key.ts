import type { WriteResult } from './calls.ts'
import type { Draft, PlatformItem } from './draft.ts'

/**
 * Reads the answer to a batch that was accepted. What it does not show exists anyway: of an address that a customer has
 * already the platform says nothing.
 */
export function savedByKey(body: unknown, desired: Draft[], read: (item: PlatformItem) => Draft): WriteResult[] {
  const { data } = (body ?? {}) as { data?: PlatformItem[] }
  if (!Array.isArray(data)) return desired.map(() => ({ refused: { title: 'The batch was not saved', errors: {} } }))
  const saved = Map.groupBy(data, (item) => markOf(read(item)))
  return desired.map((one) => ({ saved: saved.get(markOf(one))?.shift() ?? null }))
}

function markOf({ keys, parentId }: Draft): string {
  return `${parentId ?? ''} ${keys[0]}`
}
