import { z } from 'zod'
import type { Visitor } from '../../accounts/caller.ts'
import { sha256 } from '../../accounts/credential-secret.ts'
import { usedUp } from '../../accounts/one-time-links.ts'
import { linkInput } from '../../contract/accounts/members.ts'
import { roles } from '../../contract/accounts/permissions.ts'
import { findInvitationOf } from '../../db/accounts/invitations.ts'
import { defineOperation } from '../shared/operation.ts'

const output = z.strictObject({
  email: z.string().describe('The address that was invited.'),
  organization: z.string().nullable().describe('Null for an administrator of the service.'),
  role: z.enum(roles).nullable(),
  invitedBy: z.string().nullable().describe('Null when the people who run the service invited.'),
  endedAt: z.iso.datetime().nullable().describe('Null while it can be accepted.'),
})

export type DescribedInvitation = z.infer<typeof output>

/** Only for people with the link. Anyone else gets the same response as for a used link. */
export const describeInvitation = defineOperation<z.infer<typeof linkInput>, DescribedInvitation, Visitor>({
  name: 'describe-invitation',
  summary: 'Who is invited, to what, as what, and by whom.',
  input: linkInput,
  output,
  async run({ token }, _visitor, { database, clock }) {
    const found = await findInvitationOf(database, sha256(token))
    if (!found) throw usedUp('invitation')
    const { expiresAt, ...invitation } = found
    return { ...invitation, endedAt: expiresAt > clock.now() ? null : expiresAt.toISOString() }
  },
})
