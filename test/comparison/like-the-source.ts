import { callStore } from '../engine/call-store.ts'
import type { World } from '../harness/world.ts'

/**
 * Gives the destination what every store has of its own and a run leaves alone by default: its address, its first location.
 * Otherwise verify would always report them.
 */
export async function makeLikeTheSource(world: World): Promise<void> {
  const [own] = (await world.state('source')).locations ?? []
  await world.change('destination', { op: 'set', table: 'locations', id: 1, fields: { address: own?.address } })
  for (const group of ['store/profile', 'catalog', 'storefront/seo', 'inventory/notifications']) {
    const path = `/v3/settings/${group}`
    await callStore(world, 'destination', 'PUT', path, await callStore(world, 'source', 'GET', path))
  }
}
