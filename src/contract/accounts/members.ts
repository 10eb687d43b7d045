import { z } from 'zod'
import { pageOf } from '../primitives/list-page.ts'
import { invitation, linkToken, memberList, password, person } from './administration.ts'
import { roles } from './permissions.ts'

const role = z.enum(roles)
/** As the database writes it, because it is compared with the caller's own. */
const userId = z.uuid().toLowerCase()

export const member = z.strictObject({
  userId: z.string().describe('Of an invitation that has not been accepted, its own id.'),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role,
  invited: z.boolean().describe('Whether the person has still to accept the invitation, or to choose a password.'),
  invitationExpiresAt: z.iso
    .datetime()
    .nullable()
    .describe('Of the last invitation that has not been accepted; it may have passed.'),
  lastSignInAt: z.iso.datetime().nullable().describe('To the portal.'),
  resetBy: z
    .enum(['owner', 'administrator'])
    .describe(
      'Who may give this member a link to a new password: an administrator of the platform, if the member also belongs, or belonged, to another organisation or is one.',
    ),
})
export type MemberEntry = z.infer<typeof member>

export const listMembersInput = z.strictObject(memberList)
export const memberPage = pageOf(member)
export const addMemberInput = z.strictObject({ ...person, role })
export const invitedMember = z.strictObject({ member, invitation })
export const appointedMember = z.strictObject({
  member,
  invitation: invitation.nullable().describe('Null for a person who already has a password.'),
})
export const changeMemberInput = z.strictObject({ userId, role })
export const oneMemberInput = z.strictObject({ userId })

export const passwordLink = z.object({
  link: z
    .string()
    .describe(
      'Works once, until `expiresAt`, and is shown only here. The person who opens it chooses the password, so hand it over like one.',
    ),
  expiresAt: z.iso.datetime(),
})
/** Used by a platform administrator, for anyone. */
export const personResetInput = z.strictObject({ email: person.email })
export const linkInput = z.strictObject({ token: linkToken })
export const passwordByLinkInput = z.strictObject({ token: linkToken, password })
export const passwordByLinkOutput = z.strictObject({ email: z.string().describe('With which the person signs in.') })

/** Used by a platform administrator, who may also add a member of another organisation. */
export const appointMemberInput = addMemberInput.extend({ organisation: z.string().min(1).max(255) })
