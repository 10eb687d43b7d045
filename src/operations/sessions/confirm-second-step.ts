import type { z } from 'zod'
import type { SignedIn, Visitor } from '../../accounts/caller.ts'
import { judgeCounted, secondStepAttempt } from '../../accounts/login-limits.ts'
import { confirmPerson } from '../../accounts/people.ts'
import { newRecoveryCodes, recoveryCodeHash } from '../../accounts/recovery-codes.ts'
import { totpStepOf } from '../../accounts/totp.ts'
import { codeInput, recoveryCodes } from '../../contract/accounts/second-step.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { confirmSecret, findSecondStep, saveRecoveryCodes, secondStepContext } from '../../db/accounts/second-steps.ts'
import { plainCode, wrongCode } from '../shared/judge-code.ts'
import { type Deps, defineOperation } from '../shared/operation.ts'

export const confirmSecondStep = defineOperation<
  z.infer<typeof codeInput>,
  z.infer<typeof recoveryCodes>,
  SignedIn & Visitor
>({
  name: 'confirm-second-step',
  summary: 'Turn the second step on with a code of the app; the recovery codes in the answer are shown only once.',
  input: codeInput,
  output: recoveryCodes,
  async run({ code }, by, deps) {
    const userId = by.user.id
    const { secretEncrypted, step } = await judgeFirst(plainCode(code), by, deps)
    const codes = newRecoveryCodes()
    await deps.database.transaction().execute(async (transaction) => {
      await confirmPerson(transaction, by)
      const at = deps.clock.now()
      if (!(await confirmSecret(transaction, { userId, secretEncrypted, step, at }))) throw notBegun()
      await saveRecoveryCodes(transaction, { userId, codeHashes: codes.map(recoveryCodeHash) })
      const entry = { organisationId: null, actorUserId: userId, actor: 'user' as const, at }
      await recordAudit(transaction, { ...entry, action: 'second-step.on' })
    })
    return { recoveryCodes: codes }
  },
})

/** Judges the first code of a secret, which proves that the app has the secret. */
async function judgeFirst(code: string, { user, address }: SignedIn & Visitor, deps: Deps) {
  const { database, keyring, clock } = deps
  const present = await findSecondStep(database, user.id)
  if (!present || present.confirmedAt) throw notBegun()
  const { secretEncrypted } = present
  const judged = await judgeCounted(deps, secondStepAttempt(address, user.id), async () => {
    const step = totpStepOf(keyring.decrypt(secretEncrypted, secondStepContext(user.id)), code, clock.now())
    if (step !== undefined) return { right: { secretEncrypted, step } }
    return { wrong: { action: 'sign-in.fail', userId: user.id, reason: 'wrong first code of a second step' } }
  })
  if (!judged) throw wrongCode()
  return judged
}

function notBegun(): ServiceError {
  return new ServiceError('invalid_transition', 'There is no secret that waits for its first code. Begin again.')
}
