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
  if (!known) {
    await insertNewUser(transaction, { id: userId, ...person, passwordHash: null, isAdministrator: false }, 'email')
  }
  await saveMembership(transaction, { organisationId, userId, role })
  const { actor, actorUserId } = by
  const entry = { action: 'member.add' as const, details: { userId, role }, at: deps.clock.now() }
  await recordAudit(transaction, { organisationId, actor, actorUserId, ...entry })
  const admitted = await findMember(transaction, organisationId, userId)
  if (!admitted) throw new Error(`User ${userId} is not a member after being added.`)
  return {
    member: describeMember(admitted),
    invitation: admitted.invited ? await invite(transaction, userId, deps) : null,
  }
}

function refuseKnown({ active, member }: KnownUser, fromElsewhere: boolean): void {
  if (!active) throw taken('Belongs to a deactivated user. Ask an administrator of the platform.')
  if (member === 'active') throw taken('Is already a member.')
  if (member === 'never' && !fromElsewhere) {
    throw taken('Is already registered. An administrator of the platform can make this person a member.')
  }
}

function taken(message: string): ServiceError {
  return new ServiceError('validation_failed', 'Some fields are not valid; see errors.', {
    errors: { email: [message] },
  })
}
