import type { SignedIn, Visitor } from '../../accounts/caller.ts'
import { judgeCounted, signInAttempt } from '../../accounts/login-limits.ts'
import { emailKey } from '../../accounts/name-key.ts'
import { verifyPassword } from '../../accounts/passwords.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { findUserForSignIn } from '../../db/accounts/users.ts'
import type { Deps } from './operation.ts'

/**
 * Checks the password with the same limits on guessing as at sign-in, so that an abandoned session offers no way around
 * them.
 *
 * @returns the hash of the password
 * @throws ServiceError `validation_failed` for a wrong password, `rate_limited` as at sign-in
 */
export async function requireCurrentPassword(
  currentPassword: string,
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

export function wrongPassword(): ServiceError {
  return new ServiceError('validation_failed', 'Some fields are not valid; see errors.', {
    errors: { currentPassword: ['Is not the current password.'] },
  })
}
