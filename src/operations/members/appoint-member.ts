import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { confirmAdministratorOf } from '../../accounts/administrators.ts'
import { actorOf } from '../../accounts/api-credentials.ts'
import type { Administrator } from '../../accounts/caller.ts'
import { emailKey } from '../../accounts/name-key.ts'
import { linkToPassword } from '../../accounts/one-time-links.ts'
import { insertNewUser } from '../../accounts/users.ts'
import { appointedMember, appointMemberInput } from '../../contract/accounts/members.ts'
import { type AuditEntry, recordAudit } from '../../db/accounts/audit.ts'
import { deleteInvitationTo } from '../../db/accounts/invitations.ts'
import { findMember, findUserByEmail, lockMembers, saveMembership } from '../../db/accounts/members.ts'
import { deleteLinksOfUser } from '../../db/accounts/one-time-links.ts'
import { lockPassword } from '../../db/accounts/users.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { addressTaken, describeMember, fullName } from '../shared/changing-members.ts'
import { type Deps, defineOperation } from '../shared/operation.ts'
import { requireOrganisation } from '../shared/registered-organisation.ts'

type Input = z.infer<typeof appointMemberInput>

export const appointMember = defineOperation<Input, z.infer<typeof appointedMember>, Administrator>({
  name: 'appoint-member',
  summary: 'Make a person a member of an organisation at once; who has no password yet is invited.',
  input: appointMemberInput,
  output: appointedMember,
  needsProof: () => true,
  async run({ organisation, ...person }, administrator, deps) {
    const { id: organisationId } = await requireOrganisation(deps.database, organisation)
    return deps.database.transaction().execute(async (transaction) => {
      await lockMembers(transaction, organisationId)
      await confirmAdministratorOf(transaction, organisationId, administrator)
      return admit(transaction, { organisationId, ...person }, actorOf(administrator), deps)
    })
  },
})

async function admit(
  transaction: InTransaction,
  { organisationId, role, ...person }: Omit<Input, 'organisation'> & { organisationId: string },
  by: Pick<AuditEntry, 'actor' | 'actorUserId'>,
  deps: Pick<Deps, 'clock' | 'settings'>,
) {
  const known = await findUserByEmail(transaction, organisationId, emailKey(person.email))
  if (known && !known.active) throw addressTaken('Belongs to a deactivated user.')
  if (known?.isMember) throw addressTaken('Is already a member.')
  const userId = known?.id ?? randomUUID()
  // Links that an owner of another organisation created for this person must not open this organisation (S33).
  if (known && (await lockPassword(transaction, userId))) await deleteLinksOfUser(transaction, userId)
  if (!known) {
    await insertNewUser(transaction, { id: userId, ...person, passwordHash: null, isAdministrator: false }, 'email')
  }
  await deleteInvitationTo(transaction, organisationId, emailKey(person.email))
  await saveMembership(transaction, { organisationId, userId, role })
  const admitted = await findMember(transaction, organisationId, userId)
  if (!admitted) throw new Error(`User ${userId} is not a member after being added.`)
  const details = { userId, name: fullName(admitted), role }
  await recordAudit(transaction, { organisationId, ...by, action: 'member.add', details, at: deps.clock.now() })
  if (!admitted.invited) return { member: describeMember(admitted), invitation: null }
  const invitation = await linkToPassword(transaction, { purpose: 'invitation', userId, organisationId }, deps)
  return { member: describeMember({ ...admitted, invitationExpiresAt: new Date(invitation.expiresAt) }), invitation }
}
