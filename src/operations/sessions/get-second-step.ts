import { z } from 'zod'
import type { SignedIn } from '../../accounts/caller.ts'
import { secondStepState } from '../../contract/accounts/second-step.ts'
import { findSecondStep } from '../../db/accounts/second-steps.ts'
import { defineOperation } from '../shared/operation.ts'

export const getSecondStep = defineOperation<Record<string, never>, z.infer<typeof secondStepState>, SignedIn>({
  name: 'get-second-step',
  summary: 'Whether signing in takes the person a code of an authenticator app.',
  input: z.strictObject({}),
  output: secondStepState,
  async run(_, { user }, { database }) {
    const present = await findSecondStep(database, user.id)
    const { confirmedAt = null, recoveryCodes = 0 } = present ?? {}
    return { onSince: confirmedAt?.toISOString() ?? null, recoveryCodesLeft: recoveryCodes }
  },
})
