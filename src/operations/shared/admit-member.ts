import { randomUUID } from 'node:crypto'
import { emailKey } from '../../accounts/name-key.ts'
import { invite } from '../../accounts/one-time-links.ts'
import { insertNewUser } from '../../accounts/users.ts'
import type { Role } from '../../contract/permissions.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { type AuditEntry, recordAudit } from '../../db/accounts/audit.ts'
import { findMember, findUserByEmail, type KnownUser, saveMembership } from '../../db/accounts/members.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { describeMember } from './changing-members.ts'
import type { Deps } from './operation.ts'

interface Admission {
  organisationId: string
  firstName: string
  lastName: string
  email: string
  role: Role
}

/**
 * Makes somebody a member of an organisation; who has no password yet gets an invitation.
 *
 * @param fromElsewhere whether somebody registered for another organisation may be taken in. Owners may not: they could not know
 *   who registered that address there, and would learn that somebody did what they see anyway: that it is taken.
 */
export async function admitMember(
  transaction: InTransaction,
  { organisationId, role, ...person }: Admission,
  by: Pick<AuditEntry, 'actor' | 'actorUserId'> & { fromElsewhere: boolean },
  deps: Pick<Deps, 'clock' | 'settings'>,
) {
  const known = await findUserByEmail(transaction, organisationId, emailKey(person.email))
  if (known) refuseKnown(known, by.fromElsewhere)
  const userId = known?.id ?? randomUUID()
  if (!known) {
    await insertNewUser(transaction, { id: userId, ...person, passwordHash: null, isAdministrator: false }, 'email')
  }
  await saveMembership(transaction, { organisationId, userId, role })
  const { actor, actorUserId } = by
  const entry = { action: 'member.add' as const, details: { userId, role }, at: deps.clock.now() }
  await recordAudit(transaction, { organisationId, actor, actorUserId, ...entry })
  const admitted = await findMember(transaction, organisationId, userId)
  if (!admitted) throw new Error(`User ${userId} is no member after being admitted.`)
  return {
    member: describeMember(admitted),
    invitation: admitted.invited ? await invite(transaction, userId, deps) : null,
  }
}

function refuseKnown({ active, member }: KnownUser, fromElsewhere: boolean): void {
  if (!active) throw taken('Belongs to somebody who was deactivated. Ask an administrator of the platform.')
  if (member === 'active') throw taken('Is a member already.')
  if (member === 'never' && !fromElsewhere) {
    throw taken('Is registered already. An administrator of the platform can make this person a member.')
  }
}

function taken(message: string): ServiceError {
  return new ServiceError('validation_failed', 'Some fields are not valid; see errors.', {
    errors: { email: [message] },
  })
}
