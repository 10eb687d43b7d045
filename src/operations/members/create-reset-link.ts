import { linkToPassword } from '../../accounts/one-time-links.ts'
import { oneMemberInput, passwordLink } from '../../contract/accounts/members.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { changeMembers, fullName, requireMemberOnlyHere } from '../shared/changing-members.ts'
import { defineOperation } from '../shared/operation.ts'

export const createResetLink = defineOperation({
  name: 'create-reset-link',
  summary:
    'A link with which a member who forgot the password chooses a new one; shown only once. Earlier links become void.',
  input: oneMemberInput,
  output: passwordLink,
  needsProof: () => true,
  run({ userId }, caller, deps) {
    const { organisationId } = caller
    // A stranger at an open browser could use such a link to get around the current password.
    if (userId === caller.userId) throw ownPassword()
    return changeMembers('create-reset-link', caller, deps, async (transaction) => {
      const present = await requireMemberOnlyHere(transaction, organisationId, userId)
      if (present.invited)
        throw new ServiceError('invalid_transition', 'This member has no password yet. Invite them again.')
      const entry = {
        action: 'password.reset-link' as const,
        details: { userId, name: fullName(present) },
        at: deps.clock.now(),
      }
      await recordAudit(transaction, { organisationId, actorUserId: caller.userId, actor: 'user', ...entry })
      return linkToPassword(transaction, { purpose: 'reset', userId, organisationId }, deps)
    })
  },
})

function ownPassword(): ServiceError {
  return new ServiceError('invalid_transition', 'You are signed in: change your password in your profile.')
}
