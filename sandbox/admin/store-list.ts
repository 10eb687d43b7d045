import type { Seed } from '../seeds/plant-seed.ts'
import type { AccountOptions } from '../server/accounts.ts'
import type { Plan, QuotaSettings } from '../server/quota.ts'
import type { LatencyMs } from '../server/store-host.ts'

/** The stores of a running sandbox, as the admin API changes them. */
export interface StoreList {
  /** @throws if its options are invalid or its hash is taken */
  add(options: SandboxStoreOptions): Promise<SandboxStoreAddress>
  remove(hash: string): void
}

export interface SandboxStoreOptions {
  name: string
  /** `empty` by default. */
  seed?: Seed
  /** A store file to fill the store from, instead of a seed. A store in a data directory keeps the rows it has. */
  file?: string
  /** `[a-z0-9]{1,20}`; derived from the name by default. */
  hash?: string
  /** Random by default. A store in a data directory keeps the token it has. */
  token?: string
  /** All scopes by default. */
  scopes?: string[]
  /** Further API accounts; they share the store's quota. */
  accounts?: AccountOptions[]
  /** Overrides the plan of the sandbox. */
  plan?: Plan
  /** Overrides the quota of the plan. */
  quota?: QuotaSettings
  /** Overrides the latency of the sandbox. */
  latencyMs?: Partial<LatencyMs>
  /**
   * A named set of switches: `documented`, `as-seen` or another of docs/sandbox-differences.md. `switches` overrides
   * it.
   */
  profile?: string
  /** How to behave where the published sources do not say; see docs/sandbox-differences.md. */
  switches?: Record<string, unknown>
}

export interface SandboxStoreAddress {
  name: string
  hash: string
  /** Token of the main account; empty if it was revoked before a restart. */
  token: string
  /** All accounts with a token, by name. `main` is the one with the token above. */
  accounts: Record<string, { clientId: string; token: string }>
  /** `http://127.0.0.1:<port>/stores/<hash>`. */
  url: string
}
