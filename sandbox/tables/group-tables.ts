import type { Row, SandboxStore, Table } from '../store/store.ts'
import { customerTable } from './customer-tables.ts'
import { priceAssignmentTable } from './price-tables.ts'
import { deleteRows } from './rows.ts'

export function customerGroupTable(store: SandboxStore): Table {
  return store.table('customer_groups', ['name_key', 'is_default', 'is_group_for_guests'])
}

/** The current time as in the published examples of groups: `2023-07-17 06:30:41`. */
export function groupTime(): string {
  return new Date().toISOString().slice(0, 19).replace('T', ' ')
}

/** Defaults of a new group. */
const FRESH = {
  is_default: false,
  is_group_for_guests: false,
  category_access: { type: 'all' },
  discount_rules: [],
}

export function insertGroup(store: SandboxStore, fields: Record<string, unknown>): Row {
  const moment = groupTime()
  return customerGroupTable(store).insert({ ...FRESH, date_created: moment, date_modified: moment, ...fields })
}

/** Takes the flag from the group that had it: only one group is for new customers, and one for guests. */
export function keepOneOfEach(store: SandboxStore, row: Row): Row {
  for (const flag of ['is_default', 'is_group_for_guests']) {
    if (row[flag] !== true) continue
    for (const other of customerGroupTable(store).find({ [flag]: true }))
      if (other.id !== row.id) customerGroupTable(store).update(other.id, { [flag]: false })
  }
  return row
}

/** Deletes a group: its members leave it, and its price lists are no longer assigned. */
export function deleteGroup(store: SandboxStore, id: number): void {
  deleteRows(priceAssignmentTable(store), { customer_group_id: id })
  for (const customer of customerTable(store).find({ customer_group_id: id }))
    customerTable(store).update(customer.id, { customer_group_id: 0 })
  customerGroupTable(store).delete(id)
}
