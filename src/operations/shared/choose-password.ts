import type { z } from 'zod'
import { sha256 } from '../../accounts/credential-secret.ts'
import { consumeLink, usedUp } from '../../accounts/one-time-links.ts'
import { hashPassword, refuseGuessable } from '../../accounts/passwords.ts'
import type { passwordByLinkInput } from '../../contract/accounts/members.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { deleteLinksOfUser, findLinkUser } from '../../db/accounts/one-time-links.ts'
import { deleteSessionsOfUser } from '../../db/accounts/sessions.ts'
import { findNamesOfUser, lockPassword, savePassword } from '../../db/accounts/users.ts'
import type { Deps } from './operation.ts'

const actions = { invitation: 'invitation.accept', reset: 'password.reset' } as const

/**
 * Sets the password of the person for whom a link was created, and revokes the person's sessions and links (S14).
 *
 * @returns the email of the person
 * @throws ServiceError `invalid_credentials` if the link was used, has expired, or is no longer right for the person
 */
export async function choosePassword(
  purpose: keyof typeof actions,
  { token, password }: z.infer<typeof passwordByLinkInput>,
  deps: Pick<Deps, 'database' | 'clock'>,
): Promise<{ email: string }> {
  const { database, clock } = deps
  // Both checks come before the expensive hash. The transaction checks the link again.
  const person = await findLinkUser(database, { tokenHash: sha256(token), purpose, at: clock.now() })
  if (!person) throw usedUp(purpose)
  const { id: userId, email } = person
  await refuseGuessableOf(userId, password, deps)
  const passwordHash = await hashPassword(password)
  await database.transaction().execute(async (transaction) => {
    // The person before the link, as where links are replaced: otherwise the two could wait for each other.
    const present = await lockPassword(transaction, userId)
    if (!present) throw usedUp(purpose)
    const { organisationId } = await consumeLink(transaction, clock, { purpose, token })
    // An invitation is for a first password: an old one must never change an existing password.
    if (purpose === 'invitation' && present.passwordHash !== null) throw usedUp(purpose)
    const at = clock.now()
    await savePassword(transaction, { id: userId, passwordHash, at })
    await deleteLinksOfUser(transaction, userId)
    const ended = await deleteSessionsOfUser(transaction, userId, null)
    const entry = { organisationId, actorUserId: userId, actor: 'user' as const, details: { ended }, at }
    await recordAudit(transaction, { ...entry, action: actions[purpose] })
  })
  return { email }
}

/** @throws ServiceError `validation_failed` if this person's new password would soon be guessed (S33) */
export async function refuseGuessableOf(
  userId: string,
  password: string,
  { database }: Pick<Deps, 'database'>,
  field?: string,
): Promise<void> {
  const names = await findNamesOfUser(database, userId)
  if (names) await refuseGuessable(password, names, field)
}
