import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { confirmAdministrator } from '../../accounts/administrators.ts'
import { actorOf } from '../../accounts/api-credentials.ts'
import type { Administrator } from '../../accounts/caller.ts'
import { linkToPassword } from '../../accounts/one-time-links.ts'
import { hashPassword, refuseGuessable } from '../../accounts/passwords.ts'
import { insertNewUser } from '../../accounts/users.ts'
import { createAdministratorInput, createAdministratorOutput } from '../../contract/accounts/administration.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { defineOperation } from '../shared/operation.ts'

type Input = z.infer<typeof createAdministratorInput>

export const createAdministrator = defineOperation<Input, z.infer<typeof createAdministratorOutput>, Administrator>({
  name: 'create-administrator',
  summary: 'Create one of the platform’s own administrators, who is invited unless a password is given.',
  input: createAdministratorInput,
  output: createAdministratorOutput,
  needsProof: () => true,
  async run({ password, ...person }, administrator, deps) {
    const { database, clock } = deps
    if (password !== undefined) await refuseGuessable(password, { ...person, organisations: [] })
    const passwordHash = password === undefined ? null : await hashPassword(password)
    const user = { id: randomUUID(), ...person, passwordHash, isAdministrator: true }
    const invitation = await database.transaction().execute(async (transaction) => {
      await confirmAdministrator(transaction, administrator)
      await insertNewUser(transaction, user, 'email')
      await recordAudit(transaction, {
        organisationId: null,
        ...actorOf(administrator),
        action: 'administrator.create',
        details: { userId: user.id },
        at: clock.now(),
      })
      if (passwordHash !== null) return null
      return linkToPassword(transaction, { purpose: 'invitation', userId: user.id }, deps)
    })
    return { userId: user.id, email: user.email, invitation }
  },
})
