import type { z } from 'zod'
import { consumeLink, requireLink, usedUp } from '../../accounts/one-time-links.ts'
import { hashPassword } from '../../accounts/passwords.ts'
import type { passwordByLinkInput } from '../../contract/accounts/members.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { deleteLinksOfUser } from '../../db/accounts/one-time-links.ts'
import { deleteSessionsOfUser } from '../../db/accounts/sessions.ts'
import { lockPassword, savePassword } from '../../db/accounts/users.ts'
import type { Deps } from './operation.ts'

const actions = { invitation: 'invitation.accept', reset: 'password.reset' } as const

/**
 * Sets the password of the person for whom a link was created. Everything that existed before is revoked (S14).
 *
 * @throws ServiceError `invalid_credentials` when the link was used, has expired, or no longer fits the person
 */
export async function choosePassword(
  purpose: keyof typeof actions,
  { token, password }: z.infer<typeof passwordByLinkInput>,
  deps: Pick<Deps, 'database' | 'clock'>,
): Promise<void> {
  const { database, clock } = deps
  await requireLink(deps, purpose, token)
  const passwordHash = await hashPassword(password)
  await database.transaction().execute(async (transaction) => {
    const { userId, organisationId } = await consumeLink(transaction, clock, { purpose, token })
    const present = userId === null ? undefined : await lockPassword(transaction, userId)
    if (userId === null || !present) throw usedUp(purpose)
    // An invitation is for the first password: an old one must never change an existing password.
    if (purpose === 'invitation' && present.passwordHash !== null) throw usedUp(purpose)
    const at = clock.now()
    await savePassword(transaction, { id: userId, passwordHash, at })
    await deleteLinksOfUser(transaction, userId)
    const ended = await deleteSessionsOfUser(transaction, userId, null)
    const entry = { organisationId, actorUserId: userId, actor: 'user' as const, details: { ended }, at }
    await recordAudit(transaction, { ...entry, action: actions[purpose] })
  })
}
