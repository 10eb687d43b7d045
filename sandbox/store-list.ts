import type { SandboxStoreAddress, SandboxStoreOptions } from './start.ts'

/** The stores of a running sandbox, as the admin API changes them. */
export interface StoreList {
  /** @throws when its options are wrong or its hash is taken */
  add(options: SandboxStoreOptions): Promise<SandboxStoreAddress>
  remove(hash: string): void
}
