import type { z } from 'zod'
import type { SignedIn, Visitor } from '../../accounts/caller.ts'
import { judgeCounted, signInAttempt } from '../../accounts/login-limits.ts'
import { emailKey } from '../../accounts/name-key.ts'
import { hashPassword, verifyPassword } from '../../accounts/passwords.ts'
import { changePasswordInput, endedSessions } from '../../contract/accounts/session.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { deleteLinksOfUser } from '../../db/accounts/one-time-links.ts'
import { deleteSessionsOfUser } from '../../db/accounts/sessions.ts'
import { findUserForSignIn, lockPassword, savePassword } from '../../db/accounts/users.ts'
import { type Deps, defineOperation } from '../shared/operation.ts'

type Input = z.infer<typeof changePasswordInput>

export const changePassword = defineOperation<Input, z.infer<typeof endedSessions>, SignedIn & Visitor>({
  name: 'change-password',
  summary: 'Change the password; every other session and every bearer token of the user ends.',
  input: changePasswordInput,
  output: endedSessions,
  async run(input, by, deps) {
    const before = await verifyCurrent(input, by, deps)
    const passwordHash = await hashPassword(input.newPassword)
    const { database, clock } = deps
    return database.transaction().execute(async (transaction) => {
      // Another browser changed it in the meantime; that change stays.
      if ((await lockPassword(transaction, by.user.id))?.passwordHash !== before) throw wrongPassword()
      const at = clock.now()
      await savePassword(transaction, { id: by.user.id, passwordHash, at })
      await deleteLinksOfUser(transaction, by.user.id)
      const ended = await deleteSessionsOfUser(transaction, by.user.id, by.sessionHash)
      const entry = { organisationId: null, actorUserId: by.user.id, actor: 'user' as const, details: { ended }, at }
      await recordAudit(transaction, { ...entry, action: 'password.change' })
      return { ended }
    })
  },
})

/** The same limits on guessing as at sign-in, so an abandoned session is no way around them. */
async function verifyCurrent(
  { currentPassword }: Input,
  { user, address }: SignedIn & Visitor,
  deps: Deps,
): Promise<string | null> {
  const key = emailKey(user.email)
  const verified = await judgeCounted(deps, signInAttempt(address, key), async () => {
    const present = await findUserForSignIn(deps.database, key)
    if (await verifyPassword(present?.passwordHash, currentPassword)) return { right: present }
    return { wrong: { action: 'sign-in.fail', userId: user.id, reason: 'wrong current password' } }
  })
  if (!verified) throw wrongPassword()
  return verified.passwordHash
}

function wrongPassword(): ServiceError {
  return new ServiceError('validation_failed', 'Some fields are not valid; see errors.', {
    errors: { currentPassword: ['Is not the current password.'] },
  })
}
