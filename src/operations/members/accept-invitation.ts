import { z } from 'zod'
import type { Visitor } from '../../accounts/caller.ts'
import { passwordByLinkInput } from '../../contract/members.ts'
import { choosePassword } from '../shared/choose-password.ts'
import { defineOperation } from '../shared/operation.ts'

export const acceptInvitation = defineOperation<z.infer<typeof passwordByLinkInput>, undefined, Visitor>({
  name: 'accept-invitation',
  summary: 'Choose the first password, with the link from an invitation.',
  input: passwordByLinkInput,
  output: z.undefined(),
  async run(input, _, deps) {
    await choosePassword('invitation', input, deps)
    return undefined
  },
})
