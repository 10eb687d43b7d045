import type { Caller } from '../../accounts/caller.ts'
import { mayCall, type OperationName } from '../../contract/accounts/permissions.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { lockCallerRole } from '../../db/accounts/caller-role.ts'
import type { InTransaction } from '../../db/core/database.ts'

/**
 * The first statement of every writing transaction (S6), because the caller was verified when the request arrived,
 * which may be a while ago.
 */
export async function confirmCaller(tx: InTransaction, caller: Caller, operation: OperationName): Promise<void> {
  // Access tokens cannot write.
  const role = 'oauthClientId' in caller ? undefined : await lockCallerRole(tx, caller)
  if (role === undefined || !mayCall(role, operation))
    throw new ServiceError('unauthorized', 'Your access ended during the request. Log in again.')
  // What else depends on the role was judged by the one before, such as how much may be deleted.
  if (role !== caller.role)
    throw new ServiceError('forbidden', 'Your role was changed during the request. Send it again.')
}
