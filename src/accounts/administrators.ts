import { ServiceError } from '../contract/service-error.ts'
import { holdAdministrator } from '../db/accounts/administrators.ts'
import { keepOrganisation } from '../db/accounts/organisations.ts'
import type { InTransaction } from '../db/core/database.ts'
import type { Administrator } from './caller.ts'

/**
 * In every transaction in which an administrator changes something, because their access was checked earlier, when the
 * request arrived (S6). Only the lock of an organisation comes before.
 */
export async function confirmAdministrator(transaction: InTransaction, { userId, sessionHash }: Administrator) {
  // The command line has no signed-in user: access to the database and the key is enough.
  if (userId === null || sessionHash === undefined) return
  if (await holdAdministrator(transaction, { userId, sessionHash })) return
  throw new ServiceError('unauthorized', 'Your access ended during the request. Sign in again.')
}

/** The same for a change of an organisation, which is held before the administrator, who may be one of its members. */
export async function confirmAdministratorOf(
  transaction: InTransaction,
  organisationId: string,
  administrator: Administrator,
): Promise<void> {
  if (!(await keepOrganisation(transaction, organisationId)))
    throw new ServiceError('not_found', 'The organisation was erased meanwhile.')
  await confirmAdministrator(transaction, administrator)
}
