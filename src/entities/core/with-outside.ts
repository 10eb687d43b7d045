import type { Draft, PlatformItem } from './draft.ts'

/** Keeps the members of sets that belong to other storefronts in every write (D3). */
export function withOutside(body: PlatformItem, { outside }: Draft): PlatformItem {
  const kept = Object.entries(outside).filter(([field]) => Array.isArray(body[field]))
  return { ...body, ...Object.fromEntries(kept.map(([field, ids]) => [field, both(body[field], ids)])) }
}

function both(ours: unknown, theirs: unknown[]): unknown[] {
  return [...new Set([...(ours as unknown[]), ...theirs])]
}
