import type { InTransaction } from '../../db/core/database.ts'
import { beginWaiting } from '../../db/ledger/waiting.ts'
import { leaveInProgress } from '../../db/runs/run-life.ts'
import type { ChildMessage } from '../core/messages.ts'

/** Seconds before a store that is away is tried again; the last value repeats. */
const untilStoreIsTried = [15, 30, 60, 120, 240, 300]
/**
 * The same for the database. The host that records the wait has just reached it, so after a restart it is back already;
 * the other values are for a database that only the run's own process cannot reach.
 */
const untilDatabaseIsTried = [0, 5, ...untilStoreIsTried]

/** How long a run has waited before its latest try, at the least: a system that answers in between begins no new limit. */
function secondsBefore(tries: number): number {
  const some = untilDatabaseIsTried.slice(0, tries - 1)
  const last = untilDatabaseIsTried.at(-1) ?? 0
  return some.reduce((sum, seconds) => sum + seconds, 0) + (tries - 1 - some.length) * last
}

/**
 * Lets a run wait for a system that is away, and pauses it when it has waited for too long (G8).
 *
 * @returns seconds until the next try; null when it was paused
 */
export async function waitOrPause(
  tx: InTransaction,
  run: { id: string; organisationId: string },
  { outage, failure }: Pick<Extract<ChildMessage, { kind: 'waiting' }>, 'outage' | 'failure'>,
  outageHours: number,
): Promise<number | null> {
  const pauseSeconds = outage.waitingFor === 'database' ? untilDatabaseIsTried : untilStoreIsTried
  const waited = await beginWaiting(tx, run.id, outage, pauseSeconds)
  const waitedSeconds = Math.max(waited.waitedSeconds, secondsBefore(waited.tries))
  if (waitedSeconds < outageHours * 3600) return waited.pauseSeconds
  const message = `The migration has waited for ${outageHours} ${outageHours === 1 ? 'hour' : 'hours'}. ${failure.message}`
  await leaveInProgress(tx, run, 'paused', { code: failure.code, message })
  return null
}
