import type { Seed } from '../seeds/plant-seed.ts'
import type { AccountWish } from '../server/accounts.ts'
import type { Plan, QuotaSettings } from '../server/quota.ts'
import type { LatencyMs } from '../server/store-host.ts'

/** The stores of a running sandbox, as the admin API changes them. */
export interface StoreList {
  /** @throws when its options are wrong or its hash is taken */
  add(options: SandboxStoreOptions): Promise<SandboxStoreAddress>
  remove(hash: string): void
}

export interface SandboxStoreOptions {
  name: string
  /** `empty` when absent. */
  seed?: Seed
  /** A store file to begin with, instead of a seed; a store in a data directory that has rows keeps them. */
  file?: string
  /** `[a-z0-9]{1,20}`; made from the name when absent. */
  hash?: string
  /** Random when absent; a store in a data directory keeps its own. */
  token?: string
  /** All scopes when absent. */
  scopes?: string[]
  /** Further API accounts; they share the store's quota. */
  accounts?: AccountWish[]
  /** Instead of the sandbox's. */
  plan?: Plan
  /** Instead of a plan. */
  quota?: QuotaSettings
  /** Instead of the sandbox's. */
  latencyMs?: Partial<LatencyMs>
  /** Behaviours the sources do not settle; see docs/sandbox-differences.md. */
  switches?: Record<string, unknown>
}

export interface SandboxStoreAddress {
  name: string
  hash: string
  /** The main account's; empty when it was revoked before a restart. */
  token: string
  /** Every account that has a token, by name; the one of `token` is called `main`. */
  accounts: Record<string, { clientId: string; token: string }>
  /** `http://127.0.0.1:<port>/stores/<hash>`. */
  url: string
}
