import type { z } from 'zod'
import { confirmAdministrator } from '../../accounts/administrators.ts'
import { actorOf } from '../../accounts/api-credentials.ts'
import type { Administrator } from '../../accounts/caller.ts'
import { emailKey } from '../../accounts/name-key.ts'
import { linkToPassword } from '../../accounts/one-time-links.ts'
import { passwordLink, personResetInput } from '../../contract/accounts/members.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { findUserForSignIn, lockPassword } from '../../db/accounts/users.ts'
import { defineOperation } from '../shared/operation.ts'

type Input = z.infer<typeof personResetInput>

export const createPersonResetLink = defineOperation<Input, z.infer<typeof passwordLink>, Administrator>({
  name: 'create-person-reset-link',
  summary:
    'A link with which anyone chooses a password: a new one, or the first after an invitation that has run out. Earlier links become void.',
  input: personResetInput,
  output: passwordLink,
  needsProof: () => true,
  async run({ email }, administrator, deps) {
    const { database, clock } = deps
    const person = await findUserForSignIn(database, emailKey(email))
    return database.transaction().execute(async (transaction) => {
      await confirmAdministrator(transaction, administrator)
      const present = person && (await lockPassword(transaction, person.id))
      if (!person || !present) throw new ServiceError('not_found', 'No person is registered with this email.')
      if (person.id === administrator.userId) throw ownPassword()
      const entry = { action: 'password.reset-link' as const, details: { userId: person.id }, at: clock.now() }
      await recordAudit(transaction, { organisationId: null, ...actorOf(administrator), ...entry })
      // A person without a password has an expired invitation: there is nothing to reset.
      const purpose = present.passwordHash === null ? 'invitation' : 'reset'
      return linkToPassword(transaction, { purpose, userId: person.id }, deps)
    })
  },
})

function ownPassword(): ServiceError {
  return new ServiceError('invalid_transition', 'You are signed in: change your password in your profile.')
}
