import { z } from 'zod'
import type { SignedIn } from '../../accounts/caller.ts'
import { confirmPerson } from '../../accounts/people.ts'
import { oneAssistantInput } from '../../contract/accounts/session.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { findConnection } from '../../db/oauth/oauth-connections.ts'
import { deleteGrant } from '../../db/oauth/oauth-records.ts'
import { defineOperation } from '../shared/operation.ts'

export const disconnectAssistant = defineOperation<z.infer<typeof oneAssistantInput>, undefined, SignedIn>({
  name: 'disconnect-assistant',
  summary: 'Disconnect an assistant; its next call is refused.',
  input: oneAssistantInput,
  output: z.undefined(),
  async run({ id }, by, { database, clock }) {
    await database.transaction().execute(async (transaction) => {
      await confirmPerson(transaction, by)
      const found = await findConnection(transaction, by.user.id, id)
      if (!found) throw new ServiceError('not_found', 'None of your assistants has this id; it may be disconnected.')
      await deleteGrant(transaction, id)
      const { organisationId, clientId } = found
      const details = { oauthClientId: clientId }
      const entry = { organisationId, actorUserId: by.user.id, actor: 'user' as const, details, at: clock.now() }
      await recordAudit(transaction, { ...entry, action: 'assistant.disconnect' })
    })
    return undefined
  },
})
