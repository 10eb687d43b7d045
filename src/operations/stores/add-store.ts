import type { z } from 'zod'
import { addStoreInput, connectStoreOutput } from '../../contract/accounts/administration.ts'
import { confirmCaller } from '../shared/confirm-caller.ts'
import { defineOperation } from '../shared/operation.ts'
import { aboutStore } from '../shared/store-access.ts'
import { checkToken, saveConnection } from '../shared/store-connection.ts'

type Input = z.infer<typeof addStoreInput>

export const addStore = defineOperation<Input, z.infer<typeof connectStoreOutput>>({
  name: 'add-store',
  summary: 'Connect a store of the organisation by its hash and API token, or give a connected one a new token.',
  input: addStoreInput,
  output: connectStoreOutput,
  needsProof: () => true,
  async run(input, caller, deps) {
    const { hash } = input
    const { information, missingScopes } = await checkToken(input, deps)
    const { organisationId, userId } = caller
    const { label } = await deps.database.transaction().execute(async (transaction) => {
      await confirmCaller(transaction, caller, 'add-store')
      const actor = { actor: 'user' as const, actorUserId: userId }
      const connection = { ...input, organisationId, shopName: information.name }
      return saveConnection(transaction, connection, actor, deps)
    })
    return { hash, label, missingScopes, about: aboutStore(information) }
  },
})
