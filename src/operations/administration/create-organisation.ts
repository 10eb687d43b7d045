import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { confirmAdministrator } from '../../accounts/administrators.ts'
import { actorOf } from '../../accounts/api-credentials.ts'
import type { Administrator } from '../../accounts/caller.ts'
import { nameKey } from '../../accounts/name-key.ts'
import { linkToPassword } from '../../accounts/one-time-links.ts'
import { hashPassword, refuseGuessable } from '../../accounts/passwords.ts'
import { insertNewUser } from '../../accounts/users.ts'
import { createOrganisationInput, createOrganisationOutput } from '../../contract/accounts/administration.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { insertOrganisation } from '../../db/accounts/organisations.ts'
import { insertMembership } from '../../db/accounts/users.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { defineOperation } from '../shared/operation.ts'

type Input = z.infer<typeof createOrganisationInput>

export const createOrganisation = defineOperation<Input, z.infer<typeof createOrganisationOutput>, Administrator>({
  name: 'create-organisation',
  summary: 'Create an organisation with its owner.',
  input: createOrganisationInput,
  output: createOrganisationOutput,
  needsProof: () => true,
  async run({ name: given, owner: { password, ...person } }, administrator, deps) {
    const { database, clock } = deps
    const organisationId = randomUUID()
    const name = given.trim()
    if (password !== undefined) await refuseGuessable(password, { ...person, organisations: [name] }, 'owner.password')
    const passwordHash = password === undefined ? null : await hashPassword(password)
    const owner = { id: randomUUID(), ...person, passwordHash, isAdministrator: false }
    const invitation = await database.transaction().execute(async (transaction) => {
      await confirmAdministrator(transaction, administrator)
      await insertNewOrganisation(transaction, organisationId, name)
      await insertNewUser(transaction, owner, 'owner.email')
      await insertMembership(transaction, { organisationId, userId: owner.id, role: 'owner' })
      const entry = { action: 'organisation.create' as const, details: { name, ownerId: owner.id }, at: clock.now() }
      await recordAudit(transaction, { organisationId, ...actorOf(administrator), ...entry })
      if (passwordHash !== null) return null
      return linkToPassword(transaction, { purpose: 'invitation', userId: owner.id, organisationId }, deps)
    })
    return { organisationId, name, ownerId: owner.id, invitation }
  },
})

async function insertNewOrganisation(transaction: InTransaction, id: string, name: string): Promise<void> {
  if (await insertOrganisation(transaction, { id, name, nameKey: requireNameKey(name) })) return
  throw new ServiceError('validation_failed', 'An organisation with this name already exists; see errors.', {
    errors: { name: ['Already taken; differences in case or look-alike characters do not count.'] },
  })
}

function requireNameKey(name: string): string {
  const key = nameKey(name)
  if (key !== '') return key
  throw new ServiceError('validation_failed', 'Some fields are not valid; see errors.', {
    errors: { name: ['Must not be blank.'] },
  })
}
