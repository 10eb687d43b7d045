import { ServiceError } from '../contract/service-error.ts'
import { lockStanding } from '../db/api-credentials.ts'
import type { InTransaction } from '../db/database.ts'
import type { Caller } from './caller.ts'

/**
 * First in every transaction that writes for a caller: a request that was verified before a revocation must not write after it
 * (S6).
 *
 * @throws ServiceError `unauthorized`.
 */
export async function requireStanding(transaction: InTransaction, caller: Caller): Promise<void> {
  if (await lockStanding(transaction, caller)) return
  throw new ServiceError('unauthorized', 'The bearer token ended while this request was under way. Log in again.')
}
