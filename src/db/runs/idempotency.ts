import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

/** A user's key for an operation; both hashes are SHA-256, the key itself is not stored (S23). */
export type IdempotencyKey = Columns<'idempotency_keys', 'organisationId' | 'userId' | 'operation' | 'keyHash'>

/** `runId` is null until the transaction that creates the run sets it. */
export type IdempotencyRow = Columns<'idempotency_keys', 'bodyHash' | 'runId'>

/**
 * Takes a key in the transaction that creates the run. A second request with the same key waits here until the first
 * commits.
 *
 * @returns false when the key is taken: read it with `findIdempotency`.
 */
export async function takeIdempotencyKey(
  database: InTransaction,
  key: IdempotencyKey & { bodyHash: Buffer; runId: string | null; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_keys (organisation_id, user_id, operation, key_hash, body_hash, run_id, at)
    values (${key.organisationId}, ${key.userId}, ${key.operation}, ${key.keyHash}, ${key.bodyHash}, ${key.runId}, ${key.at})
    on conflict do nothing returning at`.execute(database)
  return rows.length === 1
}

export async function findIdempotency(
  database: Database | InTransaction,
  key: IdempotencyKey,
  since: Date,
): Promise<IdempotencyRow | undefined> {
  const { rows } = await sql<IdempotencyRow>`
    select body_hash as "bodyHash", run_id as "runId" from idempotency_keys
    where organisation_id = ${key.organisationId} and user_id = ${key.userId} and operation = ${key.operation}
      and key_hash = ${key.keyHash} and at > ${since}`.execute(database)
  return rows[0]
}

export async function setIdempotentRun(database: InTransaction, key: IdempotencyKey, runId: string): Promise<void> {
  await sql`
    update idempotency_keys set run_id = ${runId}
    where organisation_id = ${key.organisationId} and user_id = ${key.userId} and operation = ${key.operation}
      and key_hash = ${key.keyHash}`.execute(database)
}

/** Deletes keys older than 24 hours, without those that another transaction is about to delete. */
export async function forgetIdempotencyKeys(database: InTransaction, before: Date): Promise<void> {
  await sql`
    delete from idempotency_keys where ctid in (
      select ctid from idempotency_keys where at <= ${before} for update skip locked)`.execute(database)
}
