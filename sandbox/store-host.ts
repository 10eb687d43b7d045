import { Faults } from './faults.ts'
import { Quota, type QuotaSettings } from './quota.ts'
import { RequestLog } from './request-log.ts'
import type { SandboxRoute } from './resource.ts'
import type { Match } from './router.ts'
import type { SqliteStore } from './sqlite-store.ts'

export type Routed = Exclude<Match, string>

/** One store as the server sees it: its state plus everything that is about calls and not kept in its database. */
export class StoreHost {
  store: SqliteStore
  token: string
  scopes: ReadonlySet<string>
  clientId: string
  quota: Quota
  faults: Faults
  log = new RequestLog()
  /** Answers that wait for a release. */
  held = new Set<() => void>()
  #running = new Map<SandboxRoute, number>()

  constructor(
    store: SqliteStore,
    account: { token: string; scopes: string[] },
    quota: QuotaSettings,
    random: () => number,
  ) {
    this.store = store
    this.token = account.token
    this.scopes = new Set(account.scopes)
    this.clientId = `client${store.hash}`
    this.quota = new Quota(quota)
    this.faults = new Faults(random)
  }

  /** The account stays the same: only what it signs in with changes, and the store remembers it. */
  changeToken(token: string): void {
    this.token = token
    this.store.setNote('token', token)
  }

  /** False when the endpoint already serves as many requests of this store as the platform allows. */
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
