import { z } from 'zod'
import { invitation, person } from './administration.ts'
import { roles } from './permissions.ts'
import { pageInput, pageOf } from './primitives/list-page.ts'

const role = z.enum(roles)
const userId = z.uuid()

export const member = z.strictObject({
  userId: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role,
  invited: z.boolean().describe('Whether the member has not chosen a password yet.'),
})
export type MemberEntry = z.infer<typeof member>

export const listMembersInput = z.strictObject(pageInput)
export const memberPage = pageOf(member)
export const addMemberInput = z.strictObject({ ...person, role })
export const addedMember = z.strictObject({
  member,
  invitation: invitation.nullable().describe('Null for a person who already has a password.'),
})
export const changeMemberInput = z.strictObject({ userId, role })
export const oneMemberInput = z.strictObject({ userId })

/** By a platform administrator, who may also add a member of another organisation. */
export const appointMemberInput = addMemberInput.extend({ organisation: z.string().min(1).max(255) })
