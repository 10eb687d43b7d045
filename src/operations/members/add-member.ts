import { addedMember, addMemberInput } from '../../contract/members.ts'
import { admitMember } from '../shared/admit-member.ts'
import { changeMembers } from '../shared/changing-members.ts'
import { defineOperation } from '../shared/operation.ts'

export const addMember = defineOperation({
  name: 'add-member',
  summary: 'Add a member; the invitation in the answer is shown only once.',
  input: addMemberInput,
  output: addedMember,
  run(input, caller, deps) {
    const { organisationId, userId } = caller
    return changeMembers('add-member', caller, deps, async (transaction) => {
      const by = { actor: 'user' as const, actorUserId: userId, fromElsewhere: false }
      return admitMember(transaction, { organisationId, ...input }, by, deps)
    })
  },
})
