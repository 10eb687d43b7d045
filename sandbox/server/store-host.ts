import { Faults } from '../faults/faults.ts'
import { Sentinels } from '../faults/sentinels.ts'
import type { SandboxRoute } from '../http/resource.ts'
import type { Match } from '../http/router.ts'
import type { SqliteStore } from '../store/sqlite-store.ts'
import type { Accounts } from './accounts.ts'
import { AnswerTimes } from './answer-times.ts'
import { Quota, type QuotaSettings } from './quota.ts'
import { RequestLog } from './request-log.ts'

export type Routed = Exclude<Match, string>

/** Milliseconds before the answer, by kind of call. */
export interface LatencyMs {
  read: number
  write: number
  heavy: number
}

/** A store as the server uses it: its data, and the state of its calls, which is not in the database. */
export class StoreHost {
  store: SqliteStore
  accounts: Accounts
  quota: Quota
  faults: Faults
  sentinels = new Sentinels()
  log = new RequestLog()
  latencyMs: LatencyMs
  answerTimes = new AnswerTimes()
  /** Answers held until they are released. */
  held = new Set<() => void>()
  #running = new Map<SandboxRoute, number>()

  constructor(
    store: SqliteStore,
    accounts: Accounts,
    { quota, latencyMs }: { quota: QuotaSettings; latencyMs: LatencyMs },
    random: () => number,
  ) {
    this.store = store
    this.accounts = accounts
    this.quota = new Quota(quota, () => store.switches.quota_window === 'sliding')
    this.latencyMs = latencyMs
    this.faults = new Faults(random)
  }

  /** False if this endpoint is already handling as many requests of the store as the platform allows. */
  enter(route: SandboxRoute): boolean {
    if (route.cap === undefined) return true
    const running = this.#running.get(route) ?? 0
    if (running >= route.cap) return false
    this.#running.set(route, running + 1)
    return true
  }

  leave(route: SandboxRoute): void {
    if (route.cap !== undefined) this.#running.set(route, (this.#running.get(route) ?? 1) - 1)
  }

  release(): number {
    const released = this.held.size
    for (const answer of [...this.held]) answer()
    return released
  }
}
