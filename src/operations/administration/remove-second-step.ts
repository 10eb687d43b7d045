import { z } from 'zod'
import { confirmAdministrator } from '../../accounts/administrators.ts'
import { actorOf } from '../../accounts/api-credentials.ts'
import type { Administrator } from '../../accounts/caller.ts'
import { emailKey } from '../../accounts/name-key.ts'
import { personResetInput } from '../../contract/accounts/members.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { deleteSecondStep } from '../../db/accounts/second-steps.ts'
import { deleteSessionsOfUser } from '../../db/accounts/sessions.ts'
import { findUserForSignIn, lockPassword } from '../../db/accounts/users.ts'
import { defineOperation } from '../shared/operation.ts'

type Input = z.infer<typeof personResetInput>

export const removeSecondStep = defineOperation<Input, undefined, Administrator>({
  name: 'remove-second-step',
  summary:
    'Turn the second step off for a person who lost the app and the recovery codes; their browsers are signed out.',
  input: personResetInput,
  output: z.undefined(),
  needsProof: () => true,
  async run({ email }, administrator, { database, clock }) {
    const person = await findUserForSignIn(database, emailKey(email))
    await database.transaction().execute(async (transaction) => {
      await confirmAdministrator(transaction, administrator)
      if (!person || !(await lockPassword(transaction, person.id)))
        throw new ServiceError('not_found', 'No person is registered with this email.')
      if (person.id === administrator.userId)
        throw new ServiceError('invalid_transition', 'You are signed in: turn it off in your profile, with a code.')
      if (!(await deleteSecondStep(transaction, person.id)))
        throw new ServiceError('invalid_transition', 'This person has no second step.')
      const ended = await deleteSessionsOfUser(transaction, person.id, null)
      const entry = { action: 'second-step.remove' as const, details: { userId: person.id, ended }, at: clock.now() }
      await recordAudit(transaction, { organisationId: null, ...actorOf(administrator), ...entry })
    })
    return undefined
  },
})
