import { insertSegment, insertShopperProfile, segmentMemberTable } from '../../tables/segment-tables.ts'
import { type AwkwardShop, filled, goneId } from './awkward-shop.ts'
import { plantWisher } from './wishlists.ts'

/**
 * Adds segments without members, with members of all kinds, and with names that differ only by case. A profile without
 * a customer comes from a time when deleting a customer kept the profile.
 */
export function plantAwkwardSegments({ store }: AwkwardShop): void {
  const segment = (name: string, description = '') => insertSegment(store, { name, description }).id
  const add = (segment_id: number, profileId: number) =>
    segmentMemberTable(store).insert({ segment_id, shopper_profile_id: profileId })
  const many = segment('Stammkunden 💚 & Söhne', filled('Sie kommen wieder. ', 1000))
  segment('VIP')
  segment('vip', 'Another one to some, the same to others.')
  segment('Empty segment')
  const long = segment(filled('A segment with a name of two hundred characters. ', 200))
  const profiles = [3, 4, 5].map((n) => insertShopperProfile(store, plantWisher(store, n)).id)
  for (const profile of profiles) add(many, profile)
  add(long, Number(profiles[0]))
  insertShopperProfile(store, goneId(store, 'customers'))
}
