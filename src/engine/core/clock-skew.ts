import type { Clock } from '../../clock.ts'
import type { Database } from '../../db/core/database.ts'
import { databaseTime } from '../../db/core/database-time.ts'
import type { EngineLog } from './engine-log.ts'

/** Less is normal between hosts that set their clocks by the network. */
const mostSkewMs = 5_000

/**
 * Warns of a host whose clock differs from that of the database. Nothing depends on it: moments that two processes compare are
 * the database's, and waits are measured (G9). But its logs show other times than those of other hosts.
 */
export async function warnOfClockSkew({
  database,
  clock,
  log,
}: {
  database: Database
  clock: Clock
  log: Pick<EngineLog, 'warn'>
}): Promise<void> {
  const sentAtMs = clock.monotonicMs()
  const theirs = await databaseTime(database)
  const passedMs = clock.monotonicMs() - sentAtMs
  const skewMs = Math.round(clock.now().getTime() - theirs.getTime())
  // The answer may be as old as the question.
  if (Math.abs(skewMs) - passedMs > mostSkewMs)
    log.warn({ skewMs }, 'the clock of this host differs from the clock of the database: set it by the network')
}
