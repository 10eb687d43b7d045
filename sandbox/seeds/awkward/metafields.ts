import type { SandboxStore, Table } from '../../store/store.ts'
import { insertMetafield, type NewMetafield, type Owner } from '../shop/metafield-row.ts'
import { filled } from './awkward-shop.ts'

const PERMISSION_SETS = ['app_only', 'read', 'write', 'read_and_sf_access', 'write_and_sf_access'] as const
const MOST_PER_OWNER = 250

/**
 * Adds one of each permission set, ours and another app's with the same name, and values of the longest and shortest
 * lengths.
 */
export function seedMetafieldsOfEveryKind(store: SandboxStore, type: Owner, table: Table, ownerId: number): void {
  const add = (given: NewMetafield) => insertMetafield(store, type, table, ownerId, given)
  for (const permission_set of PERMISSION_SETS) {
    add({ key: permission_set, value: 'ours', permission_set })
    add({ key: permission_set, value: 'theirs', permission_set, owner_client_id: 'another-app' })
  }
  add({ key: filled('key_', 64), namespace: filled('namespace_', 64), value: filled('value ', 65_535) })
  add({
    key: 'json',
    value: '{"a":[1,2,{"b":null}],"text":"\\u00e9 \\"quoted\\""}',
    description: filled('words ', 255),
  })
  add({ key: 'Case', value: 'upper' })
  add({ key: 'case', value: 'lower' })
  add({ key: 'number', value: '0' })
  add({ key: 'space', value: ' ' })
  add({ key: 'emoji 🎈', value: '👩‍👩‍👧‍👦 שלום \r\n\ttab' })
}

export function seedAsManyMetafieldsAsAllowed(store: SandboxStore, table: Table, ownerId: number): void {
  for (let at = 0; at < MOST_PER_OWNER; at++)
    insertMetafield(store, 'product', table, ownerId, { key: `field_${at}`, value: `${at}`, namespace: `n${at % 7}` })
}
