import { randomUUID } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../db/core/database.ts'
import { leaveShops, type RecentCalls, renewShares, reportUsedUp } from '../../db/runs/quota-shares.ts'

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

/** What this process has seen of a store's quota, for other consumers, and what it hears of them. */
export interface QuotaReports {
  /** How much longer the window lasts, if it is used up. */
  usedUpMs(hash: string): number
  recentCalls(hash: string): RecentCalls
  adoptOthers(hash: string, calls: RecentCalls): void
}

const noReports: QuotaReports = { usedUpMs: () => 0, recentCalls: () => [], adoptOthers: () => undefined }

/** While a server reads a store live, it claims a part of the quota, like a run (E4). */
export function createQuotaClaims(
  database: Database,
  clock: Clock,
  { usedUpMs, recentCalls, adoptOthers }: QuotaReports = noReports,
): QuotaClaims {
  const consumer = `server ${randomUUID()}`
  const counts = new Map<string, number>()
  const renewedMs = new Map<string, number>()
  const renewing = new Set<Promise<void>>()

  async function renewNow(hash: string): Promise<void> {
    for (const [shop, { claims, others }] of await renewShares(database, recentOf([hash]), consumer)) {
      counts.set(shop, claims)
      adoptOthers(shop, others)
    }
    await report([hash])
  }

  const recentOf = (hashes: string[]) => new Map(hashes.map((hash) => [hash, recentCalls(hash)]))
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
      await leaveShops(database, recentOf(hashes), consumer).catch(() => undefined)
    },
    drop: async () => {
      await Promise.all(renewing)
      await leaveShops(database, recentOf([...renewedMs.keys()]), consumer).catch(() => undefined)
    },
  }
}
