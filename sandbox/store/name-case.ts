import type { SandboxStore } from './store.ts'

/**
 * Whether two names or SKUs conflict within a store. The tables ignore case; the sources do not say whether case makes
 * a difference (switch `case_sensitive_names`).
 */
export function namesAreEqual(store: SandboxStore, left: unknown, right: unknown): boolean {
  return store.switches.case_sensitive_names !== true || left === right
}
