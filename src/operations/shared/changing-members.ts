import { z } from 'zod'
import type { Caller } from '../../accounts/caller.ts'
import type { listMembersInput, MemberEntry, memberPage } from '../../contract/accounts/members.ts'
import type { OperationName } from '../../contract/accounts/permissions.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { countOwners, findMember, listMembers, lockMembers, type MemberRow } from '../../db/accounts/members.ts'
import { lockPassword } from '../../db/accounts/users.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { confirmCaller } from './confirm-caller.ts'
import { endPage, openCursor } from './list-cursor.ts'
import type { Deps } from './operation.ts'

/** For audit entries, where people read the name and look up the id. */
export function fullName({ firstName, lastName }: Pick<MemberRow, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`
}

export function describeMember({ emailKey: _, onlyHere, hasJoined: __, ...row }: MemberRow): MemberEntry {
  const { invitationExpiresAt, lastSignInAt } = row
  return {
    ...row,
    invitationExpiresAt: invitationExpiresAt?.toISOString() ?? null,
    lastSignInAt: lastSignInAt?.toISOString() ?? null,
    resetBy: onlyHere ? 'owner' : 'administrator',
  }
}

const position = z.strictObject({ emailKey: z.string() })

/** One page of the members of an organisation, sorted by email. */
export async function readMemberPage(
  organisationId: string,
  { limit, cursor, text }: z.infer<typeof listMembersInput>,
  { database, keyring }: Pick<Deps, 'database' | 'keyring'>,
): Promise<z.infer<typeof memberPage>> {
  const cursorScope = { list: 'members', organisationId, filters: { text } }
  const after = openCursor(keyring, cursorScope, position, cursor)
  const rows = await listMembers(database, organisationId, { text, after: after?.emailKey ?? null, limit: limit + 1 })
  const { shown, nextCursor } = endPage(keyring, cursorScope, rows, {
    limit,
    positionOf: ({ emailKey }) => ({ emailKey }),
  })
  return { items: shown.map(describeMember), nextCursor }
}

/**
 * Lets only one change to an organisation's members run at a time. The lock comes before the caller is confirmed,
 * because that locks the caller's own membership, which another owner may be changing.
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

/** @throws ServiceError `not_found`, whether the user belongs to another organisation or does not exist (S2) */
export async function requireMember(
  transaction: InTransaction,
  organisationId: string,
  userId: string,
): Promise<MemberRow> {
  const member = await findMember(transaction, organisationId, userId)
  if (member) return member
  throw new ServiceError('not_found', 'No member of your organisation has this id.')
}

/**
 * A member whose password opens this organisation only (S33). No other organisation can add the person before the
 * commit.
 *
 * @throws ServiceError `not_found`, or `forbidden` if the password opens other organisations too
 */
export async function requireMemberOnlyHere(
  transaction: InTransaction,
  organisationId: string,
  userId: string,
): Promise<MemberRow> {
  await lockPassword(transaction, userId)
  const member = await requireMember(transaction, organisationId, userId)
  if (member.onlyHere) return member
  throw new ServiceError(
    'forbidden',
    'This member also belongs to another organisation, or is an administrator. Ask an administrator of the platform for the link.',
  )
}

/**
 * Call after a change, before the commit.
 * @throws ServiceError `invalid_transition` if no owner is left (S18)
 */
export async function requireOwner(transaction: InTransaction, organisationId: string): Promise<void> {
  if ((await countOwners(transaction, organisationId)) > 0) return
  throw new ServiceError(
    'invalid_transition',
    'This is the last owner who can sign in. Make another member an owner first.',
  )
}

export function addressTaken(message: string): ServiceError {
  return new ServiceError('validation_failed', 'Some fields are not valid; see errors.', {
    errors: { email: [message] },
  })
}
