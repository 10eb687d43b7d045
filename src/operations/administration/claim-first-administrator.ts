import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { Visitor } from '../../accounts/caller.ts'
import { consumeLink, requireLink } from '../../accounts/one-time-links.ts'
import { hashPassword, refuseGuessable } from '../../accounts/passwords.ts'
import { insertNewUser } from '../../accounts/users.ts'
import { administratorOutput, claimFirstAdministratorInput } from '../../contract/accounts/administration.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { administratorExists } from '../../db/accounts/administrators.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { lockFirstAdministrator } from '../../db/accounts/one-time-links.ts'
import { defineOperation } from '../shared/operation.ts'

type Input = z.infer<typeof claimFirstAdministratorInput>

export const claimFirstAdministrator = defineOperation<Input, z.infer<typeof administratorOutput>, Visitor>({
  name: 'claim-first-administrator',
  summary: 'Become the first administrator, with the link printed at the first start.',
  input: claimFirstAdministratorInput,
  output: administratorOutput,
  async run({ token, password, ...person }, _, deps) {
    const { database, clock } = deps
    await requireLink(deps, 'first-administrator', token)
    await refuseGuessable(password, { ...person, organisations: [] })
    const user = { id: randomUUID(), ...person, passwordHash: await hashPassword(password), isAdministrator: true }
    await database.transaction().execute(async (transaction) => {
      await lockFirstAdministrator(transaction)
      if (await administratorExists(transaction)) throw alreadyThere()
      await consumeLink(transaction, clock, { purpose: 'first-administrator', token })
      await insertNewUser(transaction, user, 'email')
      await recordAudit(transaction, {
        organisationId: null,
        actorUserId: user.id,
        actor: 'administrator',
        action: 'administrator.create',
        details: { userId: user.id },
        at: clock.now(),
      })
    })
    return { userId: user.id, email: user.email }
  },
})

/** The link may still be valid after someone has created an administrator on the command line. */
function alreadyThere(): ServiceError {
  return new ServiceError('invalid_credentials', 'An administrator already exists. Ask them to make you one too.')
}
