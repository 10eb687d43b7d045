import type { z } from 'zod'
import type { SignedIn } from '../../accounts/caller.ts'
import { confirmPerson } from '../../accounts/people.ts'
import { changedName, changeNameInput } from '../../contract/accounts/session.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { saveName } from '../../db/accounts/users.ts'
import { defineOperation } from '../shared/operation.ts'

export const changeName = defineOperation<z.infer<typeof changeNameInput>, z.infer<typeof changedName>, SignedIn>({
  name: 'change-name',
  summary: 'Change the name of the signed-in person. API logins have to use the new one.',
  input: changeNameInput,
  output: changedName,
  async run(name, by, { database, clock }) {
    await database.transaction().execute(async (transaction) => {
      await confirmPerson(transaction, by)
      await saveName(transaction, { id: by.user.id, ...name })
      const { firstName, lastName } = by.user
      const details = { from: `${firstName} ${lastName}`, to: `${name.firstName} ${name.lastName}` }
      const entry = { organisationId: null, actorUserId: by.user.id, actor: 'user' as const, details, at: clock.now() }
      await recordAudit(transaction, { ...entry, action: 'name.change' })
    })
    return name
  },
})
