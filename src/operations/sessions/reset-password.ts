import { z } from 'zod'
import type { Visitor } from '../../accounts/caller.ts'
import { passwordByLinkInput } from '../../contract/accounts/members.ts'
import { choosePassword } from '../shared/choose-password.ts'
import { defineOperation } from '../shared/operation.ts'

export const resetPassword = defineOperation<z.infer<typeof passwordByLinkInput>, undefined, Visitor>({
  name: 'reset-password',
  summary: 'Choose a new password with a one-time link; every session, bearer token and assistant of the person ends.',
  input: passwordByLinkInput,
  output: z.undefined(),
  async run(input, _, deps) {
    await choosePassword('reset', input, deps)
    return undefined
  },
})
