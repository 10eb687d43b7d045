import type { Draft, PlatformItem } from './draft.ts'

/** Members of sets that belong to other storefronts stay, whatever is written (D3). */
export function withOutside(body: PlatformItem, { outside }: Draft): PlatformItem {
  const kept = Object.entries(outside).filter(([field]) => Array.isArray(body[field]))
  return { ...body, ...Object.fromEntries(kept.map(([field, ids]) => [field, both(body[field], ids)])) }
}

function both(ours: unknown, theirs: unknown[]): unknown[] {
  return [...new Set([...(ours as unknown[]), ...theirs])]
}
