import { z } from 'zod'
import type { Visitor } from '../../accounts/caller.ts'
import { sha256 } from '../../accounts/credential-secret.ts'
import { passwordByLinkInput } from '../../contract/accounts/members.ts'
import { findInvitation } from '../../db/accounts/invitations.ts'
import { choosePassword } from '../shared/choose-password.ts'
import { defineOperation } from '../shared/operation.ts'
import { joinOrganisation } from './join-organisation.ts'

export const acceptInvitation = defineOperation<z.infer<typeof passwordByLinkInput>, undefined, Visitor>({
  name: 'accept-invitation',
  summary: 'Accept an invitation with the first password, or with the one that the person has already.',
  input: passwordByLinkInput,
  output: z.undefined(),
  async run(input, visitor, deps) {
    const invitation = await findInvitation(deps.database, sha256(input.token), deps.clock.now())
    if (invitation) await joinOrganisation(invitation, input, visitor, deps)
    // The platform's administrator created the invitation: the person is registered, but has no password yet.
    else await choosePassword('invitation', input, deps)
    return undefined
  },
})
