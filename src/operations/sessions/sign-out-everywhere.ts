import { z } from 'zod'
import type { SignedIn } from '../../accounts/caller.ts'
import { endedSessions } from '../../contract/accounts/session.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { deleteSessionsOfUser } from '../../db/accounts/sessions.ts'
import { Answer, defineOperation } from '../shared/operation.ts'

export const signOutEverywhere = defineOperation<Record<string, never>, z.infer<typeof endedSessions>, SignedIn>({
  name: 'sign-out-everywhere',
  summary: 'End every portal session of the signed-in user, this one included.',
  input: z.strictObject({}),
  output: endedSessions,
  run(_, { user }, { database, clock }) {
    return database.transaction().execute(async (transaction) => {
      const ended = await deleteSessionsOfUser(transaction, user.id, null)
      await recordAudit(transaction, {
        organisationId: null,
        actorUserId: user.id,
        actor: 'user',
        action: 'sign-out-everywhere',
        details: { ended },
        at: clock.now(),
      })
      return new Answer({ ended }, { sessionEnded: true })
    })
  },
})
