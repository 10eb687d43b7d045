import type { Caller } from '../../accounts/caller.ts'
import type { MemberEntry } from '../../contract/members.ts'
import type { OperationName } from '../../contract/permissions.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { countOwners, findMember, lockMembers, type MemberRow } from '../../db/accounts/members.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { confirmCaller } from './confirm-caller.ts'
import type { Deps } from './operation.ts'

export function describeMember({ emailKey: _, ...row }: MemberRow): MemberEntry {
  return row
}

/**
 * One change of members at a time in an organisation. The lock comes before the caller is confirmed: that holds the caller's own
 * membership, which another owner may be waiting to change.
 */
export function changeMembers<Changed>(
  operation: OperationName,
  caller: Caller,
  { database }: Pick<Deps, 'database'>,
  change: (transaction: InTransaction) => Promise<Changed>,
): Promise<Changed> {
  return database.transaction().execute(async (transaction) => {
    await lockMembers(transaction, caller.organisationId)
    await confirmCaller(transaction, caller, operation)
    return change(transaction)
  })
}

/** @throws ServiceError `not_found`, the same for a user of others as for nobody (S2). */
export async function requireMember(
  transaction: InTransaction,
  organisationId: string,
  userId: string,
): Promise<MemberRow> {
  const member = await findMember(transaction, organisationId, userId)
  if (member) return member
  throw new ServiceError('not_found', 'No member of your organisation has this id.')
}

/** After a change and before its commit. @throws ServiceError `invalid_transition`: an organisation keeps an owner (S18). */
export async function requireOwner(transaction: InTransaction, organisationId: string): Promise<void> {
  if ((await countOwners(transaction, organisationId)) > 0) return
  throw new ServiceError(
    'invalid_transition',
    'This is the last owner who can sign in. Make another member an owner first.',
  )
}
