import type { z } from 'zod'
import { confirmAdministrator } from '../../accounts/administrators.ts'
import { actorOf, endCredential } from '../../accounts/api-credentials.ts'
import type { Administrator } from '../../accounts/caller.ts'
import { organisationInput, removedOutput } from '../../contract/accounts/administration.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { endAccess } from '../../db/accounts/members.ts'
import { disableStoreMigration } from '../../db/accounts/organisations.ts'
import { cancelAll } from '../../db/runs/run-controls.ts'
import { defineOperation } from '../shared/operation.ts'
import { requireOrganisation } from '../shared/registered-organisation.ts'
import { wakeEngine } from '../shared/wake-engine.ts'

type Input = z.infer<typeof organisationInput>

export const removeStoreMigration = defineOperation<Input, z.infer<typeof removedOutput>, Administrator>({
  name: 'remove-store-migration',
  summary:
    'Remove an organisation from Store Migration, portal and API. Its migrations are canceled, nothing is deleted, and the client id is kept.',
  input: organisationInput,
  output: removedOutput,
  async run({ organisation }, administrator, deps) {
    const { database, clock } = deps
    const { id: organisationId, name } = await requireOrganisation(database, organisation)
    const cancelled = await database.transaction().execute(async (transaction) => {
      // Locks the organisation before people and its credential, in the same order as requests do.
      const wasEnabled = await disableStoreMigration(transaction, organisationId)
      await confirmAdministrator(transaction, administrator)
      if (!wasEnabled) throw notEnabled(name)
      const version = await endCredential(transaction, organisationId)
      await endAccess(transaction, organisationId, null)
      const runs = await cancelAll(transaction, organisationId)
      const details = { cancelled: runs, ...(version !== undefined && { version }) }
      const entry = { action: 'store-migration.remove' as const, details, at: clock.now() }
      await recordAudit(transaction, { organisationId, ...actorOf(administrator), ...entry })
      return runs
    })
    wakeEngine(deps)
    return { organisationId, name, cancelled }
  },
})

function notEnabled(name: string): ServiceError {
  return new ServiceError(
    'invalid_transition',
    `Store Migration is not enabled for ${name}: there is nothing to remove.`,
  )
}
