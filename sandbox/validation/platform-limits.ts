import { refuse } from '../http/answers.ts'
import type { SandboxStore } from '../store/store.ts'

/**
 * How many of something a store may have. The switch with the same name sets another limit. Source: Help Center,
 * platform limits.
 */
const LIMITS = {
  category_limit: 16_000,
  brand_limit: 30_000,
  page_limit: 4_000,
  // These depend on the plan; the values are those of the published example.
  storefront_limit: 4,
  active_storefront_limit: 3,
}

export function limitOf(store: SandboxStore, limit: keyof typeof LIMITS): number {
  return Number(store.switches[limit] ?? LIMITS[limit])
}

/**
 * @param total the number after the request
 * @throws 403, the answer to a POST beyond a limit. Source: public reports; the specifications only name the limits.
 */
export function refuseBeyondLimit(store: SandboxStore, limit: keyof typeof LIMITS, total: number): void {
  const most = limitOf(store, limit)
  if (total > most) refuse(403, `The store has reached its limit of ${most}`, { [limit]: `at most ${most}` })
}
