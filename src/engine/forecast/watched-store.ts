import type { Answer } from '../../bigcommerce/client.ts'
import type { Query } from '../../bigcommerce/query.ts'
import { type Quota, readQuota } from '../../bigcommerce/quota-headers.ts'
import type { Clock } from '../../clock.ts'
import { pacing } from '../../contract/primitives/pacing.ts'
import type { QuotaShare } from '../../model/forecast/duration.ts'
import type { StoreReader } from './list-totals.ts'

/** A store client that records the latency and the quota of each response. */
export class Watched implements StoreReader {
  readonly latenciesMs: number[] = []
  private readonly client: StoreReader | null
  private readonly clock: Clock
  private quota: { seen: Quota; atMs: number } | null = null

  constructor(client: StoreReader | null, clock: Clock) {
    this.client = client
    this.clock = clock
  }

  async get<T = unknown>(path: string, query?: Query, options?: { signal?: AbortSignal }): Promise<Answer<T>> {
    if (!this.client) throw new Error('The store cannot be read.')
    const answer = await this.client.get<T>(path, query, options)
    this.latenciesMs.push(answer.latencyMs)
    const seen = readQuota(answer.headers)
    if (seen) this.quota = { seen, atMs: this.clock.monotonicMs() }
    return answer
  }

  /** The quota share of a run alongside `others` more; undefined when no response showed the quota. */
  share(others: number): QuotaShare | undefined {
    if (!this.quota) return undefined
    const { seen, atMs } = this.quota
    const reserved = Math.ceil(seen.quota * pacing.quotaReserve)
    const resetSeconds = (seen.resetMs - (this.clock.monotonicMs() - atMs)) / 1000
    return {
      calls: Math.max(1, Math.floor((seen.quota - reserved) / (1 + others))),
      windowSeconds: seen.windowMs / 1000,
      ...(resetSeconds > 0 && { left: Math.max(0, seen.left - reserved), resetSeconds }),
    }
  }
}
