import { z } from 'zod'
import type { SignedIn } from '../../accounts/caller.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { deleteSession } from '../../db/accounts/sessions.ts'
import { Answer, defineOperation } from '../shared/operation.ts'

export const signOut = defineOperation<Record<string, never>, undefined, SignedIn>({
  name: 'sign-out',
  summary: 'End the portal session of this browser.',
  input: z.strictObject({}),
  output: z.undefined(),
  async run(_, { user, sessionHash }, { database, clock }) {
    await database.transaction().execute(async (transaction) => {
      await deleteSession(transaction, sessionHash)
      const entry = { organisationId: null, actorUserId: user.id, actor: 'user' as const, action: 'sign-out' as const }
      await recordAudit(transaction, { ...entry, at: clock.now() })
    })
    return new Answer(undefined, { sessionEnded: true })
  },
})
