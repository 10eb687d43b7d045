import { ServiceError } from '../contract/service-error.ts'
import { holdPerson } from '../db/accounts/sessions.ts'
import type { InTransaction } from '../db/core/database.ts'
import type { SignedIn } from './caller.ts'

/**
 * The first statement of every transaction in which people change their own account, because they were signed in when
 * the request arrived, which may be a while ago (S6).
 */
export async function confirmPerson(transaction: InTransaction, { user, sessionHash }: SignedIn): Promise<void> {
  if (await holdPerson(transaction, { userId: user.id, sessionHash })) return
  throw new ServiceError('unauthorized', 'Your session ended during the request. Sign in again.')
}
