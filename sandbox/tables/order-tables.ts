import type { SandboxStore, Table } from '../store/store.ts'
import { deleteRows } from './rows.ts'

export const ORDER_SCOPE = 'store_v2_orders'

const ORDER_INDEXES = [
  ...['external_order_id', 'status_id', 'customer_id', 'channel_id', 'is_deleted'],
  ...['date_created_ms', 'date_modified_ms'],
]

export const orderTable = (store: SandboxStore): Table => store.table('orders', ORDER_INDEXES)
export const orderProductTable = (store: SandboxStore): Table => store.table('order_products', ['order_id'])
export const orderAddressTable = (store: SandboxStore): Table => store.table('order_addresses', ['order_id'])
export const orderFeeTable = (store: SandboxStore): Table => store.table('order_fees', ['order_id'])
export const orderCouponTable = (store: SandboxStore): Table => store.table('order_coupons', ['order_id'])
export const orderTaxTable = (store: SandboxStore): Table => store.table('order_taxes', ['order_id'])
export const orderMessageTable = (store: SandboxStore): Table => store.table('order_messages', ['order_id'])
export const shipmentTable = (store: SandboxStore): Table => store.table('order_shipments', ['order_id'])
export const orderMetafieldTable = (store: SandboxStore): Table =>
  store.table('order_metafields', ['resource_id', 'namespace', 'key'])
/** One row for the store, with channel 0, and one for each channel with its own settings. */
export const orderSettingTable = (store: SandboxStore): Table => store.table('order_settings', ['channel_id'])
/** The mails that the store has sent. */
export const outboxTable = (store: SandboxStore): Table => store.table('outbox', ['order_id'])

export function deleteShipmentsOf(store: SandboxStore, orderId: number): void {
  deleteRows(shipmentTable(store), { order_id: orderId })
}

const STATUSES = [
  ...['Incomplete', 'Pending', 'Shipped', 'Partially Shipped', 'Refunded', 'Cancelled', 'Declined'],
  ...['Awaiting Payment', 'Awaiting Pickup', 'Awaiting Shipment', 'Completed', 'Awaiting Fulfillment'],
  ...['Manual Verification Required', 'Disputed', 'Partially Refunded'],
]

/** The fifteen order statuses that every store has. Source: the published orders specification. */
export const ORDER_STATUSES = STATUSES.map((name, id) => ({
  id,
  name,
  system_label: name,
  custom_label: name,
  system_description: '',
}))

export function statusName(id: unknown): string {
  return STATUSES[Number(id)] ?? ''
}
