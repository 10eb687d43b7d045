import type { Database } from '../../db/core/database.ts'
import { forgetSettledWrites } from '../../db/ledger/intents.ts'

/** Runs on a host's tick: after thirty days, no late effect of a write is expected any more (G10). */
export async function forgetSettled({ database }: { database: Database }): Promise<void> {
  await forgetSettledWrites(database)
}
