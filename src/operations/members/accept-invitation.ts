import type { z } from 'zod'
import type { Visitor } from '../../accounts/caller.ts'
import { sha256 } from '../../accounts/credential-secret.ts'
import { passwordByLinkInput, passwordByLinkOutput } from '../../contract/accounts/members.ts'
import { findInvitation } from '../../db/accounts/invitations.ts'
import { choosePassword } from '../shared/choose-password.ts'
import { defineOperation } from '../shared/operation.ts'
import { joinOrganisation } from './join-organisation.ts'

export const acceptInvitation = defineOperation<
  z.infer<typeof passwordByLinkInput>,
  z.infer<typeof passwordByLinkOutput>,
  Visitor
>({
  name: 'accept-invitation',
  summary: 'Accept an invitation with the first password, or with the one that the person has already.',
  input: passwordByLinkInput,
  output: passwordByLinkOutput,
  async run(input, visitor, deps) {
    const invitation = await findInvitation(deps.database, sha256(input.token), deps.clock.now())
    // The platform's administrator created the invitation: the person is registered, but has no password yet.
    if (!invitation) return choosePassword('invitation', input, deps)
    await joinOrganisation(invitation, input, visitor, deps)
    return { email: invitation.email }
  },
})
