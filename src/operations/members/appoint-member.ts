import type { z } from 'zod'
import { confirmAdministrator } from '../../accounts/administrators.ts'
import { actorOf } from '../../accounts/api-credentials.ts'
import type { Administrator } from '../../accounts/caller.ts'
import { addedMember, appointMemberInput } from '../../contract/members.ts'
import { lockMembers } from '../../db/accounts/members.ts'
import { admitMember } from '../shared/admit-member.ts'
import { defineOperation } from '../shared/operation.ts'
import { requireOrganisation } from '../shared/registered-organisation.ts'

type Input = z.infer<typeof appointMemberInput>

export const appointMember = defineOperation<Input, z.infer<typeof addedMember>, Administrator>({
  name: 'appoint-member',
  summary: 'Add a member to an organisation, even a member of another one.',
  input: appointMemberInput,
  output: addedMember,
  async run({ organisation, ...person }, administrator, deps) {
    const { id: organisationId } = await requireOrganisation(deps.database, organisation)
    return deps.database.transaction().execute(async (transaction) => {
      await lockMembers(transaction, organisationId)
      await confirmAdministrator(transaction, administrator)
      const by = { ...actorOf(administrator), fromElsewhere: true }
      return admitMember(transaction, { organisationId, ...person }, by, deps)
    })
  },
})
