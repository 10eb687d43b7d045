import type { ConflictStrategy, Mode } from '../../contract/modes.ts'

/** What a run copies or compares, as far as its price depends on it. */
export interface Scope {
  mode: Mode
  /** Undefined: the destination counts as empty, and everything is created. */
  strategy?: ConflictStrategy | undefined
  /** Phase keys with their component keys. */
  phases: readonly { key: string; components: readonly { key: string }[] }[]
  /** Whether each customer's tracking consent is read as well. */
  customerConsent?: boolean
  /** Components of shoppers' data that `replace` may delete (G3). */
  pruneLive?: readonly string[]
  /** Only orders in these statuses; empty means all. */
  orderStatuses?: readonly string[]
}
