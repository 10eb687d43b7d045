import { z } from 'zod'
import { oneMemberInput } from '../../contract/accounts/members.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { deleteInvitation } from '../../db/accounts/invitations.ts'
import { endMembership } from '../../db/accounts/members.ts'
import { changeMembers, fullName, requireMember, requireOwner } from '../shared/changing-members.ts'
import { defineOperation } from '../shared/operation.ts'

export const removeMember = defineOperation({
  name: 'remove-member',
  summary: 'Remove a member; their access ends at once, and migrations they started continue.',
  input: oneMemberInput,
  output: z.undefined(),
  async run({ userId }, caller, deps) {
    const { organisationId } = caller
    await changeMembers('remove-member', caller, deps, async (transaction) => {
      const present = await requireMember(transaction, organisationId, userId)
      if (present.hasJoined) await endMembership(transaction, organisationId, userId)
      else await deleteInvitation(transaction, organisationId, userId)
      await requireOwner(transaction, organisationId)
      const details = { userId, name: fullName(present), role: present.role }
      const entry = { action: 'member.remove' as const, details, at: deps.clock.now() }
      await recordAudit(transaction, { organisationId, actorUserId: caller.userId, actor: 'user', ...entry })
    })
    return undefined
  },
})
