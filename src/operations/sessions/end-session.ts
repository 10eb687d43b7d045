import { z } from 'zod'
import type { SignedIn } from '../../accounts/caller.ts'
import { confirmPerson } from '../../accounts/people.ts'
import { oneSessionInput } from '../../contract/accounts/session.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { deleteSessionOfUser } from '../../db/accounts/sessions.ts'
import { Answer, defineOperation } from '../shared/operation.ts'

export const endSession = defineOperation<z.infer<typeof oneSessionInput>, undefined, SignedIn>({
  name: 'end-session',
  summary: 'Sign out one of the browsers of the signed-in person.',
  input: oneSessionInput,
  output: z.undefined(),
  async run({ id }, by, { database, clock }) {
    const isThisOne = await database.transaction().execute(async (transaction) => {
      await confirmPerson(transaction, by)
      const ended = await deleteSessionOfUser(transaction, by.user.id, id)
      if (!ended) throw new ServiceError('not_found', 'None of your sessions has this id; it may have ended.')
      const entry = { organisationId: null, actorUserId: by.user.id, actor: 'user' as const, at: clock.now() }
      await recordAudit(transaction, { ...entry, action: 'session.end' })
      return ended.idHash.equals(by.sessionHash)
    })
    return new Answer(undefined, { sessionEnded: isThisOne })
  },
})
