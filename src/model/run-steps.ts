/** A call to a store, as a trace shows it: without ids, values and tokens. */
export interface TracedCall {
  method: string
  /** With `{id}` for every id. */
  path: string
  /** Null when no answer came. */
  httpStatus: number | null
  /** How many times it had been sent before. */
  resends: number
  durationMs: number
  /** When it ended, in milliseconds since 1970. */
  atMs: number
}

export interface CallStep extends TracedCall {
  kind: 'call'
  store: 'source' | 'destination'
}

/** What an attempt at a run did, in order. */
export type RunStep =
  | CallStep
  | { kind: 'phase-began'; phase: string; atMs: number }
  | { kind: 'phase-ended'; atMs: number }

/** Hears of the phases that a run works on, one after another. */
export interface PhaseWatch {
  began(phase: string): void
  ended(): void
}
