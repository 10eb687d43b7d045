import type { Row, SandboxStore } from '../../store/store.ts'
import { orderSettingTable, outboxTable } from '../../tables/order-tables.ts'
import { GLOBAL, storedSettings } from '../settings/stored-settings.ts'

type Body = Record<string, unknown>

/**
 * A mail about an order is sent if at least one of these settings is on. Both are on by default. Our choice: no source
 * says which one decides.
 */
const ABOUT_ORDERS: Record<string, boolean> = { combined_order_status_email: false, invoice_email: true }

/** Notifies the shopper of a shipment or a status change, unless the email settings of the channel say no. */
export function mailShopper(store: SandboxStore, order: Row, about: 'shipment' | 'status'): void {
  if (!Object.keys(ABOUT_ORDERS).some((name) => isOn(store, name, Number(order.channel_id)))) return
  const to = (order.billing_address as Body | undefined)?.email
  outboxTable(store).insert({ order_id: order.id, to, about, for: 'shopper' })
}

/** Notifies the staff of a new order, at the addresses of its channel, or else of the store. */
export function mailStaff(store: SandboxStore, order: Row): void {
  const own = addressesOf(store, Number(order.channel_id)) ?? addressesOf(store, GLOBAL) ?? []
  for (const to of own) outboxTable(store).insert({ order_id: order.id, to, about: 'order_placed', for: 'staff' })
}

function isOn(store: SandboxStore, name: string, channelId: number): boolean {
  const said = [channelId, GLOBAL].map(
    (id) => (storedSettings(store, 'email-statuses', id)?.values as Body | undefined)?.[name],
  )
  return Boolean(said.find((value) => value !== null && value !== undefined) ?? ABOUT_ORDERS[name])
}

function addressesOf(store: SandboxStore, channelId: number): string[] | undefined {
  const [row] = orderSettingTable(store).find({ channel_id: channelId })
  const { order_placed } = (row?.notifications ?? {}) as { order_placed?: { email_addresses: string[] | null } }
  return order_placed?.email_addresses ?? undefined
}
