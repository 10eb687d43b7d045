import { z } from 'zod'
import { listMembersInput, memberPage } from '../../contract/members.ts'
import { listMembers as listRows } from '../../db/accounts/members.ts'
import { describeMember } from '../shared/changing-members.ts'
import { endPage, openCursor } from '../shared/list-cursor.ts'
import { defineOperation } from '../shared/operation.ts'

const position = z.strictObject({ emailKey: z.string() })

export const listMembers = defineOperation({
  name: 'list-members',
  summary: 'The members of the organisation with their roles, sorted by e-mail.',
  input: listMembersInput,
  output: memberPage,
  async run({ limit, cursor }, { organisationId }, { database, keyring }) {
    const cursorScope = { list: 'members', organisationId, filters: {} }
    const after = openCursor(keyring, cursorScope, position, cursor)
    const rows = await listRows(database, organisationId, { after: after?.emailKey ?? null, limit: limit + 1 })
    const { shown, nextCursor } = endPage(keyring, cursorScope, rows, {
      limit,
      positionOf: ({ emailKey }) => ({ emailKey }),
    })
    return { items: shown.map(describeMember), nextCursor }
  },
})
