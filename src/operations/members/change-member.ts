import { changeMemberInput, member } from '../../contract/accounts/members.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { saveInvitedRole } from '../../db/accounts/invitations.ts'
import { saveMembership } from '../../db/accounts/members.ts'
import { changeMembers, describeMember, fullName, requireMember, requireOwner } from '../shared/changing-members.ts'
import { defineOperation } from '../shared/operation.ts'

export const changeMember = defineOperation({
  name: 'change-member',
  summary: 'Change the role of a member; it applies from their next request on.',
  input: changeMemberInput,
  output: member,
  needsProof: () => true,
  run({ userId, role }, caller, deps) {
    const { organisationId } = caller
    return changeMembers('change-member', caller, deps, async (transaction) => {
      const present = await requireMember(transaction, organisationId, userId)
      if (present.hasJoined) await saveMembership(transaction, { organisationId, userId, role })
      else await saveInvitedRole(transaction, organisationId, userId, role)
      await requireOwner(transaction, organisationId)
      const entry = {
        action: 'member.change' as const,
        details: { userId, name: fullName(present), from: present.role, to: role },
        at: deps.clock.now(),
      }
      await recordAudit(transaction, { organisationId, actorUserId: caller.userId, actor: 'user', ...entry })
      return { ...describeMember(present), role }
    })
  },
})
