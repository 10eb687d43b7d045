import type { SandboxStore } from '../../store/store.ts'
import { insertSegment, insertShopperProfile, segmentMemberTable } from '../../tables/segment-tables.ts'
import { everyCustomer } from './wishlists.ts'

const NAMES = ['Returning buyers', 'Newcomers', 'Wholesale buyers', 'Birthday this month', 'Back after a year']

/** Adds segments, all but the last with members. Three of every five customers have a shopper profile. */
export function seedSegments(store: SandboxStore, count: number): void {
  const ids = Array.from({ length: count }, (_none, n) => {
    const name = n < NAMES.length ? String(NAMES[n]) : `Segment ${n + 1}`
    return insertSegment(store, { name, description: n % 2 === 0 ? `${name}, as counted in spring.` : '' }).id
  })
  const filled = ids.slice(0, -1)
  store.transaction(() => {
    let n = 0
    for (const { id } of everyCustomer(store)) {
      if ([1, 3, 4].includes(n % 5)) seedProfile(store, id, n, filled)
      n++
    }
  })
}

/** Some profiles are in two segments, some in none. */
function seedProfile(store: SandboxStore, customerId: number, n: number, segments: readonly number[]): void {
  const profile = insertShopperProfile(store, customerId)
  const own = segments.filter((_id, at) => at === n % (segments.length + 2) || (n % 4 === 0 && at === 1))
  for (const segment_id of own) segmentMemberTable(store).insert({ segment_id, shopper_profile_id: profile.id })
}
