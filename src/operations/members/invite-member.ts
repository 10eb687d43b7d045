import { linkToPassword, newInvitationLink } from '../../accounts/one-time-links.ts'
import { invitation } from '../../contract/accounts/administration.ts'
import { oneMemberInput } from '../../contract/accounts/members.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { renewInvitation } from '../../db/accounts/invitations.ts'
import { changeMembers, fullName, requireMemberOnlyHere } from '../shared/changing-members.ts'
import { defineOperation } from '../shared/operation.ts'

export const inviteMember = defineOperation({
  name: 'invite-member',
  summary: 'A new invitation for a member without a password; the previous one becomes void.',
  input: oneMemberInput,
  output: invitation,
  needsProof: () => true,
  run({ userId }, caller, deps) {
    const { organisationId } = caller
    return changeMembers('invite-member', caller, deps, async (transaction) => {
      const present = await requireMemberOnlyHere(transaction, organisationId, userId)
      if (!present.invited) {
        throw new ServiceError('invalid_transition', 'This member already has a password and needs no invitation.')
      }
      const entry = {
        action: 'member.invite' as const,
        details: { userId, name: fullName(present) },
        at: deps.clock.now(),
      }
      await recordAudit(transaction, { organisationId, actorUserId: caller.userId, actor: 'user', ...entry })
      if (!present.hasJoined) {
        const { stored, shown } = newInvitationLink(deps)
        await renewInvitation(transaction, organisationId, userId, stored)
        return shown
      }
      return linkToPassword(transaction, { purpose: 'invitation', userId, organisationId }, deps)
    })
  },
})
