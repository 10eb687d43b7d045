import type { z } from 'zod'
import type { Administrator } from '../../accounts/caller.ts'
import { organisationMembersInput } from '../../contract/accounts/administration.ts'
import { memberPage } from '../../contract/accounts/members.ts'
import { readMemberPage } from '../shared/changing-members.ts'
import { defineOperation } from '../shared/operation.ts'
import { requireOrganisation } from '../shared/registered-organisation.ts'

type Input = z.infer<typeof organisationMembersInput>

export const listOrganisationMembers = defineOperation<Input, z.infer<typeof memberPage>, Administrator>({
  name: 'list-organisation-members',
  summary: 'The members of an organisation with their roles, sorted by email.',
  input: organisationMembersInput,
  output: memberPage,
  async run({ organisation, ...page }, _, deps) {
    const { id } = await requireOrganisation(deps.database, organisation)
    return readMemberPage(id, page, deps)
  },
})
