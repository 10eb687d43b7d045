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
  /** A store file to fill the store from, instead of a seed. A store in a data directory that has rows keeps them. */
  file?: string
  /** `[a-z0-9]{1,20}`; derived from the name by default. */
  hash?: string
  /** Random by default; a store in a data directory keeps its own. */
  token?: string
  /** All scopes by default. */
  scopes?: string[]
  /** Further API accounts; they share the store's quota. */
  accounts?: AccountOptions[]
  /** Overrides the sandbox's. */
  plan?: Plan
  /** Overrides the plan's. */
  quota?: QuotaSettings
  /** Overrides the sandbox's. */
  latencyMs?: Partial<LatencyMs>
  /** A set of switches: `documented`, `as-seen` or another one of docs/sandbox-differences.md. `switches` overrides it. */
  profile?: string
  /** Behaviours that the published sources leave open; see docs/sandbox-differences.md. */
  switches?: Record<string, unknown>
}

export interface SandboxStoreAddress {
  name: string
  hash: string
  /** Token of the main account; empty if it was revoked before a restart. */
  token: string
  /** All accounts that have a token, by name; `main` is the one of `token`. */
  accounts: Record<string, { clientId: string; token: string }>
  /** `http://127.0.0.1:<port>/stores/<hash>`. */
  url: string
}
