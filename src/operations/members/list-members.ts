import { listMembersInput, memberPage } from '../../contract/accounts/members.ts'
import { readMemberPage } from '../shared/changing-members.ts'
import { defineOperation } from '../shared/operation.ts'

export const listMembers = defineOperation({
  name: 'list-members',
  summary: 'The members of the organisation with their roles, sorted by email.',
  input: listMembersInput,
  output: memberPage,
  run: (page, { organisationId }, deps) => readMemberPage(organisationId, page, deps),
})
