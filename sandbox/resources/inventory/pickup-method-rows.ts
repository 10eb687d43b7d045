import type { SandboxStore, Table } from '../../store/store.ts'

/** Ways to pick up an order at a location. */
export function pickupMethodTable(store: SandboxStore): Table {
  return store.table('pickup_methods', ['location_id'])
}
