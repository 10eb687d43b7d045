import type { Clock } from '../../clock.ts'
import type { Database } from '../../db/core/database.ts'
import { databaseTime } from '../../db/core/database-time.ts'
import type { EngineLog } from './engine-log.ts'

/** Less is normal between hosts that synchronise their clocks over the network. */
const mostSkewMs = 5_000

/**
 * Warns if this host's clock differs from the database's. Nothing depends on it: times that two processes compare are
 * the database's, and waits use the monotonic clock (G9). But the host's logs do not line up with those of other hosts.
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
  // The database may have read its clock at any moment since the query was sent.
  if (Math.abs(skewMs) - passedMs > mostSkewMs)
    log.warn({ skewMs }, 'the clock of this host differs from the clock of the database: set it by the network')
}
