import type { z } from 'zod'
import type { Visitor } from '../../accounts/caller.ts'
import { judgeCounted, signInAttempt } from '../../accounts/login-limits.ts'
import { emailKey } from '../../accounts/name-key.ts'
import { newLinkToken } from '../../accounts/one-time-links.ts'
import { verifyPassword } from '../../accounts/passwords.ts'
import { signInInput, signInOutput } from '../../contract/accounts/session.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { hasSecondStep } from '../../db/accounts/second-steps.ts'
import { findUserForSignIn, lockPassword, type SignInRow } from '../../db/accounts/users.ts'
import { type Deps, defineOperation } from '../shared/operation.ts'

type Input = z.infer<typeof signInInput>

export const signIn = defineOperation<Input, z.infer<typeof signInOutput>, Visitor>({
  name: 'sign-in',
  summary: 'Start a portal session with email and password, or name what it waits under for the second step.',
  input: signInInput,
  output: signInOutput,
  async run(input, visitor, deps) {
    const user = await identify(input, visitor, deps)
    const { database, sessions, clock } = deps
    return database.transaction().execute(async (transaction) => {
      // During the comparison, the password may have changed, or the user been deactivated.
      const present = await lockPassword(transaction, user.id)
      if (present?.passwordHash !== user.passwordHash) throw refusal()
      if (await hasSecondStep(transaction, user.id)) {
        const { token } = await newLinkToken(transaction, clock, { purpose: 'second-step', userId: user.id })
        return { secondStep: token }
      }
      const entry = { organisationId: null, actorUserId: user.id, actor: 'user' as const, action: 'sign-in' as const }
      await recordAudit(transaction, { ...entry, at: clock.now() })
      return { sessionId: await sessions.begin(transaction, user.id, visitor) }
    })
  },
})

/** Responds in the same way and takes as long whether or not the user exists (S5). */
async function identify({ email, password }: Input, { address }: Visitor, deps: Deps): Promise<SignInRow> {
  const user = await judgeCounted(deps, signInAttempt(address, emailKey(email)), async () => {
    const found = await findUserForSignIn(deps.database, emailKey(email))
    const matches = await verifyPassword(found?.passwordHash, password)
    if (found && matches) return { right: found }
    const reason = found ? 'wrong password' : 'no active user with this email'
    return { wrong: { action: 'sign-in.fail', userId: found?.id ?? null, reason } }
  })
  if (!user) throw refusal()
  return user
}

function refusal(): ServiceError {
  return new ServiceError('invalid_credentials', 'Wrong email or password.')
}
