import { randomUUID } from 'node:crypto'
import { emailKey } from '../../accounts/name-key.ts'
import { newInvitationLink } from '../../accounts/one-time-links.ts'
import { addMemberInput, invitedMember } from '../../contract/accounts/members.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { insertInvitation } from '../../db/accounts/invitations.ts'
import { findMember, isMember } from '../../db/accounts/members.ts'
import { addressTaken, changeMembers, describeMember, fullName } from '../shared/changing-members.ts'
import { defineOperation } from '../shared/operation.ts'

export const addMember = defineOperation({
  name: 'add-member',
  summary: 'Invite a person, who becomes a member by accepting; the invitation in the answer is shown only once.',
  input: addMemberInput,
  output: invitedMember,
  needsProof: () => true,
  run(person, caller, deps) {
    const { organisationId } = caller
    // Neither the response nor its timing may reveal that the address belongs to a user elsewhere, so nothing here
    // depends on that (S33).
    return changeMembers('add-member', caller, deps, async (transaction) => {
      const invited = { id: randomUUID(), organisationId, emailKey: emailKey(person.email), ...person }
      if (await isMember(transaction, organisationId, invited.emailKey)) throw addressTaken('Is already a member.')
      const { stored, shown } = newInvitationLink(deps)
      if (!(await insertInvitation(transaction, { ...invited, ...stored })))
        throw addressTaken('Is already invited. Invite them again for a new link.')
      const details = { userId: invited.id, name: fullName(person), role: person.role }
      const entry = { action: 'member.invite' as const, details, at: deps.clock.now() }
      await recordAudit(transaction, { organisationId, actorUserId: caller.userId, actor: 'user', ...entry })
      const member = await findMember(transaction, organisationId, invited.id)
      if (!member) throw new Error(`Invitation ${invited.id} is not among the members after being made.`)
      return { member: describeMember(member), invitation: shown }
    })
  },
})
