import type { z } from 'zod'
import type { Visitor } from '../../accounts/caller.ts'
import { passwordByLinkInput, passwordByLinkOutput } from '../../contract/accounts/members.ts'
import { choosePassword } from '../shared/choose-password.ts'
import { defineOperation } from '../shared/operation.ts'

export const resetPassword = defineOperation<
  z.infer<typeof passwordByLinkInput>,
  z.infer<typeof passwordByLinkOutput>,
  Visitor
>({
  name: 'reset-password',
  summary: 'Choose a new password with a one-time link; every session, bearer token and assistant of the person ends.',
  input: passwordByLinkInput,
  output: passwordByLinkOutput,
  run: (input, _, deps) => choosePassword('reset', input, deps),
})
