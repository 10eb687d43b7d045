import { refuse } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { SandboxStore } from '../../store/store.ts'
import { orderSettingTable, ORDER_SCOPE as SCOPE } from '../../tables/order-tables.ts'
import { objectBody } from '../../validation/body-checks.ts'
import { channelOfPath } from './settings.ts'
import { GLOBAL } from './stored-settings.ts'

type Addresses = string[] | null
type Notifications = Record<'order_placed' | 'forward_invoice', { email_addresses: Addresses }>

const PATH = '/v3/orders/settings'
const OF_CHANNEL = `${PATH}/channels/:channelId`
const KINDS = ['order_placed', 'forward_invoice'] as const

/** A channel inherits the settings of the store. */
function current(store: SandboxStore, channel_id: number): { notifications: Notifications } {
  const [row] = orderSettingTable(store).find({ channel_id })
  const none = { email_addresses: channel_id === GLOBAL ? [] : null }
  const own = (row?.notifications ?? {}) as Partial<Notifications>
  return { notifications: { order_placed: own.order_placed ?? none, forward_invoice: own.forward_invoice ?? none } }
}

/**
 * Answers without `data`, as the published specification says, although the rest of v3 has it. There is a switch,
 * because this was not tried on a real store.
 */
function shown(store: SandboxStore, channel_id: number): SandboxAnswer {
  const settings = current(store, channel_id)
  if (store.switches.order_settings_in_data === true) return { status: 200, body: { data: settings, meta: {} } }
  return { status: 200, body: { ...settings, meta: {} } }
}

function write({ store, body }: SandboxRequest, channel_id: number): SandboxAnswer {
  const given = objectBody(objectBody(body).notifications)
  const { notifications } = current(store, channel_id)
  for (const kind of KINDS) {
    if (given[kind] === undefined) continue
    const { email_addresses } = objectBody(given[kind])
    notifications[kind] = { email_addresses: addressesIn(kind, email_addresses, channel_id !== GLOBAL) }
  }
  const [placed, forwarded] = KINDS.map((kind) => notifications[kind].email_addresses)
  if ((placed === null) !== (forwarded === null))
    refuse(422, 'Both notifications must be overridden, or neither', { notifications: 'both or neither' })
  const [own] = orderSettingTable(store).find({ channel_id })
  if (own) orderSettingTable(store).update(own.id, { notifications })
  else orderSettingTable(store).insert({ channel_id, notifications })
  return shown(store, channel_id)
}

function addressesIn(kind: string, given: unknown, nullable: boolean): Addresses {
  if (given === null && nullable) return null
  if (!Array.isArray(given) || given.some((one) => typeof one !== 'string' || !one.includes('@')))
    refuse(422, `${kind}.email_addresses must be a list of email addresses`, { [kind]: 'no list of addresses' })
  return given as string[]
}

const read = { method: 'GET', scope: SCOPE, latency: 'read' } as const
const put = { method: 'PUT', scope: SCOPE, latency: 'write' } as const

export const orderSettings: SandboxResource = {
  key: 'order-settings',
  routes: [
    { ...read, path: PATH, handle: ({ store }) => shown(store, GLOBAL) },
    { ...put, path: PATH, handle: (request) => write(request, GLOBAL) },
    { ...read, path: OF_CHANNEL, handle: (request) => shown(request.store, channelOfPath(request)) },
    { ...put, path: OF_CHANNEL, handle: (request) => write(request, channelOfPath(request)) },
  ],
}
