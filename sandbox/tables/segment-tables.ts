import { createHash } from 'node:crypto'
import type { Row, SandboxStore, Table } from '../store/store.ts'
import { priceTime } from './price-tables.ts'
import { deleteRows } from './rows.ts'

export const segmentTable = (store: SandboxStore): Table => store.table('segments', ['uuid', 'name_key'])
/** Customers as segments know them. */
export const shopperProfileTable = (store: SandboxStore): Table =>
  store.table('shopper_profiles', ['uuid', 'customer_id'])
export const segmentMemberTable = (store: SandboxStore): Table =>
  store.table('segment_members', ['segment_id', 'shopper_profile_id'])

/** Ids of segments and profiles are UUIDs, different in each store. */
function withUuid(store: SandboxStore, table: Table, fields: Record<string, unknown>): Row {
  const moment = priceTime()
  const { id } = table.insert({ uuid: '', created_at: moment, updated_at: moment, ...fields })
  const hex = createHash('sha256')
    .update(`${store.hash}/${Object.keys(fields).join()}/${id}`)
    .digest('hex')
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  return table.update(id, { uuid })
}

export interface SegmentFields {
  name: string
  description?: string
}

export function insertSegment(store: SandboxStore, { name, description = '' }: SegmentFields): Row {
  return withUuid(store, segmentTable(store), { name, description })
}

export function insertShopperProfile(store: SandboxStore, customer_id: number): Row {
  return withUuid(store, shopperProfileTable(store), { customer_id })
}

export function deleteSegment(store: SandboxStore, id: number): void {
  deleteRows(segmentMemberTable(store), { segment_id: id })
  segmentTable(store).delete(id)
}

export function deleteShopperProfile(store: SandboxStore, id: number): void {
  deleteRows(segmentMemberTable(store), { shopper_profile_id: id })
  shopperProfileTable(store).delete(id)
}

/** Fields that lists of customers include on request. */
export function segmentsOf(store: SandboxStore, customerId: number): Record<string, unknown> {
  const [profile] =
    store.switches.segments === false ? [] : shopperProfileTable(store).find({ customer_id: customerId })
  if (!profile) return { shopper_profile_id: null, segment_ids: [] }
  const members = segmentMemberTable(store).find({ shopper_profile_id: profile.id })
  const segments = members.map(({ segment_id }) => segmentTable(store).get(Number(segment_id))?.uuid)
  return { shopper_profile_id: profile.uuid, segment_ids: segments }
}
