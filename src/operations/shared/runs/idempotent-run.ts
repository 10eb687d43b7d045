import { createHash } from 'node:crypto'
import type { Caller } from '../../../accounts/caller.ts'
import { ServiceError } from '../../../contract/service-error.ts'
import type { Database, InTransaction } from '../../../db/core/database.ts'
import {
  findIdempotency,
  forgetIdempotencyKeys,
  setIdempotentRun,
  takeIdempotencyKey,
} from '../../../db/runs/idempotency.ts'

const rememberedMs = 24 * 60 * 60 * 1000

interface IdempotentRequest {
  caller: Caller
  operation: string
  /** The caller's key. Without one, every call creates a run. */
  key: string | undefined
  /** What the caller chose, after validation, so that equal bodies match however they were written. */
  body: unknown
  at: Date
}

/**
 * Creates a run, or returns the one that the same caller created with the same key in the last 24 hours (S23).
 *
 * @returns the id of the run
 * @throws ServiceError `idempotency_conflict` if the key was used with another body, or if its first request is still
 * in progress
 */
export async function createOnce(
  tx: InTransaction,
  { caller, operation, key, body, at }: IdempotentRequest,
  create: () => Promise<string>,
): Promise<string> {
  if (key === undefined) return create()
  const { organisationId, userId } = caller
  const taken = { organisationId, userId, operation, keyHash: hash(key) }
  const bodyHash = hash(JSON.stringify(body))
  const since = new Date(at.getTime() - rememberedMs)
  await forgetIdempotencyKeys(tx, since)
  if (await takeIdempotencyKey(tx, { ...taken, bodyHash, runId: null, at })) {
    const runId = await create()
    await setIdempotentRun(tx, taken, runId)
    return runId
  }
  const earlier = await findIdempotency(tx, taken, since)
  if (earlier && !earlier.bodyHash.equals(bodyHash)) {
    throw new ServiceError(
      'idempotency_conflict',
      'This Idempotency-Key was used with another body within the last 24 hours; send another key.',
    )
  }
  if (!earlier?.runId) {
    throw new ServiceError('idempotency_conflict', 'A request with this Idempotency-Key is still in progress.', {
      retryAfterSeconds: 1,
    })
  }
  return earlier.runId
}

/** Whether this request has already created its run. Then the stores need not be read. */
export async function wasAnswered(
  database: Database,
  { caller, operation, key, body, at }: IdempotentRequest,
): Promise<boolean> {
  if (key === undefined) return false
  const { organisationId, userId } = caller
  const taken = { organisationId, userId, operation, keyHash: hash(key) }
  const earlier = await findIdempotency(database, taken, new Date(at.getTime() - rememberedMs))
  return earlier?.runId != null && earlier.bodyHash.equals(hash(JSON.stringify(body)))
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
