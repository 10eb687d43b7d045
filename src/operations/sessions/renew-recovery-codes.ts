import type { z } from 'zod'
import type { SignedIn, Visitor } from '../../accounts/caller.ts'
import { confirmPerson } from '../../accounts/people.ts'
import { newRecoveryCodes, recoveryCodeHash } from '../../accounts/recovery-codes.ts'
import { codeInput, recoveryCodes } from '../../contract/accounts/second-step.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { hasSecondStep, saveRecoveryCodes } from '../../db/accounts/second-steps.ts'
import { requireCode } from '../shared/judge-code.ts'
import { defineOperation } from '../shared/operation.ts'

export const renewRecoveryCodes = defineOperation<
  z.infer<typeof codeInput>,
  z.infer<typeof recoveryCodes>,
  SignedIn & Visitor
>({
  name: 'renew-recovery-codes',
  summary: 'New recovery codes, shown only once; earlier ones become void. Takes a code of the second step.',
  input: codeInput,
  output: recoveryCodes,
  async run({ code }, by, deps) {
    const userId = by.user.id
    await requireCode({ userId, address: by.address, code }, deps)
    const codes = newRecoveryCodes()
    await deps.database.transaction().execute(async (transaction) => {
      await confirmPerson(transaction, by)
      if (!(await hasSecondStep(transaction, userId)))
        throw new ServiceError('invalid_transition', 'The second step was turned off meanwhile.')
      await saveRecoveryCodes(transaction, { userId, codeHashes: codes.map(recoveryCodeHash) })
      const entry = { organisationId: null, actorUserId: userId, actor: 'user' as const, at: deps.clock.now() }
      await recordAudit(transaction, { ...entry, action: 'recovery-codes.renew' })
    })
    return { recoveryCodes: codes }
  },
})
