import { z } from 'zod'
import type { Clock } from '../../clock.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Storefront } from '../../contract/stores.ts'
import type { StoreRow } from '../../db/accounts/stores.ts'
import { isThere } from '../../entities/core/storefront-channels.ts'
import { liveRead } from './live-read.ts'
import type { OpenStore } from './open-store.ts'

export interface StorefrontReader {
  /**
   * The storefronts of a store, at most 30 s old.
   * @throws ServiceError if the store refuses or does not respond
   */
  list(store: StoreRow): Promise<Storefront[]>
  /** The same for a login, which does not wait for a slow store: [] after two seconds without a response. */
  listQuickly(store: StoreRow): Promise<Storefront[]>
  /**
   * Whether the store has this storefront. One missing from the list may be new, so the list is read again, at most
   * every two seconds.
   */
  has(store: StoreRow, id: string): Promise<boolean>
}

/** How old a list may be. Limits how much of a store's quota live reads use (S25). */
const freshMs = 30_000
/** How often callers with unknown ids can make us read a store again. */
const askAgainMs = 2_000
const quickMs = 2_000
/** The platform's largest page. No store has that many storefronts. */
const pageSize = 250

const channelPage = z.looseObject({
  data: z.array(z.looseObject({ id: z.int(), name: z.string(), type: z.string(), status: z.string().optional() })),
})

export function createStorefrontReader({ openStore, clock }: { openStore: OpenStore; clock: Clock }): StorefrontReader {
  /** By our id of the store. Null means that it did not respond, so the next login does not wait for it again. */
  const kept = new Map<string, { storefronts: Storefront[] | null; readAtMs: number }>()
  /** By our id of the store: when the list was last read again because of an unknown id. */
  const refreshedAtMs = new Map<string, number>()

  function recall(store: StoreRow): Storefront[] | null | undefined {
    const known = kept.get(store.id)
    return known && clock.monotonicMs() - known.readAtMs < freshMs ? known.storefronts : undefined
  }

  async function has(store: StoreRow, id: string): Promise<boolean> {
    const found = (storefronts: Storefront[]) => storefronts.some((one) => one.id === id)
    const known = recall(store)
    if (!known) return found(await list(store))
    if (found(known) || clock.monotonicMs() - (refreshedAtMs.get(store.id) ?? -Infinity) < askAgainMs)
      return found(known)
    refreshedAtMs.set(store.id, clock.monotonicMs())
    kept.delete(store.id)
    return found(await list(store))
  }

  async function list(store: StoreRow, withinMs?: number): Promise<Storefront[]> {
    const known = recall(store)
    if (known) return known
    const storefronts = await liveRead(clock, (signal) => read(store, signal), withinMs)
    kept.set(store.id, { storefronts, readAtMs: clock.monotonicMs() })
    return storefronts
  }

  async function listQuickly(store: StoreRow): Promise<Storefront[]> {
    if (recall(store) === null) return []
    try {
      return await list(store, quickMs)
    } catch (error) {
      // A failing store must not block logins. GET .../storefronts reports the error.
      if (!(error instanceof ServiceError)) throw error
      kept.set(store.id, { storefronts: null, readAtMs: clock.monotonicMs() })
      return []
    }
  }

  async function read(store: StoreRow, signal: AbortSignal): Promise<Storefront[]> {
    const client = openStore(store, { readOnly: true })
    const answer = await client.get('/v3/channels', { 'type:in': 'storefront', limit: pageSize }, { signal })
    const { data } = channelPage.parse(answer.body)
    const present = data.filter((channel) => channel.type === 'storefront' && isThere(channel))
    return present.map((channel) => ({ id: String(channel.id), name: channel.name }))
  }

  return { list: (store) => list(store), listQuickly, has }
}

/**
 * For a list that turns out empty: under an unknown id it would say that the storefront has none.
 *
 * @throws ServiceError `validation_failed`
 */
export async function refuseUnknownStorefront(
  storefronts: StorefrontReader,
  store: StoreRow,
  storefront: string | undefined,
): Promise<void> {
  if (storefront === undefined || (await storefronts.has(store, storefront))) return
  throw new ServiceError('validation_failed', 'The request is not valid; see "errors".', {
    errors: { storefront: [noSuchStorefront(store)] },
  })
}

export function noSuchStorefront({ hash }: StoreRow): string {
  return `The store has no storefront with this id; GET /v2/stores/${hash}/storefronts lists its storefronts.`
}
