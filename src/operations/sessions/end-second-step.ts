import { z } from 'zod'
import type { SignedIn, Visitor } from '../../accounts/caller.ts'
import { confirmPerson } from '../../accounts/people.ts'
import { codeInput } from '../../contract/accounts/second-step.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { deleteSecondStep } from '../../db/accounts/second-steps.ts'
import { requireCode } from '../shared/judge-code.ts'
import { defineOperation } from '../shared/operation.ts'

export const endSecondStep = defineOperation<z.infer<typeof codeInput>, undefined, SignedIn & Visitor>({
  name: 'end-second-step',
  summary: 'Turn the second step off, with a code of it.',
  input: codeInput,
  output: z.undefined(),
  async run({ code }, by, { database, clock, ...deps }) {
    const userId = by.user.id
    await requireCode({ userId, address: by.address, code }, { database, clock, ...deps })
    await database.transaction().execute(async (transaction) => {
      await confirmPerson(transaction, by)
      await deleteSecondStep(transaction, userId)
      const entry = { organisationId: null, actorUserId: userId, actor: 'user' as const, at: clock.now() }
      await recordAudit(transaction, { ...entry, action: 'second-step.off' })
    })
    return undefined
  },
})
