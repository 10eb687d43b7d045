import encodeQR from 'qr'
import type { z } from 'zod'
import type { SignedIn, Visitor } from '../../accounts/caller.ts'
import { confirmPerson } from '../../accounts/people.ts'
import { base32, newTotpSecret, totpAddress } from '../../accounts/totp.ts'
import { beginSecondStepInput, begunSecondStep } from '../../contract/accounts/second-step.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { saveSecret, secondStepContext } from '../../db/accounts/second-steps.ts'
import { holdWritingKey } from '../../db/core/encryption-check.ts'
import { requireCurrentPassword } from '../shared/current-password.ts'
import { defineOperation } from '../shared/operation.ts'

type Input = z.infer<typeof beginSecondStepInput>

export const beginSecondStep = defineOperation<Input, z.infer<typeof begunSecondStep>, SignedIn & Visitor>({
  name: 'begin-second-step',
  summary: 'A secret for the person’s authenticator app; it counts once a code of it is given.',
  input: beginSecondStepInput,
  output: begunSecondStep,
  async run({ currentPassword }, by, deps) {
    // Otherwise a stranger at an open browser could lock its owner out.
    await requireCurrentPassword(currentPassword, by, deps)
    const { id: userId, email } = by.user
    const secret = newTotpSecret()
    await deps.database.transaction().execute(async (transaction) => {
      await confirmPerson(transaction, by)
      const writingKey = await holdWritingKey(transaction)
      const secretEncrypted = deps.keyring.encrypt(secret, secondStepContext(userId), writingKey)
      if (!(await saveSecret(transaction, { userId, secretEncrypted }))) throw isOn()
    })
    const address = totpAddress(secret, email)
    return { secret: base32(secret), address, picture: encodeQR(address, 'svg') }
  },
})

function isOn(): ServiceError {
  return new ServiceError('invalid_transition', 'The second step is on already. To use another app, turn it off first.')
}
