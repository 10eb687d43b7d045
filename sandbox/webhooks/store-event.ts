import { createHash } from 'node:crypto'
import type { SandboxStore } from '../store/store.ts'
import { storeNumber } from '../store/store-identity.ts'

/** Something that happened in a store, as a hook hears of it. */
export interface StoreEvent {
  scope: string
  data: unknown
}

/** What is delivered. The hash is the same for every copy of one event and another for every other event. */
export interface EventLetter {
  hash: string
  scope: string
  body: string
}

/**
 * `serial` keeps two equal events of one second apart.
 *
 * Source: the callback structure of BigCommerce "Webhook events". What goes into the hash is our choice.
 */
export function letterOf(store: SandboxStore, { scope, data }: StoreEvent, serial: number): EventLetter {
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
