import type { Forecast } from '../contract/migration.ts'
import type { ConflictStrategy, Mode } from '../contract/modes.ts'
import type { MigrationStatus } from '../contract/status.ts'

export interface RunComponent {
  key: string
  label: string
  /** Its items are pages with widgets, which are counted. */
  widgets?: true
  /** Its items are what all pages of a channel show. */
  global?: true
}

/** A phase in scope with its components, fixed when the run is created. */
export interface RunPhase {
  key: string
  label: string
  components: RunComponent[]
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
  /** What a run over page templates was asked for; null for every other. */
  pageTemplates: { picked: string[]; globalsRequested: boolean } | null
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
  /** Widgets that its pages put on the destination; 0 for what is no page. */
  widgets: number
}

/** Measured while the run worked; pauses do not count. */
export interface Pace {
  /** Items that reached a terminal state per second, over the last 30 s of working time. */
  ratePerSec: number
  workedSeconds: number
  /** The highest percentage shown so far; less than 100. */
  percentReached: number
}
