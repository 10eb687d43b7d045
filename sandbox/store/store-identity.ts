import { createHash } from 'node:crypto'
import { seedOf } from './random.ts'
import type { SandboxStore } from './store.ts'

/** The number that the platform has for a store: `store_id` in its information, `resource_id` in its metafields. */
export function storeNumber({ hash }: SandboxStore): number {
  return 1_000_000_000 + (seedOf(hash) % 1_000_000_000)
}

/** A UUID that is always the same for the same text. */
export function stableUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}
