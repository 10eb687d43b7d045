import type { Forecast } from '../contract/migration.ts'
import type { ConflictStrategy, Mode } from '../contract/modes.ts'
import type { MigrationStatus } from '../contract/status.ts'

/** A phase in scope with its components, fixed when the run is created. */
export interface RunPhase {
  key: string
  label: string
  components: { key: string; label: string }[]
}

/** What the model needs to know of a run; the row in the database holds more. */
export interface RunFacts {
  id: string
  status: MigrationStatus
  mode: Mode
  conflictStrategy: ConflictStrategy
  autoHeal: boolean
  selective: boolean
  source: { hash: string; label: string }
  destination: { hash: string; label: string }
  sourceStorefront: string | null
  destStorefront: string | null
  phases: RunPhase[]
  /** '' before the first one, the last one after the end. */
  phase: string
  forecast: Forecast | null
  createdAt: Date
  startedAt: Date | null
  updatedAt: Date
  lastProgressAt: Date
  failureMessage: string | null
}

/** The tallies of one component. */
export interface ComponentCount {
  phase: string
  component: string
  /** What the store said there would be; null until it was asked. */
  expected: number | null
  discovered: number
  created: number
  updated: number
  matched: number
  skipped: number
  failed: number
  cancelled: number
  pruned: number
  /** Refusals of the platform; null before any call. */
  errors: number | null
  warnings: number
  exceptions: number
}

/** Measured while the run worked; pauses do not count. */
export interface Pace {
  /** Items that reached a terminal state per second, over the last 30 s of working time. */
  ratePerSec: number
  workedSeconds: number
  /** The highest percentage shown so far; less than 100. */
  percentReached: number
}
