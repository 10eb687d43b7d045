import { sql } from 'kysely'
import type { Database } from '../../src/db/core/database.ts'
import { endSideEffects } from '../../src/engine/sweeps/end-side-effects.ts'
import { forgetSettled } from '../../src/engine/sweeps/forget-settled.ts'
import type { Deps } from '../../src/operations/shared/operation.ts'

/** What every host does every few seconds about what ended runs left behind. @returns what it logged as errors. */
export async function sweep(deps: Deps): Promise<Record<string, unknown>[]> {
  const errors: Record<string, unknown>[] = []
  const sweeping = { ...deps, log: { ...deps.log, error: (fields: object) => void errors.push({ ...fields }) } }
  await endSideEffects(sweeping, new AbortController().signal)
  await forgetSettled(sweeping)
  return errors
}

/** Deletes what runs of these organisations left: their stores are gone, so a later sweep would call them in vain. */
export async function forgetLeft(database: Database, organisationIds: string[]): Promise<void> {
  await sql`delete from side_effects where organisation_id = any(${organisationIds}::uuid[])`.execute(database)
}
