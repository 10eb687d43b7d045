import { randomUUID } from 'node:crypto'
import { emailKey } from '../../accounts/name-key.ts'
import { linkToPassword } from '../../accounts/one-time-links.ts'
import { insertNewUser } from '../../accounts/users.ts'
import type { Role } from '../../contract/permissions.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { type AuditEntry, recordAudit } from '../../db/accounts/audit.ts'
import { findMember, findUserByEmail, type KnownUser, saveMembership } from '../../db/accounts/members.ts'
import { deleteLinksOfUser } from '../../db/accounts/one-time-links.ts'
import { lockPassword } from '../../db/accounts/users.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { describeMember, fullName } from './changing-members.ts'
import type { Deps } from './operation.ts'

interface Admission {
  organisationId: string
  firstName: string
  lastName: string
  email: string
  role: Role
}

/**
 * Adds a member to an organisation. A person without a password gets an invitation.
 *
 * @param fromElsewhere whether a person registered with another organisation may be added. Owners may not do that: they cannot know
 *   who registered the address there.
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
  // What another organisation's owner has made for this person must not open this one (S33).
  if (known && (await lockPassword(transaction, userId))) await deleteLinksOfUser(transaction, userId)
  if (!known) {
    await insertNewUser(transaction, { id: userId, ...person, passwordHash: null, isAdministrator: false }, 'email')
  }
  await saveMembership(transaction, { organisationId, userId, role })
  const admitted = await findMember(transaction, organisationId, userId)
  if (!admitted) throw new Error(`User ${userId} is not a member after being added.`)
  const { actor, actorUserId } = by
  const details = { userId, name: fullName(admitted), role }
  const entry = { action: 'member.add' as const, details, at: deps.clock.now() }
  await recordAudit(transaction, { organisationId, actor, actorUserId, ...entry })
  if (!admitted.invited) return { member: describeMember(admitted), invitation: null }
  if (!by.fromElsewhere && !admitted.onlyHere) throw registeredElsewhere()
  const invitation = await linkToPassword(transaction, { purpose: 'invitation', userId, organisationId }, deps)
  return { member: describeMember({ ...admitted, invitationExpiresAt: new Date(invitation.expiresAt) }), invitation }
}

function refuseKnown({ active, member }: KnownUser, fromElsewhere: boolean): void {
  if (!active) throw taken('Belongs to a deactivated user. Ask an administrator of the platform.')
  if (member === 'active') throw taken('Is already a member.')
  if (member === 'never' && !fromElsewhere) throw registeredElsewhere()
}

function registeredElsewhere(): ServiceError {
  return taken('Is already registered. An administrator of the platform can make this person a member.')
}

function taken(message: string): ServiceError {
  return new ServiceError('validation_failed', 'Some fields are not valid; see errors.', {
    errors: { email: [message] },
  })
}
