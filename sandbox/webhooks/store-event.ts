import { createHash } from 'node:crypto'
import type { SandboxStore } from '../store/store.ts'
import { storeNumber } from '../store/store-identity.ts'

/** An event of a store, before it is delivered. */
export interface StoreEvent {
  scope: string
  data: unknown
}

/** The body to deliver. The hash is the same in every delivery of one event, and differs between events. */
export interface EventPayload {
  hash: string
  scope: string
  body: string
}

/**
 * `serial` keeps equal events within the same second apart.
 *
 * Source: the callback structure of BigCommerce "Webhook events". What goes into the hash is our choice.
 */
export function payloadOf(store: SandboxStore, { scope, data }: StoreEvent, serial: number): EventPayload {
  const event = {
    producer: `stores/${store.hash}`,
    created_at: Math.floor(Date.now() / 1000),
    store_id: String(storeNumber(store)),
    scope,
    data,
  }
  const hash = createHash('sha1')
    .update(`${JSON.stringify(event)} ${serial}`)
    .digest('hex')
  return { hash, scope, body: JSON.stringify({ hash, ...event }) }
}
