import type { Forecast } from '../contract/migration.ts'
import type { ConflictStrategy, Mode } from '../contract/modes.ts'
import type { MigrationStatus } from '../contract/status.ts'

export interface RunComponent {
  key: string
  label: string
  /** The component whose items are pages with widgets. */
  widgets?: true
  /** The component whose items are the widgets on all pages of a channel. */
  global?: true
}

/** A phase in scope with its components, fixed when the run is created. */
export interface RunPhase {
  key: string
  label: string
  components: RunComponent[]
}

/** The part of a run's row that the model needs. */
export interface RunFacts {
  id: string
  status: MigrationStatus
  mode: Mode
  conflictStrategy: ConflictStrategy
  autoHeal: boolean
  selective: boolean
  source: { hash: string; label: string }
  destination: { hash: string; label: string }
  /** The request of a run over page templates; otherwise null. */
  pageTemplates: { picked: string[]; globalsRequested: boolean } | null
  sourceStorefront: string | null
  destStorefront: string | null
  phases: RunPhase[]
  /** Empty before the first phase; the last phase after the end. */
  phase: string
  forecast: Forecast | null
  createdAt: Date
  startedAt: Date | null
  updatedAt: Date
  /** When it was created or last resumed; later progress is in its counts. */
  lastProgressAt: Date
  failureMessage: string | null
  /** Whether what failed is being tried again at this moment, between the steps of a run. */
  healing: boolean
  /** How many times people asked to try again. Then all steps are done, and nothing else is being worked on. */
  healRound: number
  /** Whether they asked for only some of what failed. */
  healChosen: boolean
  /** What a run in progress waits for; null while it is working. */
  waitingFor: 'source' | 'destination' | 'quota' | 'database' | null
  waitingStore: string | null
  waitingSince: Date | null
}

/** The tallies of one component. */
export interface ComponentCount {
  phase: string
  component: string
  /** The number the store announced; null until then. */
  expected: number | null
  discovered: number
  created: number
  updated: number
  matched: number
  skipped: number
  failed: number
  cancelled: number
  pruned: number
  /** Refusals by the platform; null before any call. */
  errors: number | null
  warnings: number
  exceptions: number
  /** Widgets of copied pages; 0 for other components. */
  widgets: number
  /** When an item last reached a terminal state. */
  progressedAt: Date | null
}

/** Measured while the run worked; pauses do not count. */
export interface Pace {
  /** Items that reached a terminal state per second, over the last 30 s of working time. */
  ratePerSec: number
  workedSeconds: number
  /** The highest percentage shown so far, less than 100. */
  percentReached: number
  /** How long the run still waits before it continues, if known; 0 while it is working. */
  settlingSeconds: number
  /** Items on the list of deletions that are neither deleted nor kept yet. */
  deletionsLeft: number
}
