import type { z } from 'zod'
import type { Visitor } from '../../accounts/caller.ts'
import { sha256 } from '../../accounts/credential-secret.ts'
import { consumeLink, usedUp } from '../../accounts/one-time-links.ts'
import { signInWithCodeInput } from '../../contract/accounts/second-step.ts'
import { sessionOutput } from '../../contract/accounts/session.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { findLinkUser } from '../../db/accounts/one-time-links.ts'
import { lockPassword } from '../../db/accounts/users.ts'
import { takeCode } from '../shared/judge-code.ts'
import { defineOperation } from '../shared/operation.ts'

const purpose = 'second-step'

export const signInWithCode = defineOperation<
  z.infer<typeof signInWithCodeInput>,
  z.infer<typeof sessionOutput>,
  Visitor
>({
  name: 'sign-in-with-code',
  summary: 'Start the portal session of a person who has given the password, with a code of the second step.',
  input: signInWithCodeInput,
  output: sessionOutput,
  async run({ token, code }, visitor, deps) {
    const { database, sessions, clock } = deps
    const person = await findLinkUser(database, { tokenHash: sha256(token), purpose, at: clock.now() })
    if (!person) throw usedUp(purpose)
    const way = await takeCode({ userId: person.id, address: visitor.address, code }, deps)
    if (!way)
      throw new ServiceError('invalid_credentials', 'This code is wrong, or was used already. Take the next one.')
    const sessionId = await database.transaction().execute(async (transaction) => {
      // Before the link, as where the password changes.
      if (!(await lockPassword(transaction, person.id))) throw usedUp(purpose)
      // If the password has been changed in the meantime, the link is no longer valid.
      await consumeLink(transaction, clock, { purpose, token })
      const entry = { organisationId: null, actorUserId: person.id, actor: 'user' as const, at: clock.now() }
      await recordAudit(transaction, { ...entry, action: 'sign-in', details: { secondStep: way } })
      return sessions.begin(transaction, person.id, visitor)
    })
    return { sessionId }
  },
})
