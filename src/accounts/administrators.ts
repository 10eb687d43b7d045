import { ServiceError } from '../contract/service-error.ts'
import { holdAdministrator } from '../db/accounts/administrators.ts'
import type { InTransaction } from '../db/core/database.ts'
import type { Administrator } from './caller.ts'

/** First in every transaction that changes something for one of the platform's own staff: as they were let in a while ago (S6). */
export async function confirmAdministrator(transaction: InTransaction, { userId, sessionHash }: Administrator) {
  // On the command line nobody is signed in: whoever has the database and the key may do this.
  if (userId === null || sessionHash === undefined) return
  if (await holdAdministrator(transaction, { userId, sessionHash })) return
  throw new ServiceError('unauthorized', 'Your access ended while the request was under way. Sign in again.')
}
