import type { SandboxStore, Table } from '../../store/store.ts'

/** Ways to fetch an order from a location. */
export function pickupMethodTable(store: SandboxStore): Table {
  return store.table('pickup_methods', ['location_id'])
}
