import { z } from 'zod'
import type { Visitor } from '../../accounts/caller.ts'
import { consumeLink, requireLink } from '../../accounts/one-time-links.ts'
import { hashPassword } from '../../accounts/passwords.ts'
import { linkToken, password } from '../../contract/administration.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { lockPassword, savePassword } from '../../db/accounts/users.ts'
import { defineOperation } from '../shared/operation.ts'

const acceptInvitationInput = z.strictObject({ token: linkToken, password })
type Input = z.infer<typeof acceptInvitationInput>

export const acceptInvitation = defineOperation<Input, undefined, Visitor>({
  name: 'accept-invitation',
  summary: 'Choose the first password, with the link from an invitation.',
  input: acceptInvitationInput,
  output: z.undefined(),
  async run({ token, password: chosen }, _, deps) {
    const { database, clock } = deps
    await requireLink(deps, 'invitation', token)
    const passwordHash = await hashPassword(chosen)
    await database.transaction().execute(async (transaction) => {
      const userId = await consumeLink(transaction, clock, { purpose: 'invitation', token })
      const present = userId === null ? undefined : await lockPassword(transaction, userId)
      // Only the first password: an old link must never change an existing one.
      if (userId === null || present?.passwordHash !== null) throw notInvited()
      const at = clock.now()
      await savePassword(transaction, { id: userId, passwordHash, at })
      const entry = { actorUserId: userId, actor: 'user' as const, action: 'invitation.accept' as const, at }
      await recordAudit(transaction, { organisationId: null, ...entry })
    })
    return undefined
  },
})

function notInvited(): ServiceError {
  return new ServiceError(
    'invalid_credentials',
    'This invitation has expired or was already used. Ask the person who invited you for a new one.',
  )
}
