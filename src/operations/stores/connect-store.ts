import type { z } from 'zod'
import { confirmAdministrator } from '../../accounts/administrators.ts'
import { actorOf } from '../../accounts/api-credentials.ts'
import type { Administrator } from '../../accounts/caller.ts'
import { connectStoreInput, connectStoreOutput } from '../../contract/accounts/administration.ts'
import { defineOperation } from '../shared/operation.ts'
import { requireOrganisation } from '../shared/registered-organisation.ts'
import { aboutStore } from '../shared/store-access.ts'
import { checkToken, saveConnection } from '../shared/store-connection.ts'

type Input = z.infer<typeof connectStoreInput>

export const connectStore = defineOperation<Input, z.infer<typeof connectStoreOutput>, Administrator>({
  name: 'connect-store',
  summary: 'Connect a store by its hash and API token, or give a connected one a new token.',
  input: connectStoreInput,
  output: connectStoreOutput,
  needsProof: () => true,
  async run(input, administrator, deps) {
    const { id: organisationId } = await requireOrganisation(deps.database, input.organisation)
    const { hash } = input
    const { information, missingScopes } = await checkToken(input, deps)
    const { label } = await deps.database.transaction().execute(async (transaction) => {
      await confirmAdministrator(transaction, administrator)
      const connection = { ...input, organisationId, shopName: information.name }
      return saveConnection(transaction, connection, actorOf(administrator), deps)
    })
    return { hash, label, missingScopes, about: aboutStore(information) }
  },
})
