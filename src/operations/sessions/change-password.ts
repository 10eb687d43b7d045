import type { z } from 'zod'
import type { SignedIn, Visitor } from '../../accounts/caller.ts'
import { hashPassword } from '../../accounts/passwords.ts'
import { changePasswordInput, endedSessions } from '../../contract/accounts/session.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { deleteLinksOfUser } from '../../db/accounts/one-time-links.ts'
import { deleteSessionsOfUser } from '../../db/accounts/sessions.ts'
import { lockPassword, savePassword } from '../../db/accounts/users.ts'
import { refuseGuessableOf } from '../shared/choose-password.ts'
import { requireCurrentPassword, wrongPassword } from '../shared/current-password.ts'
import { defineOperation } from '../shared/operation.ts'

type Input = z.infer<typeof changePasswordInput>

export const changePassword = defineOperation<Input, z.infer<typeof endedSessions>, SignedIn & Visitor>({
  name: 'change-password',
  summary: 'Change the password; every other session and every bearer token of the user ends.',
  input: changePasswordInput,
  output: endedSessions,
  async run(input, by, deps) {
    const before = await requireCurrentPassword(input.currentPassword, by, deps)
    await refuseGuessableOf(by.user.id, input.newPassword, deps, 'newPassword')
    const passwordHash = await hashPassword(input.newPassword)
    const { database, clock } = deps
    return database.transaction().execute(async (transaction) => {
      // Another browser changed the password in the meantime. That change is kept.
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
