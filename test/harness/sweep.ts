import { sql } from 'kysely'
import type { Database } from '../../src/db/core/database.ts'
import { forgetSettled } from '../../src/engine/sweeps/forget-settled.ts'
import { giveBackLeft } from '../../src/engine/sweeps/give-back-left.ts'
import { retryDeferredWrites } from '../../src/engine/sweeps/retry-deferred-writes.ts'
import { unmuteLeft } from '../../src/engine/sweeps/unmute-left.ts'
import type { Deps } from '../../src/operations/shared/operation.ts'

/** What every host does every few seconds about what ended runs left behind. @returns what it logged as errors. */
export async function sweep(deps: Deps): Promise<Record<string, unknown>[]> {
  const errors: Record<string, unknown>[] = []
  const sweeping = { ...deps, log: { ...deps.log, error: (fields: object) => void errors.push({ ...fields }) } }
  await retryDeferredWrites(sweeping, new AbortController().signal)
  await unmuteLeft(sweeping)
  await giveBackLeft(sweeping)
  await forgetSettled(sweeping)
  return errors
}

/** Deletes what runs of these organisations left: their stores are gone, so a later sweep would call them in vain. */
export async function forgetLeft(database: Database, organisationIds: string[]): Promise<void> {
  for (const table of ['duties', 'muted_settings', 'stock_watches'])
    await sql`delete from ${sql.table(table)} where organisation_id = any(${organisationIds}::uuid[])`.execute(database)
}
