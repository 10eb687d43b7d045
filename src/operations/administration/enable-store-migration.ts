import type { z } from 'zod'
import { confirmAdministrator } from '../../accounts/administrators.ts'
import { actorOf } from '../../accounts/api-credentials.ts'
import type { Administrator } from '../../accounts/caller.ts'
import { organisationInput, organisationOutput } from '../../contract/accounts/administration.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { enableStoreMigration as enable } from '../../db/accounts/organisations.ts'
import { defineOperation } from '../shared/operation.ts'
import { requireOrganisation } from '../shared/registered-organisation.ts'

type Input = z.infer<typeof organisationInput>

export const enableStoreMigration = defineOperation<Input, z.infer<typeof organisationOutput>, Administrator>({
  name: 'enable-store-migration',
  summary: 'Allow an organisation to use Store Migration.',
  input: organisationInput,
  output: organisationOutput,
  async run({ organisation }, administrator, { database, clock }) {
    const { id: organisationId, name } = await requireOrganisation(database, organisation)
    await database.transaction().execute(async (transaction) => {
      // Before the administrator, who may be a member, as where members lose access.
      await enable(transaction, organisationId)
      await confirmAdministrator(transaction, administrator)
      const entry = { action: 'store-migration.enable' as const, at: clock.now() }
      await recordAudit(transaction, { organisationId, ...actorOf(administrator), ...entry })
    })
    return { organisationId, name }
  },
})
