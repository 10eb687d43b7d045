import { randomUUID } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../db/core/database.ts'
import { dropShares, leaveShops, renewShares, reportUsedUp } from '../../db/runs/quota-shares.ts'

/** A claim lasts ten seconds. Renewing it more often would only load the database. */
const renewAfterMs = 3_000

export interface QuotaClaims {
  /** The name by which other processes know this one. */
  consumer: string
  /** Claims a part of the store's quota for live reads. Happens in the background, so that no response waits for it. */
  renew(hash: string): void
  /** How many consumers share the store's quota, as far as this process knows. */
  claims(hash: string): number
  /** Releases the claims on these stores at once, because a run is about to start. */
  leave(hashes: string[]): Promise<void>
  drop(): Promise<void>
}

/**
 * While a server reads a store live, it claims a part of the quota, like a run (E4). If it has seen the window used up,
 * it reports that to later consumers: `usedUpMs` is how much longer the window lasts.
 */
export function createQuotaClaims(
  database: Database,
  clock: Clock,
  usedUpMs: (hash: string) => number = () => 0,
): QuotaClaims {
  const consumer = `server ${randomUUID()}`
  const counts = new Map<string, number>()
  const renewedMs = new Map<string, number>()
  const renewing = new Set<Promise<void>>()

  async function renewNow(hash: string): Promise<void> {
    for (const [shop, claims] of await renewShares(database, [hash], consumer)) counts.set(shop, claims)
    await report([hash])
  }

  const report = (hashes: string[]) => reportUsedUp(database, new Map(hashes.map((hash) => [hash, usedUpMs(hash)])))

  return {
    consumer,
    renew: (hash) => {
      if (clock.monotonicMs() - (renewedMs.get(hash) ?? -renewAfterMs) < renewAfterMs) return
      renewedMs.set(hash, clock.monotonicMs())
      // Without the database there are no live reads either. The next read tries again.
      const renewal = renewNow(hash)
        .catch(() => undefined)
        .finally(() => renewing.delete(renewal))
      renewing.add(renewal)
    },
    claims: (hash) => counts.get(hash) ?? 1,
    leave: async (hashes) => {
      await Promise.all(renewing)
      for (const hash of hashes) renewedMs.delete(hash)
      // A claim that cannot be released expires, and a window lasts only seconds.
      await report(hashes).catch(() => undefined)
      await leaveShops(database, hashes, consumer).catch(() => undefined)
    },
    drop: async () => {
      await Promise.all(renewing)
      await dropShares(database, consumer).catch(() => undefined)
    },
  }
}
