import { randomUUID } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../db/core/database.ts'
import { dropShares, leaveShops, renewShares, reportUsedUp } from '../../db/runs/quota-shares.ts'

/** A claim stands for ten seconds; renewing it more often than this would only load the database. */
const renewAfterMs = 3_000

export interface QuotaClaims {
  /** By which this process is told from others. */
  consumer: string
  /** Claims a part of the shop's quota for live reads, in the background: an answer does not wait for it. */
  renew(hash: string): void
  /** How many consumers share the shop's quota, as far as this process knows. */
  claims(hash: string): number
  /** Gives the claims on these shops back at once: who asked them is done, and a run is about to begin. */
  leave(hashes: string[]): Promise<void>
  drop(): Promise<void>
}

/**
 * A server that browses or counts takes its part of a shop's quota like a run does (E4), and tells those that come after it when it
 * has seen the window used up: `usedUpMs` says for how long it still is.
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
      // Without the database nothing is read live either; the next read tries again.
      const renewal = renewNow(hash)
        .catch(() => undefined)
        .finally(() => renewing.delete(renewal))
      renewing.add(renewal)
    },
    claims: (hash) => counts.get(hash) ?? 1,
    leave: async (hashes) => {
      await Promise.all(renewing)
      for (const hash of hashes) renewedMs.delete(hash)
      // What cannot be given back ends by itself, and a window does so in seconds.
      await report(hashes).catch(() => undefined)
      await leaveShops(database, hashes, consumer).catch(() => undefined)
    },
    drop: async () => {
      await Promise.all(renewing)
      await dropShares(database, consumer).catch(() => undefined)
    },
  }
}
