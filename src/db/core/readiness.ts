import type { Clock } from '../../clock.ts'
import type { Database } from './database.ts'
import { isSchemaCurrent } from './migrate.ts'
import { shareAnswer } from './shared-answer.ts'

/** Whether this process can do its work. */
export interface Readiness {
  /** PostgreSQL answers, and has every migration of this version. Never throws. */
  isReady(): Promise<boolean>
  /** The process shuts down: it is not ready any more. */
  end(): void
}

/** Anyone may ask, as often as they like. A probe of Kubernetes gives up after a second by default. */
const patience = { freshMs: 1_000, deadlineMs: 900 }

export function createReadiness({ database, clock }: { database: Database; clock: Clock }): Readiness {
  let ended = false
  const isCurrent = shareAnswer(() => isSchemaCurrent(database), { clock, ...patience })
  return {
    isReady: async () => (await isCurrent()) === true && !ended,
    end: () => {
      ended = true
    },
  }
}
