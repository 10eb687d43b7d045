import type { Keyring } from '../../accounts/encryption.ts'
import { type ObservedCall, StoreClient } from '../../bigcommerce/client.ts'
import { Governor } from '../../bigcommerce/governor.ts'
import type { Clock } from '../../clock.ts'
import { type StoreRow, storeTokenContext } from '../../db/accounts/stores.ts'
import type { Database } from '../../db/core/database.ts'
import { createDatabaseSlots } from '../../engine/core/database-slots.ts'
import { createQuotaClaims, type QuotaReports } from './quota-claims.ts'

/** Returns a client for live reads of a connected store. The client is shared, so do not close it. */
export type OpenStore = (store: StoreRow, options: { readOnly: boolean }) => StoreClient

export interface StoreOpener {
  open: OpenStore
  /**
   * Returns a client for a store that is not connected yet. The caller must close it.
   *
   * @param options.isAccepted whether the store is known to accept the token. Anybody may try one at the store of others, so until then
   * nothing of its quota is claimed (S2).
   */
  openUnconnected(store: { hash: string; token: string }, options: { isAccepted: boolean }): StoreClient
  /** Releases the claims on these stores' quotas before they expire (E4). */
  leave(hashes: string[]): Promise<void>
  close(): Promise<void>
}

interface Options {
  database: Database
  keyring: Keyring
  clock: Clock
  bigcommerceApiUrl: string
  requestTimeoutSeconds: number
  /** The share of a store's quota that is left to its other apps. */
  quotaReserve?: number
  onCall?: ((call: ObservedCall) => void) | undefined
}

/** A client with its governor. */
interface Open {
  client: StoreClient
  governor: Governor
  hash: string
}

/** The most clients kept open, each with a few sockets. The least recently used one is closed first. */
const openAtMost = 200

/** Opens one client per connected store and token. */
export function createStoreOpener(options: Options): StoreOpener {
  const { database, keyring, clock, quotaReserve } = options
  const clients = new Map<string, Open>()
  const closing = new Set<Promise<void>>()
  const shares = createQuotaClaims(database, clock, reportsOf(clients))

  function connect(hash: string, token: string, readOnly: boolean): Open {
    // Read before every call: a long read keeps its claim, and one beside a run that starts gets it back.
    const claims = () => {
      shares.renew(hash)
      return shares.claims(hash)
    }
    const slots = createDatabaseSlots({ database, clock, storeHash: hash, consumer: shares.consumer })
    const governor = governorOf(clients, hash) ?? new Governor({ clock, reserve: quotaReserve, claims, slots })
    return { client: clientOf(options, { hash, token, readOnly }, governor), governor, hash }
  }

  const openUnconnected: StoreOpener['openUnconnected'] = ({ hash, token }, { isAccepted }) =>
    isAccepted
      ? connect(hash, token, true).client
      : clientOf(options, { hash, token, readOnly: true }, new Governor({ clock }))

  const open: OpenStore = (store, { readOnly }) => {
    // When a store is connected again, its encrypted token changes, and so does its client.
    const key = `${store.id} ${readOnly} ${store.tokenEncrypted.toString('base64')}`
    const token = () => keyring.decrypt(store.tokenEncrypted, storeTokenContext(store)).toString()
    const kept = clients.get(key) ?? connect(store.hash, token(), readOnly)
    clients.delete(key)
    clients.set(key, kept)
    if (clients.size > openAtMost) closeLongestUnused()
    return kept.client
  }

  function closeLongestUnused(): void {
    for (const [key, { client }] of clients) {
      clients.delete(key)
      const closed = client.close().finally(() => closing.delete(closed))
      closing.add(closed)
      return
    }
  }

  async function close(): Promise<void> {
    await Promise.all([...closing, ...[...clients.values()].map(({ client }) => client.close())])
    clients.clear()
    await shares.drop()
  }

  return { open, openUnconnected, leave: shares.leave, close }
}

function clientOf(
  { clock, bigcommerceApiUrl: apiUrl, requestTimeoutSeconds, onCall = () => undefined }: Options,
  store: { hash: string; token: string; readOnly: boolean },
  governor: Governor,
): StoreClient {
  const connection = { ...store, apiUrl, requestTimeoutMs: requestTimeoutSeconds * 1000 }
  return new StoreClient(connection, governor, { clock, onCall })
}

/** All clients of a store share one, because this process has one part of its quota. */
function governorOf(clients: ReadonlyMap<string, Open>, shop: string): Governor | undefined {
  return [...clients.values()].find(({ hash }) => hash === shop)?.governor
}

function reportsOf(clients: ReadonlyMap<string, Open>): QuotaReports {
  return {
    usedUpMs: (shop) => governorOf(clients, shop)?.usedUpMs ?? 0,
    recentCalls: (shop) => governorOf(clients, shop)?.recentCalls ?? [],
    adoptOthers: (shop, calls) => governorOf(clients, shop)?.adoptOthers(calls),
  }
}
