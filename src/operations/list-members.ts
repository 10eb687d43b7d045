import { z } from 'zod'
import { listMembersInput, memberPage } from '../contract/members.ts'
import { listMembers as listRows } from '../db/members.ts'
import { describeMember } from './changing-members.ts'
import { openCursor, sealCursor } from './list-cursor.ts'
import { defineOperation } from './operation.ts'

const position = z.strictObject({ emailKey: z.string() })

export const listMembers = defineOperation({
  name: 'list-members',
  summary: 'The members of the organisation by e-mail, with their roles.',
  input: listMembersInput,
  output: memberPage,
  async run({ limit, cursor }, { organisationId }, { database, keyring }) {
    const place = { list: 'members', organisationId, filters: {} }
    const after = openCursor(keyring, place, position, cursor)
    const rows = await listRows(database, organisationId, { after: after?.emailKey ?? null, limit: limit + 1 })
    const shown = rows.slice(0, limit)
    const last = rows.length > limit ? shown.at(-1) : undefined
    return {
      items: shown.map(describeMember),
      nextCursor: last ? sealCursor(keyring, place, { emailKey: last.emailKey }) : null,
    }
  },
})
