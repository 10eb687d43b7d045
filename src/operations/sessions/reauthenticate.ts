import { z } from 'zod'
import type { SignedIn, Visitor } from '../../accounts/caller.ts'
import { confirmPerson } from '../../accounts/people.ts'
import { reauthenticateInput } from '../../contract/accounts/second-step.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { saveProof } from '../../db/accounts/sessions.ts'
import { requireCurrentPassword } from '../shared/current-password.ts'
import { requireCode } from '../shared/judge-code.ts'
import { type Deps, defineOperation } from '../shared/operation.ts'

type Input = z.infer<typeof reauthenticateInput>

export const reauthenticate = defineOperation<Input, undefined, SignedIn & Visitor>({
  name: 'reauthenticate',
  summary:
    'Give the password again, and a code where the second step is on; for 15 minutes this browser may do what asks for it.',
  input: reauthenticateInput,
  output: z.undefined(),
  async run(input, by, deps) {
    await requireProof(input, by, deps)
    const { database, clock } = deps
    await database.transaction().execute(async (transaction) => {
      await confirmPerson(transaction, by)
      const at = clock.now()
      await saveProof(transaction, by.sessionHash, at)
      const entry = { organisationId: null, actorUserId: by.user.id, actor: 'user' as const, at }
      await recordAudit(transaction, { ...entry, action: 'session.reauthenticate' })
    })
    return undefined
  },
})

async function requireProof({ currentPassword, code }: Input, by: SignedIn & Visitor, deps: Deps): Promise<void> {
  // Checked before the password, because a request that cannot succeed must not use up an attempt.
  if (by.hasSecondStep && code === undefined)
    throw new ServiceError('validation_failed', 'Some fields are not valid; see errors.', {
      errors: { code: ['Give a code of your app, or a recovery code.'] },
    })
  await requireCurrentPassword(currentPassword, by, deps)
  if (by.hasSecondStep && code !== undefined) await requireCode({ userId: by.user.id, address: by.address, code }, deps)
}
